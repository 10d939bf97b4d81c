//! A gateway with all that stands around it: its folder, its door, its record.

use std::env;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use oncue_embed::KeptVectors;
use oncue_gateway::access::{Access, Policy, Tokens, may_bind};
use oncue_gateway::audit::{Audit, Change, ChangeKind, Entry, Event};
use oncue_gateway::catalog::Store;
use oncue_gateway::config::{Environment, Settings};
use oncue_gateway::outgoing;
use oncue_gateway::serve::{Gateway, Meanings};
use oncue_gateway::state::StateDir;
use oncue_gateway::upstream::Shared;
use oncue_gateway::watchdog::Watchdog;
use oncue_mcp::AboutClient;
use oncue_mcp::limits::UPSTREAM_MESSAGE_BYTES_MAX;
use oncue_tools::Principal;

use crate::failure::Failure;
use crate::models;

/// A gateway and what stands around it. Lives as long as the command.
pub(in crate::command::gateway) struct House {
    pub(in crate::command::gateway) gateway: Gateway,
    pub(super) access: Access,
    pub(super) state: StateDir,
    audit: Audit,
}

impl House {
    /// Opens the folder and the record, and starts the gateway, which may then be served at `bind`; within a runtime.
    ///
    /// # Errors
    ///
    /// There is no folder for state, tokens or record cannot be read, or the address is one that nobody may be served at.
    pub(in crate::command::gateway) fn open(
        state_dir: Option<&Path>,
        settings: Settings,
        bind: Option<SocketAddr>,
    ) -> Result<Self, Failure> {
        let http = outgoing::client().map_err(Failure::input)?;
        let environment = Environment::of_process();
        let state = StateDir::choose(state_dir, settings.state_dir.as_deref(), &environment);
        let state = state.and_then(|state| state.create().map(|()| state)).map_err(|error| {
            let hint = error.hint();
            Failure::input(error).hint(hint)
        })?;
        let tokens = Tokens::new(&state);
        let access = Access::new(policy(bind, &tokens)?, tokens);
        let audit = match settings.has_audit {
            false => Audit::off(),
            true => Audit::open(&state).map_err(Failure::input)?,
        };
        let limit = settings.limits.upstream_message_bytes;
        let shared = |news| Shared {
            http,
            about: AboutClient::able("oncue", env!("CARGO_PKG_VERSION")),
            environment,
            watchdog: watchdog(),
            message_bytes_max: limit.unwrap_or(UPSTREAM_MESSAGE_BYTES_MAX),
            news,
        };
        let store = Store::new(state.path().join("catalogs"));
        let meanings = meanings(&settings, &state)?;
        let (grants, record) = (access.clone(), audit.clone());
        let gateway = Gateway::start(settings, shared, Some(store), grants, record, meanings);
        Ok(Self { gateway, access, state, audit })
    }

    /// Records a change of the gateway itself.
    pub(super) async fn record(&self, kind: ChangeKind, detail: Option<String>) {
        self.record_of(kind, "gateway", detail).await;
    }

    /// Records a change of what `subject` names.
    pub(super) async fn record_of(&self, kind: ChangeKind, subject: &str, detail: Option<String>) {
        let change = Change { kind, subject: subject.to_owned(), detail };
        let event = Event::Change(change);
        let entry = Entry { at: SystemTime::now(), principal: Principal::Local, event };
        self.audit.record(entry).await;
    }

    /// Stops all upstreams and writes what is to be recorded.
    pub(in crate::command::gateway) async fn close(&self) {
        self.gateway.stop().await;
        self.record(ChangeKind::Stopped, None).await;
        self.audit.flush().await;
    }
}

fn policy(bind: Option<SocketAddr>, tokens: &Tokens) -> Result<Policy, Failure> {
    let Some(address) = bind else { return Ok(Policy::Local) };
    let has_tokens = tokens.are_there().map_err(Failure::input)?;
    may_bind(address, has_tokens).map_err(|refusal| {
        let hint = refusal.hint();
        Failure::input(refusal).hint(hint)
    })
}

/// The model of the settings, or the usual one if it is installed, and what was learnt with it.
fn meanings(settings: &Settings, state: &StateDir) -> Result<Meanings, Failure> {
    let encoder = models::encoder(settings.embedder.as_deref())?;
    let tuning = models::tuning(settings.tuning.as_deref(), encoder.as_ref())?.map(Arc::new);
    let Some(encoder) = encoder else { return Ok(Meanings::default()) };
    let store = Arc::new(KeptVectors::open(state.file(models::VECTORS_FILE)));
    Ok(Meanings { embedder: Some(Arc::new(encoder)), store, tuning })
}

fn watchdog() -> Watchdog {
    match env::current_exe().and_then(|program| Watchdog::start(&program)) {
        Ok(watchdog) => watchdog,
        Err(error) => {
            tracing::warn!(%error, "there is no watchdog: what upstreams start may outlive a gateway that is killed");
            Watchdog::none()
        }
    }
}
