//! Upstreams, catalog and clients under one roof.

mod install;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::time::Duration;

use arc_swap::ArcSwap;
use oncue_mcp::Members;
use oncue_mcp::server::{Caller, Change, Context};
use oncue_tools::{
    Catalog, Embedder, Grants, Indexing, NameRules, NoStore, Options, Principal, Tuning,
    VectorStore,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, mpsc, watch};
use tokio::task::JoinSet;

use super::gone::Gone;
use super::keeper::Keeper;
use super::kept::Kept;
use super::offers::{self, Part};
use super::parking::Parking;
use super::repeats::Repeats;
use super::requests::Requests;
use super::seal::Seal;
use super::sessions::Sessions;
use super::tokens::Tokens;
use super::watches::Watches;
use super::{modes, searchable};
use crate::access::Access;
use crate::audit::Audit;
use crate::catalog::{Known, Store};
use crate::config::{Diff, Settings, UpstreamId};
use crate::limits::{CALLS_MAX, CALLS_PER_PRINCIPAL_MAX, CHANGES_WAITING_MAX};
use crate::telemetry::{OfGateway, Propagation, TraceParent};
use crate::upstream::{News, Phase, Shared, Upstream};

/// Says what a principal may do.
pub trait GrantsOf: Send + Sync + 'static {
    /// Returns the grants of `principal` under these settings.
    fn grants(&self, principal: &Principal, settings: &Arc<Settings>) -> Arc<Grants>;
}

/// The grants of a program that serves its own user alone: everything for the local principal, and nothing for others.
#[derive(Debug)]
pub struct Local {
    all: Arc<Grants>,
}

impl Default for Local {
    fn default() -> Self {
        Self { all: Arc::new(Grants::all()) }
    }
}

impl GrantsOf for Local {
    fn grants(&self, principal: &Principal, _: &Arc<Settings>) -> Arc<Grants> {
        match principal {
            Principal::Local => Arc::clone(&self.all),
            Principal::External { name, scope } => {
                Arc::new(Grants::external(name.clone(), *scope).with_upstreams([]))
            }
        }
    }
}

impl GrantsOf for Access {
    fn grants(&self, principal: &Principal, settings: &Arc<Settings>) -> Arc<Grants> {
        Self::grants(self, principal, settings)
    }
}

/// One endpoint in front of many MCP servers. Clones are the same gateway; it ends soon after the last of them, with all that it has started.
#[derive(Clone)]
pub struct Gateway {
    inner: Arc<Inner>,
}

/// A gateway for those that work for it and do not keep it alive.
pub(super) struct WeakGateway(Weak<Inner>);

impl WeakGateway {
    pub(super) fn upgrade(&self) -> Option<Gateway> {
        self.0.upgrade().map(|inner| Gateway { inner })
    }
}

struct Inner {
    shared: Shared,
    settings: ArcSwap<Settings>,
    upstreams: ArcSwap<HashMap<Box<str>, Arc<Upstream>>>,
    catalog: Catalog,
    known: RwLock<HashMap<UpstreamId, Arc<Offer>>>,
    /// Held while what an upstream offers is taken into the catalog.
    installing: Mutex<()>,
    store: Option<Store>,
    /// Held while something is written to the store.
    writing: Mutex<()>,
    /// What is being written to the store, or will be.
    keeping: Mutex<JoinSet<()>>,
    changes: broadcast::Sender<Change>,
    access: Box<dyn GrantsOf>,
    audit: Audit,
    repeats: Repeats,
    requests: Requests,
    sessions: Sessions,
    watches: Watches,
    parking: Parking,
    seal: Seal,
    calls: Arc<Semaphore>,
    /// How many calls may run at once.
    calls_max: usize,
    by_principal: Mutex<HashMap<Principal, Arc<Semaphore>>>,
    keeper: mpsc::UnboundedSender<UpstreamId>,
    /// Told of every change of the catalog.
    changed: watch::Sender<()>,
    gone: Gone,
    kept: Kept,
    counts: OfGateway,
    tokens: Tokens,
    propagation: OnceLock<Box<dyn Propagation>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Outside of a runtime nothing of it runs any more.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        for upstream in self.upstreams.load().values() {
            let upstream = Arc::clone(upstream);
            runtime.spawn(async move { upstream.stop().await });
        }
    }
}

/// What an upstream offers, and what of it cannot be used.
pub(super) struct Offer {
    pub(super) known: Known,
    set_aside: Vec<String>,
}

