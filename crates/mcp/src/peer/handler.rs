//! What the other side asks and tells.

use oncue_tools::{BoxFuture, Cancel};

use super::Peer;
use crate::{Notification, Raw, Request, RequestId, RpcError};

/// Answers what the other side asks.
pub trait Handler: Send + Sync + 'static {
    /// Answers a request.
    ///
    /// Where the other side takes it back, the exchange's `cancel` fires and the answer is not sent.
    fn request<'a>(
        &'a self,
        request: Request,
        exchange: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>>;

    /// Takes what is told. It must not wait: nothing else is received meanwhile.
    fn notification(&self, notification: Notification, exchange: Told);
}

/// What surrounds a request.
#[derive(Clone)]
pub struct Exchange {
    /// Fires where the other side takes the request back or the connection ends.
    pub cancel: Cancel,
    /// Which request of ours it came along with, where the way tells.
    pub along: Option<RequestId>,
    /// The other side.
    pub peer: Peer,
}

/// What surrounds a notification.
pub type Told = Option<RequestId>;

/// A side that has nothing to say: it answers `ping` and refuses everything else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Handler for Silent {
    fn request<'a>(
        &'a self,
        request: Request,
        _: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>> {
        Box::pin(std::future::ready(match &*request.method {
            "ping" => Ok(empty()),
            method => Err(RpcError::method_not_found(method)),
        }))
    }

    fn notification(&self, _: Notification, _: Told) {}
}

/// Returns the result that says nothing.
#[must_use]
pub fn empty() -> Raw {
    crate::Members::new().to_raw().unwrap_or_default()
}
