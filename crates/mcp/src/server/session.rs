//! A client of the older era, which is remembered from its `initialize` on.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::Caller;
use crate::{Message, Notification, Peer};

/// A session of the older era. Clones are the same session.
#[derive(Clone)]
pub struct SessionHandle {
    id: Arc<str>,
    way: Arc<dyn Fn(Message) + Send + Sync>,
}

impl SessionHandle {
    pub(super) fn new(
        id: impl Into<Arc<str>>,
        way: impl Fn(Message) + Send + Sync + 'static,
    ) -> Self {
        Self { id: id.into(), way: Arc::new(way) }
    }

    pub(super) fn of_peer(id: impl Into<Arc<str>>, peer: Peer) -> Self {
        Self::new(id, move |message| {
            let peer = peer.clone();
            if let Message::Notification(told) = message {
                tokio::spawn(async move {
                    if let Err(error) = peer.notify(told).await {
                        tracing::debug!(%error, "a client could not be told");
                    }
                });
            }
        })
    }

    /// Returns which session it is; nobody can guess it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Tells the client something that belongs to no request. It is not waited for.
    pub fn tell(&self, notification: Notification) {
        (self.way)(Message::Notification(notification));
    }
}

impl fmt::Debug for SessionHandle {
    /// The id is as good as the session, so it is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionHandle")
    }
}

/// What is known of a session: nothing until its client has said who it is. Lives as long as the session.
#[derive(Default)]
pub(super) struct Known(Mutex<Option<Caller>>);

impl Known {
    pub(super) fn learn(&self, caller: Caller) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(caller);
    }

    pub(super) fn caller(&self) -> Option<Caller> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
