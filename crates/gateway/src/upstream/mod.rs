//! One MCP server behind the gateway: started when it is needed, stopped when it is not, asked by one way for all.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Upstream`]: links, calls, stops |
//! | `life` | when it may be started ([`Life`]) |
//! | `link` | the way to it ([`Link`]) |
//! | `listening` | an upstream of the newer era is listened to |
//! | `level` | how severe a message is ([`Level`]) |
//! | `asks` | what it asks of the client behind a call, and what it tells |
//! | `fault` | what goes wrong with it ([`UpstreamError`]) |

mod asks;
mod fault;
mod level;
mod life;
mod link;
mod listening;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oncue_mcp::http::Mirror;
use oncue_mcp::{
    AboutClient, CallError, Era, Expect, Listener, META_LEVEL, Members, Patience, Raw,
};
use oncue_tools::Principal;
use tokio::sync::{Semaphore, mpsc};
use tracing::{Instrument as _, Span};

use asks::Running;
pub use asks::{Answerer, Asks, News, Turn};
pub use fault::UpstreamError;
pub use level::Level;
pub use life::{Life, NotNow, Phase};
pub use link::Link;

use crate::config::{self, Environment, Timeouts};
use crate::limits::{
    AFTER_CALL_TIME, CALL_TIME_DEFAULT, CALL_TIME_TOTAL_MAX, CALLS_PER_UPSTREAM_MAX,
    EXAMINE_TIME_MAX, IDLE_TIME_DEFAULT, START_TIME_DEFAULT,
};
use crate::telemetry::{self, OfUpstream};
use crate::watchdog::Watchdog;
use link::Opening;

/// One MCP server behind the gateway. Lives as long as it is configured; shared by all that use it.
pub struct Upstream {
    settings: config::Upstream,
    times: Times,
    shared: Shared,
    state: Mutex<State>,
    /// The ways to it by who uses them.
    slots: Mutex<HashMap<Key, Arc<Slot>>>,
    /// The arguments of its tools that are said in headers too.
    mirrors: Mutex<HashMap<String, Vec<Mirror>>>,
    calls: Arc<Semaphore>,
    calls_max: usize,
    /// How many calls were made of it.
    pub(crate) made: AtomicU64,
    /// How many of them gave no result.
    pub(crate) failed: AtomicU64,
    counts: OfUpstream,
}

/// What all upstreams share.
#[derive(Clone)]
pub struct Shared {
    /// Makes requests to servers behind HTTP; follows no redirects.
    pub http: reqwest::Client,
    /// What the gateway says of itself.
    pub about: AboutClient,
    /// Where variables are looked up when an upstream is started.
    pub environment: Environment,
    /// Kills what is left if the gateway dies.
    pub watchdog: Watchdog,
    /// Longest message that is taken from an upstream, in bytes.
    pub message_bytes_max: usize,
    /// Where news of upstreams go, each with the id of its upstream.
    pub news: mpsc::UnboundedSender<(config::UpstreamId, News)>,
}

#[derive(Clone, Copy)]
struct Times {
    call: Duration,
    start: Duration,
    idle: Duration,
}

/// Who uses a way.
///
/// A process is one for all. A server behind HTTP may keep state for each of its sessions, so every principal has its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    All,
    One(Principal),
}

/// One way, or the place where it will be. The lock makes starts one at a time.
#[derive(Default)]
struct Slot {
    link: tokio::sync::Mutex<Option<Arc<Link>>>,
    /// The same without waiting.
    open: Mutex<Option<Arc<Link>>>,
}

struct State {
    life: Life,
    /// Which era it spoke last.
    era: Option<Era>,
    last_error: Option<String>,
    last_used: Instant,
}

impl Upstream {
    /// The upstream of these settings; nothing is started.
    #[must_use]
    pub fn new(
        settings: config::Upstream,
        all: Timeouts,
        calls_max: Option<usize>,
        shared: Shared,
    ) -> Self {
        let times = settings.timeouts.or(all);
        let calls_max = calls_max.unwrap_or(CALLS_PER_UPSTREAM_MAX);
        let counts = OfUpstream::new(settings.id.as_str());
        let state =
            State { life: Life::default(), era: None, last_error: None, last_used: Instant::now() };
        Self {
            settings,
            times: Times {
                call: times.call.unwrap_or(CALL_TIME_DEFAULT),
                start: times.start.unwrap_or(START_TIME_DEFAULT),
                idle: times.idle.unwrap_or(IDLE_TIME_DEFAULT),
            },
            shared,
            state: Mutex::new(state),
            slots: Mutex::default(),
            mirrors: Mutex::default(),
            calls: Arc::new(Semaphore::new(calls_max)),
            calls_max,
            made: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            counts,
        }
    }

