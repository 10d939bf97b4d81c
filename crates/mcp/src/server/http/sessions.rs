//! Clients of the older era, each remembered from its `initialize` on.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use oncue_tools::{Cancel, Cancellation, Principal};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};

use crate::limits::{
    BACKLOG_MESSAGES_MAX, REQUESTS_IN_FLIGHT_MAX, SESSION_IDLE_TIME_MAX, SESSIONS_MAX,
    WRITES_WAITING_MAX,
};
use crate::peer::Pending;
use crate::server::session::{Known, SessionHandle};
use crate::server::{Change, Shared};
use crate::{Message, Notification, RequestId, RpcError, code};

/// The sessions by their ids. Lives as long as the endpoint.
pub(super) struct Sessions {
    service: Shared,
    table: Mutex<HashMap<Arc<str>, Arc<Session>>>,
}

/// One client of the older era.
pub(super) struct Session {
    id: Arc<str>,
    principal: Principal,
    pub(super) known: Arc<Known>,
    /// What the client was asked and has not answered.
    pub(super) pending: Arc<Pending>,
    state: Mutex<State>,
    /// Ends with the session.
    alive: watch::Sender<()>,
}

struct State {
    seen: Instant,
    /// Where what belongs to no request goes.
    stream: Option<mpsc::Sender<Message>>,
    /// What belongs to no request and found no stream.
    backlog: VecDeque<Message>,
    /// Requests that are worked on.
    working: HashMap<RequestId, Cancel>,
}

impl Sessions {
    pub(super) fn new(service: Shared) -> Self {
        Self { service, table: Mutex::default() }
    }

    /// Begins a session of `principal`.
    ///
    /// # Errors
    ///
    /// There are as many as there may be.
    pub(super) fn begin(&self, principal: Principal) -> Result<Arc<Session>, RpcError> {
        if self.count() >= SESSIONS_MAX {
            self.forget_idle();
        }
        let mut sessions = self.table();
        if sessions.len() >= SESSIONS_MAX {
            let why = format!("Busy: there are {SESSIONS_MAX} sessions; try again later");
            return Err(RpcError::new(code::BUSY, why));
        }
        let id: Arc<str> = uuid::Uuid::new_v4().simple().to_string().into();
        let (pending, withdrawn) = Pending::new();
        let state = State {
            seen: Instant::now(),
            stream: None,
            backlog: VecDeque::new(),
            working: HashMap::new(),
        };
        let session = Arc::new(Session {
            id: Arc::clone(&id),
            principal,
            known: Arc::default(),
            pending,
            state: Mutex::new(state),
            alive: watch::Sender::new(()),
        });
        tokio::spawn(withdraw(Arc::downgrade(&session), withdrawn));
        sessions.insert(id, Arc::clone(&session));
        Ok(session)
    }

    /// A session whose client has said who it is hears of changes from now on.
    pub(super) fn begun(&self, session: &Arc<Session>) {
        if let Some(caller) = session.known.caller() {
            let (changes, alive) = (self.service.changes(&caller), session.alive.subscribe());
            tokio::spawn(tell_changes(Arc::downgrade(session), alive, changes));
        }
    }

    /// Returns the session of this id, where it is one of `principal`; that of somebody else is as unknown as any.
    pub(super) fn find(&self, id: &str, principal: &Principal) -> Option<Arc<Session>> {
        let session = self.table().get(id).cloned()?;
        if session.principal != *principal {
            return None;
        }
        if session.is_idle() {
            self.forget(&session);
            return None;
        }
        session.state().seen = Instant::now();
        Some(session)
    }

    pub(super) fn end(&self, id: &str, principal: &Principal) -> bool {
        let session = self.find(id, principal);
        session.inspect(|session| self.forget(session)).is_some()
    }

    pub(super) fn end_all(&self) {
        let sessions: Vec<Arc<Session>> = self.table().values().cloned().collect();
        sessions.iter().for_each(|session| self.forget(session));
    }

    fn forget_idle(&self) {
        let sessions: Vec<Arc<Session>> = self.table().values().cloned().collect();
        sessions.iter().filter(|it| it.is_idle()).for_each(|session| self.forget(session));
    }

    fn forget(&self, session: &Arc<Session>) {
        let known = self.table().remove(&session.id);
        if known.is_some() {
            session.close();
            self.service.ended(&session.handle());
        }
    }

    pub(super) fn count(&self) -> usize {
        self.table().len()
    }

