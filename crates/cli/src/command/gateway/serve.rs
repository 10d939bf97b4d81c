//! `oncue serve`: one endpoint in front of every MCP server.

use std::env;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncue_gateway::catalog::Store;
use oncue_gateway::config::{Context, Environment, Loaded, Settings};
use oncue_gateway::outgoing;
use oncue_gateway::serve::{Gateway, Local};
use oncue_gateway::upstream::Shared;
use oncue_gateway::watchdog::{self, Watchdog};
use oncue_mcp::limits::{CLIENT_MESSAGE_BYTES_MAX, UPSTREAM_MESSAGE_BYTES_MAX};
use oncue_mcp::server::{Admit, Guard, HttpEndpoint, Refusal, serve};
use oncue_mcp::{AboutClient, Lines, Noise, Transport};
use oncue_tools::Principal;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

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
    let told = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second subscriber in one process is that of a test.
    let _ = told.try_init();
    let loaded = load(args)?;
    for aside in &loaded.set_aside {
        writeln!(err, "warning: `{}` is left out: {}", aside.name, aside.fault)?;
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(Failure::input)?;
    let outcome = runtime.block_on(work(args, loaded.settings, err));
    // A read of standard input cannot be called off.
    runtime.shutdown_background();
    outcome
}

/// Is a watchdog until its input ends.
pub(crate) fn watch() {
    watchdog::watch(std::io::stdin().lock());
}

fn load(args: &Serve) -> Result<Loaded, Failure> {
    let context = Context::of_process();
    let file = args.config.clone().or_else(|| context.usual_file(&Environment::of_process()));
    let file = file.unwrap_or_else(|| PathBuf::from("oncue.toml"));
    let mut loaded = Loaded::read(&file, &context).map_err(|error| {
        let failure = Failure::input(error);
        match args.config {
            Some(_) => {
                failure.hint(format!("see what is wrong with `oncue check {}`", file.display()))
            }
            None => failure
                .hint("name the settings with `--config FILE`, or make them with `oncue import`"),
        }
    })?;
    if let Some(mode) = args.mode {
        loaded.settings.mode = mode.into();
    }
    Ok(loaded)
}

async fn work(args: &Serve, settings: Settings, err: &mut dyn Write) -> Result<Exit, Failure> {
    let bind = args.http.or(settings.http.bind);
    let http = outgoing::client().map_err(Failure::input)?;
    let watchdog = match env::current_exe().and_then(|program| Watchdog::start(&program)) {
        Ok(watchdog) => watchdog,
        Err(error) => {
            tracing::warn!(%error, "there is no watchdog: what upstreams start may outlive a gateway that is killed");
            Watchdog::none()
        }
    };
    let message_bytes_max =
        settings.limits.upstream_message_bytes.unwrap_or(UPSTREAM_MESSAGE_BYTES_MAX);
    let store = state_dir(args, &settings).map(|folder| Store::new(folder.join("catalogs")));
    let hosts = (settings.http.allowed_hosts.clone(), settings.http.allowed_origins.clone());
    let shared = |news| Shared {
        http,
        about: AboutClient::able("oncue", env!("CARGO_PKG_VERSION")),
        environment: Environment::of_process(),
        watchdog,
        message_bytes_max,
        news,
    };
    let gateway = Gateway::start(settings, shared, store, Local::default());
    let serving = async {
        match bind {
            None => {
                over_streams(gateway.clone()).await;
                Ok(())
            }
            Some(address) => over_http(address, gateway.clone(), hosts, err).await,
        }
    };
    let outcome = tokio::select! {
        outcome = serving => outcome,
        () = told_to_end() => Ok(()),
    };
    gateway.stop().await;
    outcome.map(|()| Exit::Ok)
}

async fn over_streams(gateway: Gateway) {
    let lines = Lines::new(
        tokio::io::stdin(),
        tokio::io::stdout(),
        CLIENT_MESSAGE_BYTES_MAX,
        Noise::Report,
    );
    let transport: Arc<dyn Transport> = Arc::new(lines);
    serve(transport, Arc::new(gateway), Principal::Local).await;
}

async fn over_http(
    address: SocketAddr,
    gateway: Gateway,
    (hosts, origins): (Vec<String>, Vec<String>),
    err: &mut dyn Write,
) -> Result<(), Failure> {
    if !address.ip().is_loopback() {
        let error = anyhow::anyhow!(
            "`{address}` can be reached from outside, and nobody would be asked who they are"
        );
        return Err(Failure::input(error)
            .hint("serve at 127.0.0.1, or make tokens with `oncue token create NAME`"));
    }
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Failure::input(
            anyhow::Error::new(error).context(format!("failed to listen at `{address}`")),
        )
        .hint("another program may be there; choose another port")
    })?;
    let local = listener.local_addr().map_err(Failure::input)?;
    let guard = Guard::loopback().with_hosts(hosts).with_origins(origins);
    let endpoint = HttpEndpoint::new(Arc::new(gateway), LocalUser, guard);
    writeln!(err, "serving at http://{local}{PATH}")?;
    axum::serve(listener, endpoint.router(PATH)).await.map_err(Failure::input)
}

/// Whoever reaches this machine's own address is its user.
struct LocalUser;

impl Admit for LocalUser {
    fn admit(&self, _: &axum::http::request::Parts) -> Result<Principal, Refusal> {
        Ok(Principal::Local)
    }
}

/// Returns where state is kept, where there is such a place.
fn state_dir(args: &Serve, settings: &Settings) -> Option<PathBuf> {
    let usual = || {
        let base = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
        let base = base.or_else(|| Some(env::home_dir()?.join(Path::new(".local/state"))))?;
        Some(base.join("oncue"))
    };
    args.state_dir.clone().or_else(|| settings.state_dir.clone()).or_else(usual)
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