    pub(crate) const fn counts(&self) -> &OfUpstream {
        &self.counts
    }

    /// Returns its settings.
    #[must_use]
    pub const fn settings(&self) -> &config::Upstream {
        &self.settings
    }

    /// Returns the ways to it that are open.
    fn links(&self) -> Vec<Arc<Link>> {
        self.slots().values().filter_map(|slot| slot.peek()).collect()
    }

    /// Says whether there is a way to it now.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.links().is_empty()
    }

    /// Says whether its list of tools may be about to change: it was called a moment ago, and tells of changes.
    #[must_use]
    pub fn may_list_more(&self) -> bool {
        let was_called = self.made.load(Ordering::Relaxed) > 0
            && self.state().last_used.elapsed() < AFTER_CALL_TIME;
        let tells = |link: &Arc<Link>| link.connection.server().can_within("tools", "listChanged");
        was_called && self.links().iter().any(tells)
    }

    /// Returns what it is doing.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state().life.phase()
    }

    /// Returns what went wrong last, where nothing has gone well since.
    #[must_use]
    pub fn last_error(&self) -> Option<String> {
        self.state().last_error.clone()
    }

    /// Returns what its process wrote last on its standard error.
    #[must_use]
    pub fn stderr(&self, lines: usize) -> Vec<String> {
        let slots = self.slots();
        let open = slots.values().find_map(|slot| slot.peek());
        open.map_or_else(Vec::new, |link| link.stderr(lines))
    }

    /// Takes the era that it spoke when it was last met.
    pub fn expect(&self, era: Era) {
        self.state().era.get_or_insert(era);
    }

    /// Takes which arguments of its tools are said in headers too.
    pub fn mirror(&self, tools: HashMap<String, Vec<Mirror>>) {
        for link in self.links() {
            link.connection.peer().transport().mirror(tools.clone());
        }
        *self.mirrors.lock().unwrap_or_else(PoisonError::into_inner) = tools;
    }

    /// Begins to hear of changes of a resource, or no longer does.
    ///
    /// # Errors
    ///
    /// It cannot be asked, or refuses.
    pub async fn subscribe(
        self: &Arc<Self>,
        principal: &Principal,
        uri: &str,
        is_wanted: bool,
    ) -> Result<(), UpstreamError> {
        let link = self.link(principal).await?;
        if link.connection.version().era() == Era::Stateless {
            link.listening.follow(uri, is_wanted);
            return Ok(());
        }
        let method = if is_wanted { "resources/subscribe" } else { "resources/unsubscribe" };
        let mut params = Members::new();
        let unwritable = |error: serde_json::Error| CallError::Unwritable(error.to_string());
        params.set("uri", &uri).map_err(unwritable).map_err(UpstreamError::Call)?;
        self.call(principal, method, params, None, None).await.map(drop)
    }

    /// Returns a way to it for `principal`, and starts it where it must be.
    ///
    /// However many want it, it is started once; whoever waits and goes away stops nothing.
    ///
    /// # Errors
    ///
    /// It cannot be started, or not now.
    pub async fn link(self: &Arc<Self>, principal: &Principal) -> Result<Arc<Link>, UpstreamError> {
        if !self.settings.is_enabled {
            return Err(UpstreamError::Disabled);
        }
        let slot = self.slot(principal);
        if let Some(link) = slot.peek() {
            return Ok(link);
        }
        let upstream = Arc::clone(self);
        let start = async move {
            let mut place = slot.link.lock().await;
            if let Some(link) = slot.peek() {
                return Ok(link);
            }
            let span =
                telemetry::opening(upstream.settings.id.as_str(), &upstream.settings.transport);
            let link = upstream.open().instrument(span.clone()).await.map(Arc::new);
            if let Err(error) = &link {
                telemetry::failed(&span, &telemetry::kind_of(error));
            }
            drop(span);
            if let Ok(link) = &link {
                *place = Some(Arc::clone(link));
                slot.put(Some(Arc::clone(link)));
                tokio::spawn(upstream.follow(Arc::clone(&slot), Arc::clone(link)));
            }
            link
        };
        // It is part of the request that wants it, even where that has gone away.
        let starting = tokio::spawn(start.instrument(Span::current()));
        starting.await.unwrap_or_else(|error| Err(UpstreamError::Setup(error.to_string())))
    }

    /// Calls `method` of it, as long as its settings allow. An answerer is asked only where there is a listener too.
    ///
    /// # Errors
    ///
    /// It cannot be started, is busy, or gives no answer.
    pub async fn call(
        self: &Arc<Self>,
        principal: &Principal,
        method: &str,
        params: Members,
        listener: Option<Listener>,
        answerer: Option<Arc<dyn Answerer>>,
    ) -> Result<Raw, UpstreamError> {
        let patience =
            Patience { quiet: self.times.call, total: CALL_TIME_TOTAL_MAX.max(self.times.call) };
        let busy = || UpstreamError::Busy { calls_max: self.calls_max };
        // Over the limit a call waits for its turn, as long as it may take.
        let turn =
            tokio::time::timeout(self.times.call, Arc::clone(&self.calls).acquire_owned()).await;
        let turn = Turn::new(turn.map_err(|_| busy())?.map_err(|_| busy())?);
        self.made.fetch_add(1, Ordering::Relaxed);
        let outcome = async {
            let asked = (method, &params, patience);
            let heard = || (listener.clone(), answerer.clone());
            let link = self.link(principal).await?;
            let answer = self.ask(&link, asked, &turn, heard()).await;
            match answer {
                // It has done nothing, so that it can be asked again, once, in a new session.
                Err(error) if error.is_of_session() => {
                    self.renew(principal, &link).await;
                    let link = self.link(principal).await?;
                    self.ask(&link, asked, &turn, heard()).await
                }
                answer => answer,
            }
        };
        let outcome = outcome.await;
        let mut state = self.state();
        state.last_used = Instant::now();
        match &outcome {
            Ok(_) | Err(UpstreamError::Call(CallError::Rpc(_))) => state.last_error = None,
            Err(error) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
                state.last_error = Some(error.to_string());
            }
        }
        outcome
    }

    /// Asks once, and stops a way by which nothing comes any more.
    async fn ask(
        &self,
        link: &Arc<Link>,
        (method, params, patience): (&str, &Members, Patience),
        turn: &Turn,
        (listener, answerer): (Option<Listener>, Option<Arc<dyn Answerer>>),
    ) -> Result<Raw, UpstreamError> {
        self.state().last_used = Instant::now();
        let meta = Members::of(params.get("_meta")).unwrap_or_default();
        if let Some(level) = meta.read::<String>(META_LEVEL).and_then(|it| Level::parse(&it)) {
            link.want(level).await;
        }
        let running = answerer
            .zip(listener.clone())
            .map(|(it, listener)| link.asks.begin(it, listener, turn.clone()));
        let answer = link.connection.call(method, params.clone(), patience, listener).await;
        let answer = answer.map_err(UpstreamError::Call);
        match &answer {
            Err(error) if error.is_of_session() => {}
            Err(error) if error.is_lost(link) => link.close().await,
            // What an older call still keeps busy is left in peace.
            Err(UpstreamError::Call(CallError::TimedOut { .. }))
                if !running.as_ref().is_some_and(Running::is_behind) =>
            {
                self.examine(Arc::clone(link));
            }
            _ => {}
        }
        answer
    }

    /// Lets go of a way whose session is over; that is no failure of the upstream.
    async fn renew(&self, principal: &Principal, link: &Arc<Link>) {
        let slot = self.slot(principal);
        if slot.peek_any().is_some_and(|open| Arc::ptr_eq(&open, link)) {
            slot.put(None);
        }
        link.close().await;
    }

    /// Asks an upstream that did not answer in time whether it is there at all; one that is not is stopped, and started again when it is needed.
    fn examine(&self, link: Arc<Link>) {
        let (time, id) = (self.times.call.min(EXAMINE_TIME_MAX), self.settings.id.clone());
        tokio::spawn(async move {
            let method = match link.connection.version().era() {
                Era::Sessions => "ping",
                Era::Stateless => "server/discover",
            };
            let asking = link.connection.request(method, Members::new());
            // An error is an answer too.
            let is_there = match tokio::time::timeout(time, asking).await {
                Ok(Ok(_) | Err(CallError::Rpc(_))) => true,
                Ok(Err(_)) | Err(_) => false,
            };
            if !is_there {
                tracing::warn!(upstream = %id, "an upstream answers nothing any more and is stopped");
                link.close().await;
            }
        });
    }

    /// Stops it if nobody has used it for as long as its settings say, and says whether it did.
    pub async fn stop_if_idle(&self) -> bool {
        let is_idle = self.state().last_used.elapsed() >= self.times.idle;
        let links = self.links();
        let is_open = !links.is_empty();
        let is_busy = self.calls.available_permits() < self.calls_max
            || links.iter().any(|link| link.asks.running() > 0);
        if !is_idle || !is_open || is_busy {
            return false;
        }
        self.stop().await;
        true
    }

    /// Stops it, with all that it has started. It is started again when it is needed.
    pub async fn stop(&self) {
        let slots: Vec<Arc<Slot>> = self.slots().drain().map(|(_, slot)| slot).collect();
        for slot in slots {
            let link = slot.link.lock().await.take();
            slot.put(None);
            if let Some(link) = link {
                link.close().await;
                if let Some(group) = link.group() {
                    self.shared.watchdog.forget(group);
                }
            }
        }
        self.state().life.on_stop();
    }

    /// Lets it be tried again whatever has happened.
    pub fn forgive(&self) {
        self.state().life.forgive();
    }

    async fn open(&self) -> Result<Link, UpstreamError> {
        let (expect, last) = {
            let mut state = self.state();
            let last = state.last_error.clone().unwrap_or_default();
            // Several principals of one server share its life, and only the first of them starts it.
            if state.life.phase() != Phase::Up
                && let Err(not_now) = state.life.start(Instant::now())
            {
                return Err(refusal(not_now, last));
            }
            (state.era.map_or(Expect::Either, Expect::Probably), last)
        };
        drop(last);
        let launch = self.settings.launch(&self.shared.environment).map_err(UpstreamError::from);
        let (news, mut arrives) = mpsc::unbounded_channel();
        let opened = match launch {
            Err(error) => Err(error),
            Ok(launch) => {
                let opening = Opening {
                    http: &self.shared.http,
                    about: &self.shared.about,
                    expect,
                    time: self.times.start,
                    bytes_max: self.shared.message_bytes_max,
                    news: &news,
                    watchdog: &self.shared.watchdog,
                };
                let opening = Link::open(&launch, &opening);
                let late = |_| UpstreamError::Open {
                    error: oncue_mcp::OpenError::TimedOut {
                        method: "initialize",
                        seconds: self.times.start.as_secs(),
                    },
                    stderr: Vec::new(),
                };
                tokio::time::timeout(self.times.start, opening).await.map_err(late).flatten()
            }
        };
        self.counts.started(opened.is_ok());
        let mut state = self.state();
        match &opened {
            Ok(link) => {
                let mirrors = self.mirrors.lock().unwrap_or_else(PoisonError::into_inner).clone();
                link.connection.peer().transport().mirror(mirrors);
                state.life.on_up();
                state.era = Some(link.connection.version().era());
                state.last_error = None;
                state.last_used = Instant::now();
                let (id, to) = (self.settings.id.clone(), self.shared.news.clone());
                // With the gateway gone nobody wants to know.
                let _ = to.send((id.clone(), News::Started));
                tokio::spawn(async move {
                    while let Some(news) = arrives.recv().await {
                        if to.send((id.clone(), news)).is_err() {
                            return;
                        }
                    }
                });
            }
            Err(error) => {
                tracing::warn!(upstream = %self.settings.id, %error, "an upstream cannot be started");
                state.life.on_end(Instant::now(), fastrand::f64());
                state.last_error = Some(error.to_string());
            }
        }
        opened
    }

    /// Notes that a link has ended by itself.
    async fn follow(self: Arc<Self>, slot: Arc<Slot>, link: Arc<Link>) {
        link.connection.peer().closed().await;
        let is_ours = slot.peek_any().is_some_and(|open| Arc::ptr_eq(&open, &link));
        if !is_ours {
            return;
        }
        slot.put(None);
        let stderr = link.stderr(3);
        // What it started goes with it.
        link.close().await;
        if let Some(group) = link.group() {
            self.shared.watchdog.forget(group);
        }
        self.counts.ended();
        let mut state = self.state();
        state.life.on_end(Instant::now(), fastrand::f64());
        let mut error = "it ended by itself".to_owned();
        if !stderr.is_empty() {
            error = format!("{error}; its standard error ends: {}", stderr.join(" | "));
        }
        tracing::warn!(upstream = %self.settings.id, %error, "an upstream has ended");
        state.last_error = Some(error);
    }

    fn slot(&self, principal: &Principal) -> Arc<Slot> {
        let key = match &self.settings.transport {
            config::Transport::Stdio(_) => Key::All,
            config::Transport::Http(_) => Key::One(principal.clone()),
        };
        Arc::clone(self.slots().entry(key).or_default())
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<Key, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    /// Returns the way, where it is open.
    fn peek(&self) -> Option<Arc<Link>> {
        self.peek_any().filter(|link| !link.is_closed())
    }

    fn peek_any(&self) -> Option<Arc<Link>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, link: Option<Arc<Link>>) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = link;
    }
}

fn refusal(not_now: NotNow, last: String) -> UpstreamError {
    match not_now {
        NotNow::BackingOff { wait } => UpstreamError::BackingOff { wait, last },
        NotNow::Broken { wait, ends } => UpstreamError::Broken { wait, ends, last },
    }
}
