//! Requests of ours that wait for their answer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{mpsc, oneshot};

use super::Listener;
use crate::{Members, Notification, Raw, Request, RequestId, RpcError, TransportError};

/// Why a request has no result.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The other side says so.
    #[error("the server answers with an error: {0}")]
    Rpc(RpcError),
    /// The way to the other side failed.
    #[error("{0}")]
    Transport(TransportError),
    /// The answer is longer than any may be.
    #[error("the answer is longer than {bytes_max} bytes")]
    TooLong {
        /// How long it may be.
        bytes_max: usize,
    },
    /// The answer did not come in time.
    #[error("no answer within {seconds} s")]
    TimedOut {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The request could not be written.
    #[error("the request cannot be written: {0}")]
    Unwritable(String),
    /// The answer does not say what the protocol says it should.
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
}

/// What was received and belongs to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Answers to requests that were taken back or had run out of time.
    pub late: u64,
    /// Answers to requests that were never made.
    pub unasked: u64,
    /// Messages that could not be read.
    pub unreadable: u64,
}

/// The requests that wait. Lives as long as the peer.
pub(crate) struct Pending {
    next: AtomicU64,
    table: Mutex<Table>,
    /// Takes the ids of requests that nobody waits for any more.
    withdrawals: mpsc::UnboundedSender<u64>,
    late: AtomicU64,
    unasked: AtomicU64,
    unreadable: AtomicU64,
}

#[derive(Default)]
struct Table {
    waiting: HashMap<u64, Entry>,
    /// Why nothing can wait any more.
    over: Option<CallError>,
}

struct Entry {
    answer: oneshot::Sender<Result<Raw, CallError>>,
    listener: Option<Listener>,
    /// Whether taking it back is told to the other side.
    can_withdraw: bool,
}

/// One request that waits. Dropping it takes the request back.
pub(crate) struct Waiting {
    id: u64,
    pending: Arc<Pending>,
    /// Whether it has its id as its progress token.
    wants_progress: bool,
    answer: oneshot::Receiver<Result<Raw, CallError>>,
}

impl Pending {
    pub(crate) fn new() -> (Arc<Self>, mpsc::UnboundedReceiver<u64>) {
        let (withdrawals, withdrawn) = mpsc::unbounded_channel();
        let pending = Self {
            next: AtomicU64::new(1),
            table: Mutex::default(),
            withdrawals,
            late: AtomicU64::new(0),
            unasked: AtomicU64::new(0),
            unreadable: AtomicU64::new(0),
        };
        (Arc::new(pending), withdrawn)
    }

    pub(crate) fn begin(
        self: &Arc<Self>,
        method: &str,
        listener: Option<Listener>,
    ) -> Result<Waiting, CallError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        let wants_progress = listener.as_ref().is_some_and(Listener::wants_progress);
        if let Some(listener) = &listener {
            listener.begin(&RequestId::number(id));
        }
        let mut table = self.table();
        if let Some(over) = &table.over {
            return Err(over.clone());
        }
        // The protocol forbids taking back the first request of a session.
        let can_withdraw = method != "initialize";
        let entry = Entry { answer: sender, listener, can_withdraw };
        table.waiting.insert(id, entry);
        Ok(Waiting { id, pending: Arc::clone(self), wants_progress, answer })
    }

    /// Gives an answer to whoever waits for it.
    pub(crate) fn settle(&self, id: &RequestId, outcome: Result<Raw, CallError>) {
        let Some(number) = id.as_given() else {
            self.unasked.fetch_add(1, Ordering::Relaxed);
            return;
        };
        let entry = self.table().waiting.remove(&number);
        match entry {
            // That nobody waits any more was told by the drop.
            Some(entry) => drop(entry.answer.send(outcome)),
            None if number < self.next.load(Ordering::Relaxed) && number > 0 => {
                self.late.fetch_add(1, Ordering::Relaxed);
            }
            None => {
                self.unasked.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Gives what belongs to a request to whoever listens to that; false where nobody does.
    pub(crate) fn hear(&self, token: &RequestId, notification: &Notification) -> bool {
        let Some(number) = token.as_given() else { return false };
        let listener = self.table().waiting.get(&number).and_then(|entry| entry.listener.clone());
        let Some(listener) = listener else { return false };
        listener.hear(notification.clone());
        true
    }

    /// Fails all that waits, and for good.
    pub(crate) fn fail_all(&self, error: &CallError) {
        let mut table = self.table();
        table.over.get_or_insert_with(|| error.clone());
        let waiting = std::mem::take(&mut table.waiting);
        drop(table);
        for entry in waiting.into_values() {
            drop(entry.answer.send(Err(error.clone())));
        }
    }

    /// Fails what waits now; what is asked later waits as ever.
    pub(crate) fn fail_present(&self, error: &CallError) {
        let waiting = std::mem::take(&mut self.table().waiting);
        for entry in waiting.into_values() {
            drop(entry.answer.send(Err(error.clone())));
        }
    }

    pub(crate) fn count_unreadable(&self) {
        self.unreadable.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn waiting(&self) -> usize {
        self.table().waiting.len()
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            late: self.late.load(Ordering::Relaxed),
            unasked: self.unasked.load(Ordering::Relaxed),
            unreadable: self.unreadable.load(Ordering::Relaxed),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Returns the request under its id; where somebody wants to hear of progress it has the id as its token.
    pub(crate) fn request(&self, method: &str, params: Option<Raw>) -> Result<Request, CallError> {
        let unwritable = |error: serde_json::Error| CallError::Unwritable(error.to_string());
        let params = match (self.wants_progress, params) {
            (false, params) => params,
            (true, params) => {
                let mut params = Members::of(params.as_deref()).map_err(unwritable)?;
                let mut meta = Members::of(params.get("_meta")).unwrap_or_default();
                meta.set("progressToken", &self.id).map_err(unwritable)?;
                params.set("_meta", &meta).map_err(unwritable)?;
                Some(params.to_raw().map_err(unwritable)?)
            }
        };
        Ok(Request { id: RequestId::number(self.id), method: method.into(), params })
    }

    /// The request never left, so there is nothing to take back.
    pub(crate) fn not_sent(self, error: TransportError) -> CallError {
        self.pending.table().waiting.remove(&self.id);
        CallError::Transport(error)
    }

    pub(crate) async fn answer(mut self) -> Result<Raw, CallError> {
        let answer = (&mut self.answer).await;
        answer.unwrap_or_else(|_| Err(CallError::Transport(TransportError::closed())))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let entry = self.pending.table().waiting.remove(&self.id);
        if entry.is_some_and(|entry| entry.can_withdraw) {
            // With the driver gone there is nobody to tell.
            let _ = self.pending.withdrawals.send(self.id);
        }
    }
}