/// How an upstream is doing.
#[derive(Clone, Debug)]
pub struct UpstreamStatus {
    /// Which.
    pub id: UpstreamId,
    /// What it is doing; nothing where the settings leave it out.
    pub phase: Option<Phase>,
    /// How many tools of it can be used.
    pub tools: usize,
    /// Those that cannot, each with its reason.
    pub set_aside: Vec<String>,
    /// When its lists were read, in milliseconds since 1970; nothing where they never were.
    pub read_ms: Option<u64>,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// What its process wrote last on its standard error.
    pub stderr: Vec<String>,
    /// Calls that were made of it.
    pub calls: u64,
    /// Those that gave no result.
    pub failed: u64,
}

/// A call that is counted among those that run.
pub(super) struct Turn {
    _all: OwnedSemaphorePermit,
    _own: OwnedSemaphorePermit,
}

/// What tells what tools and queries mean, and what remembers it; by default nothing does, and search goes by words.
pub struct Meanings {
    /// The model.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What it has told of tools.
    pub store: Arc<dyn VectorStore>,
    /// What requests have taught of tools.
    pub tuning: Option<Arc<Tuning>>,
}

impl Default for Meanings {
    fn default() -> Self {
        Self { embedder: None, store: Arc::new(NoStore), tuning: None }
    }
}

impl Gateway {
    /// A gateway of these settings; to be called within a runtime. What is known of upstreams from earlier is served at once.
    #[must_use]
    pub fn start(
        settings: Settings,
        shared: impl FnOnce(mpsc::UnboundedSender<(UpstreamId, News)>) -> Shared,
        store: Option<Store>,
        access: impl GrantsOf,
        audit: Audit,
        meanings: Meanings,
    ) -> Self {
        let (news, arrives) = mpsc::unbounded_channel();
        let (keeper, wishes) = mpsc::unbounded_channel();
        let names = NameRules::DEFAULT.with_chars_max(settings.name_chars);
        let catalog = Catalog::with_options(Options {
            names,
            indexing: Indexing::WithSearch,
            embedder: meanings.embedder,
            tuning: meanings.tuning,
            ..Options::default()
        });
        let calls = settings.limits.calls.unwrap_or(CALLS_MAX);
        let inner = Inner {
            shared: shared(news),
            settings: ArcSwap::from_pointee(Settings::default()),
            upstreams: ArcSwap::default(),
            catalog,
            known: RwLock::default(),
            installing: Mutex::default(),
            store,
            writing: Mutex::default(),
            keeping: Mutex::default(),
            changes: broadcast::channel(CHANGES_WAITING_MAX).0,
            access: Box::new(access),
            audit,
            repeats: Repeats::default(),
            requests: settings.requests.as_deref().map_or_else(Requests::default, Requests::to),
            sessions: Sessions::default(),
            watches: Watches::default(),
            parking: Parking::default(),
            seal: Seal::new(),
            calls: Arc::new(Semaphore::new(calls)),
            calls_max: calls,
            by_principal: Mutex::default(),
            keeper,
            changed: watch::Sender::default(),
            gone: Gone::default(),
            kept: Kept::default(),
            counts: OfGateway::new(),
            tokens: Tokens::default(),
            propagation: OnceLock::new(),
        };
        let gateway = Self { inner: Arc::new(inner) };
        let changed = gateway.changed();
        gateway.apply(settings);
        let weak = || WeakGateway(Arc::downgrade(&gateway.inner));
        tokio::spawn(Keeper::new(weak()).run(arrives, wishes));
        tokio::spawn(searchable::keep(weak(), changed, meanings.store));
        gateway
    }

    /// Takes other settings: what has not changed is not disturbed.
    pub fn apply(&self, settings: Settings) -> Diff {
        let before = self.settings();
        let diff = Diff::new(&before, &settings);
        let old = self.inner.upstreams.load_full();
        let mut upstreams = HashMap::new();
        for upstream in &settings.upstreams {
            let id: Box<str> = upstream.id.as_str().into();
            let stays = old.get(&id).filter(|known| known.settings() == upstream);
            let upstream = stays.cloned().unwrap_or_else(|| {
                let limits = settings.limits.calls_per_upstream;
                Arc::new(Upstream::new(
                    upstream.clone(),
                    settings.timeouts,
                    limits,
                    self.inner.shared.clone(),
                ))
            });
            upstreams.insert(id, upstream);
        }
        let gone: Vec<Arc<Upstream>> = old
            .iter()
            .filter(|(id, known)| !upstreams.get(*id).is_some_and(|it| Arc::ptr_eq(it, known)))
            .map(|(_, known)| Arc::clone(known))
            .collect();
        self.inner.upstreams.store(Arc::new(upstreams));
        self.inner.settings.store(Arc::new(settings));
        for id in &diff.removed {
            self.take_out(id);
        }
        for id in diff.added.iter().chain(&diff.restarted).chain(&diff.adjusted) {
            self.take_up(id);
        }
        if !gone.is_empty() {
            tokio::spawn(async move {
                for upstream in gone {
                    upstream.stop().await;
                }
            });
        }
        if !diff.is_empty() {
            self.tell_changes();
        }
        diff
    }

