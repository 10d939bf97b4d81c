//! Requests and their answers over one transport, in both directions.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Peer`]: asks, tells, is closed |
//! | `pending` | requests of ours that wait for their answer |
//! | `driver` | the one task that receives |
//! | `listener` | what is heard of a request of ours while it waits ([`Listener`]) |
//! | `handler` | what the other side asks and tells ([`Handler`]) |

mod driver;
mod handler;
mod listener;
mod pending;

use std::sync::Arc;

use tokio::sync::watch;

pub use handler::{Exchange, Handler, Silent, Told, empty};
pub use listener::{Listener, Thinking};
pub(crate) use pending::Pending;
pub use pending::{CallError, Counts};

use crate::{Message, Notification, Raw, Transport, TransportError};
use driver::Driver;

/// The other side of a connection. Lives as long as the connection; clones are the same peer.
///
/// Dropping the last clone closes nothing: the connection ends with [`Peer::close`] or from the other side.
#[derive(Clone)]
pub struct Peer {
    shared: Arc<Shared>,
}

struct Shared {
    transport: Arc<dyn Transport>,
    pending: Arc<Pending>,
    /// Whether the connection is over.
    closed: watch::Receiver<bool>,
}

/// Whether messages that cannot be read are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The sender is told: a client should know what it did wrong.
    Answer,
    /// They are counted: an answer to a server's noise would make more of it.
    Count,
}

impl Peer {
    /// Begins to receive from `transport`; to be called within a runtime.
    pub fn start(
        transport: Arc<dyn Transport>,
        handler: Arc<dyn Handler>,
        unreadable: Unreadable,
    ) -> Self {
        let (ended, closed) = watch::channel(false);
        let (pending, withdrawn) = Pending::new();
        let peer = Self { shared: Arc::new(Shared { transport, pending, closed }) };
        let driver = Driver::new(peer.clone(), handler, unreadable);
        tokio::spawn(driver.run(withdrawn, ended));
        peer
    }

    /// Asks, and returns the result as it was written.
    ///
    /// A future that is dropped before the answer takes the request back.
    ///
    /// # Errors
    ///
    /// The other side answers with an error, or cannot be asked.
    pub async fn request(&self, method: &str, params: Option<Raw>) -> Result<Raw, CallError> {
        self.request_heard(method, params, None).await
    }

    /// Asks as [`Peer::request`] does; `listener` hears what belongs to the request: progress that is told under its token, which is its id, and messages that come along with it.
    ///
    /// # Errors
    ///
    /// As there.
    pub async fn request_heard(
        &self,
        method: &str,
        params: Option<Raw>,
        listener: Option<Listener>,
    ) -> Result<Raw, CallError> {
        let waiting = self.shared.pending.begin(method, listener)?;
        let request = waiting.request(method, params)?;
        if let Err(error) = self.shared.transport.send(&Message::Request(request)).await {
            return Err(waiting.not_sent(error));
        }
        waiting.answer().await
    }

    /// Tells something.
    ///
    /// # Errors
    ///
    /// It cannot be sent.
    pub async fn notify(&self, notification: Notification) -> Result<(), TransportError> {
        self.shared.transport.send(&Message::Notification(notification)).await
    }

    /// Ends the connection; what waits for an answer fails.
    pub async fn close(&self) {
        self.shared.transport.close().await;
        self.shared.pending.fail_all(&CallError::Transport(TransportError::closed()));
    }

    /// Returns once the connection is over.
    pub async fn closed(&self) {
        let mut closed = self.shared.closed.clone();
        // An end without a word is an end.
        let _ = closed.wait_for(|&is_over| is_over).await;
    }

    /// Says whether the connection is over.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        *self.shared.closed.borrow()
    }

    /// Returns how many requests of ours wait for their answer.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shared.pending.waiting()
    }

    /// Returns what was received and belongs to nothing.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.shared.pending.counts()
    }

    /// Returns the transport.
    #[must_use]
    pub fn transport(&self) -> &Arc<dyn Transport> {
        &self.shared.transport
    }
}