    fn table(&self) -> MutexGuard<'_, HashMap<Arc<str>, Arc<Session>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) const fn principal(&self) -> &Principal {
        &self.principal
    }

    pub(super) fn handle(self: &Arc<Self>) -> SessionHandle {
        let session = Arc::downgrade(self);
        SessionHandle::new(Arc::clone(&self.id), move |message| {
            if let Some(session) = session.upgrade() {
                session.tell(message);
            }
        })
    }

    /// Opens the stream for what belongs to no request; one that was open before ends.
    pub(super) fn listen(&self) -> mpsc::Receiver<Message> {
        let (to, messages) = mpsc::channel(WRITES_WAITING_MAX.max(BACKLOG_MESSAGES_MAX));
        let mut state = self.state();
        for message in state.backlog.drain(..) {
            // It was made long enough for all of them.
            let _ = to.try_send(message);
        }
        state.stream = Some(to);
        messages
    }

    /// Begins to work on a request.
    ///
    /// # Errors
    ///
    /// Its id belongs to one that is not answered yet, or as many are worked on as may be.
    pub(super) fn begin(&self, id: &RequestId) -> Result<Cancel, RpcError> {
        let mut state = self.state();
        if state.working.contains_key(id) {
            let why = format!(
                "Invalid request: the id {id} belongs to a request that is not answered yet"
            );
            return Err(RpcError::invalid_request(why));
        }
        if state.working.len() >= REQUESTS_IN_FLIGHT_MAX {
            let why = format!(
                "Busy: {REQUESTS_IN_FLIGHT_MAX} requests are being worked on; send it again later"
            );
            return Err(RpcError::new(code::BUSY, why));
        }
        let cancel = Cancel::default();
        state.working.insert(id.clone(), cancel.clone());
        Ok(cancel)
    }

    /// Frees the id of a request; false where the client has taken it back.
    pub(super) fn finish(&self, id: &RequestId, cancel: &Cancel) -> bool {
        let mut state = self.state();
        cancel.reason().is_none() && state.working.remove(id).is_some()
    }

    /// Takes a request back, as the client wants.
    pub(super) fn take_back(&self, id: &RequestId) {
        if let Some(cancel) = self.state().working.remove(id) {
            cancel.fire(Cancellation::Withdrawn);
        }
    }

    fn tell(&self, message: Message) {
        let mut state = self.state();
        let message = match &state.stream {
            Some(stream) => match stream.try_send(message) {
                Ok(()) => return,
                Err(error) => error.into_inner(),
            },
            None => message,
        };
        // A client that never listens, or has stopped to read, keeps the newest.
        if state.backlog.len() >= BACKLOG_MESSAGES_MAX {
            state.backlog.pop_front();
        }
        state.backlog.push_back(message);
    }

    fn is_idle(&self) -> bool {
        let state = self.state();
        state.working.is_empty() && state.seen.elapsed() >= SESSION_IDLE_TIME_MAX
    }

    fn close(&self) {
        let mut state = self.state();
        state.stream = None;
        for (_, cancel) in state.working.drain() {
            cancel.fire(Cancellation::Withdrawn);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the client which of our requests nobody waits for any more.
async fn withdraw(session: std::sync::Weak<Session>, mut withdrawn: mpsc::UnboundedReceiver<u64>) {
    while let Some(id) = withdrawn.recv().await {
        let Some(session) = session.upgrade() else { return };
        let mut params = crate::Members::new();
        if params.set("requestId", &id).is_ok() {
            let told = Notification::new("notifications/cancelled", params.to_raw().ok());
            session.tell(Message::Notification(told));
        }
    }
}

/// Tells a session what changes, until it is over. Of single resources the service tells those that have subscribed to them.
async fn tell_changes(
    session: std::sync::Weak<Session>,
    mut alive: watch::Receiver<()>,
    mut changes: broadcast::Receiver<Change>,
) {
    loop {
        let change = tokio::select! {
            change = changes.recv() => change,
            // Nothing is ever sent there.
            _ = alive.changed() => return,
        };
        let told = match change {
            Ok(change) => vec![change],
            Err(RecvError::Lagged(_)) => vec![Change::Tools, Change::Prompts, Change::Resources],
            Err(RecvError::Closed) => return,
        };
        let Some(session) = session.upgrade() else { return };
        for change in told.into_iter().filter(|it| !matches!(it, Change::Resource { .. })) {
            session.tell(Message::Notification(change.notification()));
        }
    }
}

#[cfg(test)]
mod tests;
