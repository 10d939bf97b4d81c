//! `oncue serve`: one endpoint in front of every MCP server.

mod house;
mod reload;
mod run_file;
mod telemetry;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use oncue_gateway::access::Access;
use oncue_gateway::audit::ChangeKind;
use oncue_gateway::config::{Context, Environment, HttpSettings, LimitSettings, Loaded};
use oncue_gateway::serve::{Bounds, Gateway, listen};
use oncue_gateway::watchdog;
use oncue_mcp::limits::CLIENT_MESSAGE_BYTES_MAX;
use oncue_mcp::server::{Guard, HttpEndpoint, serve};
use oncue_mcp::{Lines, Noise, Transport, standard_input, standard_output};
use oncue_tools::Principal;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

pub(super) use self::house::House;
pub(super) use self::run_file::{FOLDER as RUN_FOLDER, Running, Tokens};
use self::telemetry::Telemetry;
use crate::args::Serve;
use crate::exit::Exit;
use crate::failure::Failure;

/// Where clients over HTTP reach the gateway.
const PATH: &str = "/mcp";

/// Serves until the client goes away or the program is told to end.
pub(crate) fn run(args: &Serve, err: &mut dyn Write) -> Result<Exit, Failure> {
    let filter = EnvFilter::try_new(&args.log).map_err(|error| {
        Failure::input(error).hint("rules are levels such as `info`, or `oncue_gateway=debug`")
    })?;
    let loaded = load(args)?;
    for aside in &loaded.set_aside {
        writeln!(err, "warning: `{}` is left out: {}", aside.name, aside.fault)?;
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(Failure::input)?;
    let outcome = runtime.block_on(work(args, loaded, filter, err));
    // A read of standard input cannot be called off.
    runtime.shutdown_background();
    outcome
}

/// Is a watchdog until its input ends.
pub(crate) fn watch() {
    watchdog::watch(std::io::stdin().lock());
}

fn load(args: &Serve) -> Result<Loaded, Failure> {
    let mut loaded = settings(args.config.as_ref())?;
    if let Some(mode) = args.mode {
        loaded.settings.mode = mode.into();
    }
    Ok(loaded)
}

/// Reads the settings that were named, or the usual ones.
pub(super) fn settings(config: Option<&PathBuf>) -> Result<Loaded, Failure> {
    let context = Context::of_process();
    let file = config.cloned().or_else(|| context.usual_file(&Environment::of_process()));
    let file = file.unwrap_or_else(|| PathBuf::from("oncue.toml"));
    Loaded::read(&file, &context).map_err(|error| {
        let failure = Failure::input(error);
        match config {
            Some(_) => {
                failure.hint(format!("see what is wrong with `oncue check {}`", file.display()))
            }
            None => failure
                .hint("name the settings with `--config FILE`, or make them with `oncue import`"),
        }
    })
}

async fn work(
    args: &Serve,
    loaded: Loaded,
    filter: EnvFilter,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let bind = args.http.or(loaded.settings.http.bind);
    let log = (filter, args.log_format);
    let telemetry = Telemetry::start(&loaded.settings.telemetry, bind.is_some(), log, err)?;
    let (hosts, limits) = (loaded.settings.http.clone(), loaded.settings.limits);
    let bytes_max = limits.client_message_bytes.unwrap_or(CLIENT_MESSAGE_BYTES_MAX);
    let files = loaded.files.clone();
    let house = House::open(args.state_dir.as_deref(), loaded.settings, bind)?;
    house.record(ChangeKind::Started, None).await;
    let gateway = house.gateway.clone();
    telemetry.join(&gateway);
    let serving = async {
        match bind {
            None => {
                over_streams(gateway.clone(), bytes_max).await;
                Ok(())
            }
            Some(address) => {
                let listener = bound(address).await?;
                let endpoint = endpoint(gateway.clone(), house.access.clone(), &hosts);
                let endpoint = endpoint.with_bytes_max(bytes_max);
                let metrics = telemetry
                    .scraped()
                    .map(|scraped| telemetry::router(endpoint.clone(), gateway.clone(), scraped));
                let router = endpoint.router(PATH).merge(metrics.unwrap_or_default());
                over_http(listener, router, limits, err).await
            }
        }
    };
    let outcome = tokio::select! {
        outcome = serving => outcome,
        () = told_to_end() => Ok(()),
        never = reload::watch(&house, files, || load(args)) => match never {},
        never = run_file::keep(&house, bind) => match never {},
        never = telemetry.keep(&gateway) => match never {},
    };
    // What is sent last is how it was while it served.
    telemetry.look(&gateway).await;
    house.close().await;
    telemetry.end().await;
    outcome.map(|()| Exit::Ok)
}

async fn over_streams(gateway: Gateway, bytes_max: usize) {
    let lines = Lines::new(standard_input(), standard_output(), bytes_max, Noise::Report);
    let transport: Arc<dyn Transport> = Arc::new(lines);
    serve(transport, Arc::new(gateway), Principal::Local).await;
}

async fn bound(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        Failure::input(
            anyhow::Error::new(error).context(format!("failed to listen at `{address}`")),
        )
        .hint("another program may be there; choose another port")
    })
}

fn endpoint(gateway: Gateway, access: Access, http: &HttpSettings) -> HttpEndpoint {
    let guard = Guard::loopback()
        .with_hosts(http.allowed_hosts.clone())
        .with_origins(http.allowed_origins.clone());
    HttpEndpoint::new(Arc::new(gateway), access, guard)
}

async fn over_http(
    listener: TcpListener,
    router: Router,
    limits: LimitSettings,
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let local = listener.local_addr().map_err(Failure::input)?;
    let bounds = Bounds::default();
    let connections_max = limits.connections.unwrap_or(bounds.connections_max);
    writeln!(err, "serving at http://{local}{PATH}")?;
    listen(listener, router, Bounds { connections_max, ..bounds }).await;
    Ok(())
}

async fn told_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut interrupt), Ok(mut terminate)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