    /// Stops all upstreams, with all that they have started.
    pub async fn stop(&self) {
        let upstreams = self.inner.upstreams.load_full();
        let stopping = upstreams.values().map(|upstream| upstream.stop());
        futures_util::future::join_all(stopping).await;
        // What was learnt last is not lost.
        let keeping = std::mem::take(&mut *self.keeping());
        keeping.join_all().await;
    }

    /// Returns how each upstream is doing, in the order of the settings.
    #[must_use]
    pub fn status(&self) -> Vec<UpstreamStatus> {
        use std::sync::atomic::Ordering::Relaxed;
        let (settings, snapshot) = (self.settings(), self.inner.catalog.snapshot());
        let of = |settings: &crate::config::Upstream| {
            let id = settings.id.clone();
            let upstream = self.upstream(id.as_str());
            let offer = self.offer(&id);
            UpstreamStatus {
                phase: upstream.as_ref().filter(|_| settings.is_enabled).map(|it| it.phase()),
                tools: snapshot.tools_of(id.as_str()).len(),
                set_aside: offer.as_ref().map(|it| it.set_aside.clone()).unwrap_or_default(),
                read_ms: offer.as_ref().map(|it| it.known.read_ms),
                last_error: upstream.as_ref().and_then(|it| it.last_error()),
                stderr: upstream.as_ref().map(|it| it.stderr(10)).unwrap_or_default(),
                calls: upstream.as_ref().map_or(0, |it| it.made.load(Relaxed)),
                failed: upstream.as_ref().map_or(0, |it| it.failed.load(Relaxed)),
                id,
            }
        };
        settings.upstreams.iter().map(of).collect()
    }

    /// Returns the settings that hold now.
    #[must_use]
    pub fn settings(&self) -> Arc<Settings> {
        self.inner.settings.load_full()
    }

