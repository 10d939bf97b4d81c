//! Where messages that belong to a request go. Lives as long as the request.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::peer::{CallError, Pending};
use crate::{Message, Notification, Peer, Raw, TransportError};

/// Where messages that belong to a request go.
#[derive(Clone)]
pub struct Outlet(Way);

#[derive(Clone)]
enum Way {
    /// All of a client's messages go one way.
    Peer(Peer),
    /// They go into the answer of the request.
    Stream { to: mpsc::Sender<Message>, pending: Option<Arc<Pending>> },
}

impl Outlet {
    pub(super) const fn peer(peer: Peer) -> Self {
        Self(Way::Peer(peer))
    }

    /// What is asked is answered by another request, through `pending`, where there is a session.
    pub(super) const fn stream(to: mpsc::Sender<Message>, pending: Option<Arc<Pending>>) -> Self {
        Self(Way::Stream { to, pending })
    }

    pub(super) async fn tell(&self, notification: Notification) {
        match &self.0 {
            Way::Peer(peer) => {
                if let Err(error) = peer.notify(notification).await {
                    tracing::debug!(%error, "a client could not be told");
                }
            }
            // A client that has gone away hears nothing.
            Way::Stream { to, .. } => drop(to.send(Message::Notification(notification)).await),
        }
    }

    pub(super) async fn ask(&self, method: &str, params: Option<Raw>) -> Result<Raw, CallError> {
        match &self.0 {
            Way::Peer(peer) => peer.request(method, params).await,
            Way::Stream { to, pending } => {
                let closed = || CallError::Transport(TransportError::closed());
                let pending = pending.as_ref().ok_or_else(closed)?;
                let waiting = pending.begin(method, None)?;
                let request = waiting.request(method, params)?;
                to.send(Message::Request(request)).await.map_err(|_| closed())?;
                waiting.answer().await
            }
        }
    }
}
