//! What is heard of a request of ours while it waits for its answer.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::{Notification, Patience, RequestId};

/// Hears what belongs to one request while that waits for its answer: its progress, and the messages that come along with it. Clones are the same listener.
#[derive(Clone)]
pub struct Listener(Arc<Ear>);

struct Ear {
    hear: Box<dyn Fn(Notification) + Send + Sync>,
    wants_progress: bool,
    id: OnceLock<RequestId>,
    lives: Notify,
    /// What somebody is asked about the request.
    asked: watch::Sender<Asked>,
}

/// How long questions about a request were thought over, whoever looked meanwhile.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    /// How many questions are open.
    open: usize,
    since: Option<Instant>,
    /// When the last of them was answered.
    answered: Option<Instant>,
    thought: Duration,
}

impl Asked {
    /// Returns when a request that began at `begin` and of which something was last heard at `heard` runs out of time; nothing while a question is open.
    pub(crate) fn end(
        &self,
        begin: Instant,
        heard: Instant,
        patience: Patience,
    ) -> Option<Instant> {
        let heard = self.answered.map_or(heard, |answered| answered.max(heard));
        let end = (heard + patience.quiet).min(begin + patience.total + self.thought);
        (self.open == 0).then_some(end)
    }

    fn ask(&mut self) {
        self.open += 1;
        self.since.get_or_insert_with(Instant::now);
    }

    fn answer(&mut self) {
        self.open -= 1;
        if self.open == 0
            && let Some(since) = self.since.take()
        {
            let now = Instant::now();
            self.thought += now - since;
            self.answered = Some(now);
        }
    }
}

/// A question that somebody thinks over. Until it is dropped, the request does not run out of time.
#[derive(Debug)]
pub struct Thinking(Listener);

impl Listener {
    /// Hears of progress too: the request asks for it.
    #[must_use]
    pub fn new(hear: impl Fn(Notification) + Send + Sync + 'static) -> Self {
        Self::of(Box::new(hear), true)
    }

    /// Hears what the other side tells without having been asked for progress.
    #[must_use]
    pub fn without_progress(hear: impl Fn(Notification) + Send + Sync + 'static) -> Self {
        Self::of(Box::new(hear), false)
    }

    fn of(hear: Box<dyn Fn(Notification) + Send + Sync>, wants_progress: bool) -> Self {
        let (id, lives, asked) = (OnceLock::new(), Notify::new(), watch::Sender::default());
        Self(Arc::new(Ear { hear, wants_progress, id, lives, asked }))
    }

    /// Returns the id of the request, once it has one.
    #[must_use]
    pub fn id(&self) -> Option<&RequestId> {
        self.0.id.get()
    }

    /// Begins to think over a question about the request.
    #[must_use]
    pub fn thinking(&self) -> Thinking {
        self.0.asked.send_modify(Asked::ask);
        Thinking(self.clone())
    }

    pub(super) fn begin(&self, id: &RequestId) {
        // A listener is of one request; a second one would only be heard through it.
        let _ = self.0.id.set(id.clone());
    }

    pub(super) fn hear(&self, notification: Notification) {
        self.0.lives.notify_one();
        (self.0.hear)(notification);
    }

    pub(super) fn wants_progress(&self) -> bool {
        self.0.wants_progress
    }

    /// Returns once something was heard that nobody has waited for yet.
    pub(crate) async fn lives(&self) {
        self.0.lives.notified().await;
    }

    pub(crate) fn asked(&self) -> watch::Receiver<Asked> {
        self.0.asked.subscribe()
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.0.0.asked.send_modify(Asked::answer);
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").field("id", &self.0.id).finish_non_exhaustive()
    }
}