    /// Returns the catalog.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.inner.catalog
    }

    /// Returns the upstream of this id.
    #[must_use]
    pub fn upstream(&self, id: &str) -> Option<Arc<Upstream>> {
        self.inner.upstreams.load().get(id).cloned()
    }

    /// Returns once the lists of every upstream were read or could not be; those that are known are not read anew.
    pub async fn settled(&self) {
        let ids: Vec<UpstreamId> = self
            .settings()
            .upstreams
            .iter()
            .filter(|it| it.is_enabled)
            .map(|it| it.id.clone())
            .collect();
        for id in ids {
            let is_open = || {
                let is_known = self.offer(&id).is_some();
                let has_failed =
                    self.upstream(id.as_str()).is_none_or(|it| it.last_error().is_some());
                !is_known && !has_failed
            };
            while is_open() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    pub(super) fn grants(&self, principal: &Principal) -> Arc<Grants> {
        self.inner.access.grants(principal, &self.inner.settings.load())
    }

    pub(super) fn sessions(&self) -> &Sessions {
        &self.inner.sessions
    }

    pub(super) fn watches(&self) -> &Watches {
        &self.inner.watches
    }

    pub(super) fn parking(&self) -> &Parking {
        &self.inner.parking
    }

    pub(super) fn seal(&self) -> &Seal {
        &self.inner.seal
    }

    /// Returns how many calls wait for a client to come back with answers.
    #[must_use]
    pub fn parked(&self) -> usize {
        self.inner.parking.count()
    }

    /// Returns how many calls run.
    #[must_use]
    pub fn running(&self) -> usize {
        self.inner.calls_max.saturating_sub(self.inner.calls.available_permits())
    }

    /// Returns how many sessions of clients of the older era there are.
    #[must_use]
    pub fn session_count(&self) -> usize {
        self.inner.sessions.count()
    }

    /// Says whether a principal may be told of all upstreams at once: nothing narrows its grants.
    #[must_use]
    pub fn may_watch(&self, principal: &Principal) -> bool {
        self.grants(principal).is_unrestricted()
    }

    /// Joins spans to the traces of clients and upstreams from now on; the first who does so stays.
    pub fn propagate(&self, propagation: impl Propagation) {
        // A second one would tear traces apart.
        let _ = self.inner.propagation.set(Box::new(propagation));
    }

    /// Makes a span a child of the one that the client names in its request, where anybody joins traces.
    pub(super) fn join(&self, span: &tracing::Span, params: &Members) {
        if span.is_disabled() {
            return;
        }
        if let Some(propagation) = self.inner.propagation.get()
            && let Some(parent) = TraceParent::of(params)
        {
            propagation.join(span, &parent);
        }
    }

    /// Returns what names the span that runs to an upstream, where anybody joins traces.
    pub(super) fn carried(&self) -> Option<TraceParent> {
        let propagation = self.inner.propagation.get()?;
        propagation.carry(&tracing::Span::current())
    }

    pub(super) fn counts(&self) -> &OfGateway {
        &self.inner.counts
    }

    pub(super) fn tokens(&self) -> &Tokens {
        &self.inner.tokens
    }

    pub(super) fn requests(&self) -> &Requests {
        &self.inner.requests
    }

    pub(super) fn repeats(&self) -> &Repeats {
        &self.inner.repeats
    }

    pub(super) fn listen(&self) -> broadcast::Receiver<Change> {
        self.inner.changes.subscribe()
    }

    /// Counts a call among those that run; nothing where as many run as may.
    pub(super) fn admit(&self, principal: &Principal) -> Option<Turn> {
        let all = Arc::clone(&self.inner.calls).try_acquire_owned().ok()?;
        let own = {
            let mut by = self.inner.by_principal.lock().unwrap_or_else(PoisonError::into_inner);
            let max = self.inner.settings.load().limits.calls_per_principal;
            let new = || Arc::new(Semaphore::new(max.unwrap_or(CALLS_PER_PRINCIPAL_MAX)));
            Arc::clone(by.entry(principal.clone()).or_insert_with(new))
        };
        Some(Turn { _all: all, _own: own.try_acquire_owned().ok()? })
    }

    /// Calls `with` with what the upstreams offer that the client may reach.
    pub(super) fn with_parts<T>(
        &self,
        context: &Context,
        with: impl FnOnce(&[Part<'_>]) -> T,
    ) -> T {
        self.with_parts_of(&context.caller.principal, with)
    }

    /// Calls `with` with what the upstreams offer that `principal` may reach.
    pub(super) fn with_parts_of<T>(
        &self,
        principal: &Principal,
        with: impl FnOnce(&[Part<'_>]) -> T,
    ) -> T {
        let grants = self.grants(principal);
        let settings = self.settings();
        let known = self.inner.known.read().unwrap_or_else(PoisonError::into_inner);
        let parts: Vec<Part<'_>> = settings
            .upstreams
            .iter()
            .filter(|upstream| upstream.is_enabled && grants.may_reach(upstream.id.as_str()))
            .filter_map(|upstream| {
                let offer = known.get(&upstream.id)?;
                Some(Part {
                    id: &upstream.id,
                    known: &offer.known,
                    is_namespaced: upstream.is_namespaced,
                })
            })
            .collect();
        with(&parts)
    }

    pub(super) fn offer(&self, id: &UpstreamId) -> Option<Arc<Offer>> {
        self.inner.known.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    pub(super) fn tell_changes(&self) {
        for change in [Change::Tools, Change::Prompts, Change::Resources] {
            // Nobody may listen.
            let _ = self.inner.changes.send(change);
        }
    }

    /// A resource of an upstream has changed, which clients may know by another address.
    pub(super) fn tell_resource(&self, id: &UpstreamId, uri: String) {
        for uri in [offers::address(id, &uri), uri] {
            self.inner.sessions.tell_resource(&uri);
            // Nobody may listen.
            let _ = self.inner.changes.send(Change::Resource { uri });
        }
    }

    /// A client has begun a session.
    pub(super) fn on_client(&self, caller: &Caller) {
        let name = caller.client.name.as_deref().unwrap_or("a client without a name");
        let row = modes::client(name);
        tracing::info!(client = name, version = ?caller.client.version, "a client has connected");
        if row.is_some_and(|row| row.defers)
            && self.settings().mode == crate::config::Mode::Passthrough
        {
            tracing::warn!(
                client = name,
                "this client keeps tools out of sight by itself; with `mode = \"passthrough\"` both do"
            );
        }
    }

    /// Returns what is told of every change of the catalog.
    pub(super) fn changed(&self) -> watch::Receiver<()> {
        self.inner.changed.subscribe()
    }

    /// Returns the tools that were there and are not any more.
    pub(super) fn gone(&self) -> &Gone {
        &self.inner.gone
    }

    /// Returns the long results that are kept.
    pub(super) fn kept(&self) -> &Kept {
        &self.inner.kept
    }

    pub(super) fn audit(&self) -> &Audit {
        &self.inner.audit
    }

    pub(super) fn upstreams(&self) -> Vec<Arc<Upstream>> {
        self.inner.upstreams.load().values().cloned().collect()
    }
}
