//! `oncue serve`: one endpoint in front of every MCP server.

use std::env;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use oncue_gateway::access::{Access, Policy, Tokens, may_bind};
use oncue_gateway::audit::{Audit, Change, ChangeKind, Entry, Event};
use oncue_gateway::catalog::Store;
use oncue_gateway::config::{Context, Environment, Loaded, Settings};
use oncue_gateway::outgoing;
use oncue_gateway::serve::Gateway;
use oncue_gateway::state::StateDir;
use oncue_gateway::upstream::Shared;
use oncue_gateway::watchdog::{self, Watchdog};
use oncue_mcp::limits::{CLIENT_MESSAGE_BYTES_MAX, UPSTREAM_MESSAGE_BYTES_MAX};
use oncue_mcp::server::{Guard, HttpEndpoint, serve};
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
    let place = (args.state_dir.as_deref(), settings.state_dir.as_deref());
    let state = StateDir::choose(place.0, place.1, &Environment::of_process());
    let state = state.and_then(|state| state.create().map(|()| state));
    let state = state.map_err(|error| {
        let hint = error.hint();
        Failure::input(error).hint(hint)
    })?;
    let store = Store::new(state.path().join("catalogs"));
    let tokens = Tokens::new(&state);
    let policy = match bind {
        None => Policy::Local,
        Some(address) => {
            let has_tokens = tokens.are_there().map_err(Failure::input)?;
            may_bind(address, has_tokens).map_err(|refusal| {
                let hint = refusal.hint();
                Failure::input(refusal).hint(hint)
            })?
        }
    };
    let access = Access::new(policy, tokens);
    let audit = match settings.has_audit {
        false => Audit::off(),
        true => Audit::open(&state).map_err(Failure::input)?,
    };
    let hosts = (settings.http.allowed_hosts.clone(), settings.http.allowed_origins.clone());
    let shared = |news| Shared {
        http,
        about: AboutClient::able("oncue", env!("CARGO_PKG_VERSION")),
        environment: Environment::of_process(),
        watchdog,
        message_bytes_max,
        news,
    };
    let gateway = Gateway::start(settings, shared, Some(store), access.clone(), audit.clone());
    audit.record(change(ChangeKind::Started)).await;
    let serving = async {
        match bind {
            None => {
                over_streams(gateway.clone()).await;
                Ok(())
            }
            Some(address) => over_http(address, gateway.clone(), access, hosts, err).await,
        }
    };
    let outcome = tokio::select! {
        outcome = serving => outcome,
        () = told_to_end() => Ok(()),
    };
    gateway.stop().await;
    audit.record(change(ChangeKind::Stopped)).await;
    audit.flush().await;
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
    access: Access,
    (hosts, origins): (Vec<String>, Vec<String>),
    err: &mut dyn Write,
) -> Result<(), Failure> {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Failure::input(
            anyhow::Error::new(error).context(format!("failed to listen at `{address}`")),
        )
        .hint("another program may be there; choose another port")
    })?;
    let local = listener.local_addr().map_err(Failure::input)?;
    let guard = Guard::loopback().with_hosts(hosts).with_origins(origins);
    let endpoint = HttpEndpoint::new(Arc::new(gateway), access, guard);
    writeln!(err, "serving at http://{local}{PATH}")?;
    axum::serve(listener, endpoint.router(PATH)).await.map_err(Failure::input)
}

/// Returns what is recorded of the gateway itself.
fn change(kind: ChangeKind) -> Entry {
    let change = Change { kind, subject: "gateway".to_owned(), detail: None };
    Entry { at: SystemTime::now(), principal: Principal::Local, event: Event::Change(change) }
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
