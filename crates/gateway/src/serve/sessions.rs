//! Sessions whose list grows: what a search found joins it, and the answer is held until the client has listed again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_mcp::server::{Change, SessionHandle};
use oncue_tools::{Entry, Identity};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::limits::{DYNAMIC_TOOLS_MAX, HOLD_TIME_MAX, SETTLE_TIME};
use crate::upstream::Level;

/// The sessions of the older era. Lives as long as the gateway.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Arc<Session>>>);

/// One session.
pub(super) struct Session {
    handle: SessionHandle,
    found: Mutex<VecDeque<Identity>>,
    /// How often it has listed.
    lists: watch::Sender<u64>,
    /// Resources that it wants to hear of.
    pub(super) subscribed: Mutex<HashSet<String>>,
    /// From which level on it wants to read messages.
    level: Mutex<Option<Level>>,
}

impl Sessions {
    pub(super) fn begin(&self, handle: &SessionHandle) {
        let session = Session {
            handle: handle.clone(),
            found: Mutex::default(),
            lists: watch::Sender::new(0),
            subscribed: Mutex::default(),
            level: Mutex::default(),
        };
        self.table().insert(handle.id().to_owned(), Arc::new(session));
    }

    pub(super) fn end(&self, handle: &SessionHandle) {
        self.table().remove(handle.id());
    }

    pub(super) fn find(&self, handle: Option<&SessionHandle>) -> Option<Arc<Session>> {
        self.table().get(handle?.id()).cloned()
    }

    /// Says whether any session wants to hear of a resource.
    pub(super) fn subscribed(&self, uri: &str) -> bool {
        self.table().values().any(|session| {
            session.subscribed.lock().unwrap_or_else(PoisonError::into_inner).contains(uri)
        })
    }

    /// Tells those that have subscribed to a resource that it has changed.
    pub(super) fn tell_resource(&self, uri: &str) {
        for session in self.table().values() {
            let subscribed = session.subscribed.lock().unwrap_or_else(PoisonError::into_inner);
            if subscribed.contains(uri) {
                session.handle.tell(Change::Resource { uri: uri.to_owned() }.notification());
            }
        }
    }

    /// Returns how many there are.
    pub(super) fn count(&self) -> usize {
        self.table().len()
    }

    fn table(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    /// Returns the tools that were found, in the order in which they were.
    pub(super) fn found(&self) -> Vec<Identity> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Returns from which level on it wants to read messages, where it has said so.
    pub(super) fn level(&self) -> Option<Level> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It wants to read messages from this level on.
    pub(super) fn want(&self, level: Level) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
    }

    /// The client has been given the list.
    pub(super) fn on_listed(&self) {
        self.lists.send_modify(|count| *count += 1);
    }

    /// Takes tools into the list and tells the client; returns what waits until it has listed again, where anything is new.
    pub(super) fn grow(&self, tools: &[Arc<Entry>]) -> Option<Relisting> {
        let mut lists = self.lists.subscribe();
        let before = *lists.borrow_and_update();
        let joined = {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            let count = found.len();
            for entry in tools {
                if !found.contains(entry.identity()) {
                    found.push_back(entry.identity().clone());
                }
            }
            let joined = found.len() - count;
            while found.len() > DYNAMIC_TOOLS_MAX {
                found.pop_front();
            }
            joined
        };
        if joined == 0 {
            return None;
        }
        self.handle.tell(Change::Tools.notification());
        Some(Relisting { lists, before, joined })
    }
}

/// What waits for a client that has been told to list again.
pub(super) struct Relisting {
    lists: watch::Receiver<u64>,
    before: u64,
    /// How many tools are new.
    pub(super) joined: usize,
}

impl Relisting {
    /// Returns once the client has listed again and taken the list over, or does not.
    pub(super) async fn over(mut self) {
        let again = self.lists.wait_for(|&count| count > self.before);
        // A client that does not list again is answered anyway.
        if timeout(HOLD_TIME_MAX, again).await.is_ok() {
            sleep(SETTLE_TIME).await;
        }
    }
}
