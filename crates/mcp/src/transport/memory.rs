//! Two ends in one process, for tests and for programs that are both sides.

use oncue_tools::BoxFuture;
use tokio::sync::{Mutex, mpsc};

use super::{Received, Transport, TransportError};
use crate::Message;
use crate::limits::WRITES_WAITING_MAX;

/// One of two ends. Lives as long as either side wants it to.
pub struct Memory {
    to: std::sync::Mutex<Option<mpsc::Sender<Message>>>,
    from: Mutex<mpsc::Receiver<Message>>,
}

impl Memory {
    /// Two ends; what goes in at one comes out at the other.
    #[must_use]
    pub fn pair() -> (Self, Self) {
        let (there, from_here) = mpsc::channel(WRITES_WAITING_MAX);
        let (here, from_there) = mpsc::channel(WRITES_WAITING_MAX);
        let end = |to, from| Self { to: std::sync::Mutex::new(Some(to)), from: Mutex::new(from) };
        (end(there, from_there), end(here, from_here))
    }
}

impl Transport for Memory {
    fn send<'a>(&'a self, message: &'a Message) -> BoxFuture<'a, Result<(), TransportError>> {
        Box::pin(async move {
            let to = self.to.lock().ok().and_then(|to| to.clone());
            let to = to.ok_or_else(TransportError::closed)?;
            to.send(message.clone()).await.map_err(|_| TransportError::closed())
        })
    }

    fn receive(&self) -> BoxFuture<'_, Option<Received>> {
        Box::pin(async move {
            let message = self.from.lock().await.recv().await?;
            Some(Received::Message { message, along: None })
        })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if let Ok(mut to) = self.to.lock() {
                to.take();
            }
        })
    }
}
