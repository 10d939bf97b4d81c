//! JSON-RPC 2.0 messages whose contents stay the text that their sender wrote.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | the four kinds of [`Message`] |
//! | `id` | [`RequestId`] |
//! | `read` | bytes to messages, and what is wrong with them ([`Malformed`]) |
//! | `write` | messages to bytes |
//! | `members` | the members of an object, in order and raw ([`Members`]) |
//! | `rpc_error` | [`RpcError`] and the codes of the protocol ([`code`]) |

pub mod code;
mod id;
mod members;
mod read;
mod rpc_error;
mod write;

#[cfg(test)]
mod tests;

use serde_json::value::RawValue;

pub use id::RequestId;
pub use members::Members;
pub use read::Malformed;
pub use rpc_error::RpcError;

/// A JSON value as it was written.
pub type Raw = Box<RawValue>;

/// One message of either side.
#[derive(Clone, Debug)]
pub enum Message {
    /// It wants an answer.
    Request(Request),
    /// It wants none.
    Notification(Notification),
    /// The answer to a request.
    Response(Response),
}

/// A message that wants an answer.
#[derive(Clone, Debug)]
pub struct Request {
    /// Which answer belongs to it.
    pub id: RequestId,
    /// What is asked for.
    pub method: Box<str>,
    /// The arguments: an object, where there are any.
    pub params: Option<Raw>,
}

/// A message that wants no answer.
#[derive(Clone, Debug)]
pub struct Notification {
    /// What is told.
    pub method: Box<str>,
    /// The details: an object, where there are any.
    pub params: Option<Raw>,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Response {
    /// The id of the request; absent where the other side could not read it.
    pub id: Option<RequestId>,
    /// The result, or why there is none.
    pub outcome: Result<Raw, RpcError>,
}

impl Notification {
    /// A notification of this method.
    #[must_use]
    pub fn new(method: impl Into<Box<str>>, params: Option<Raw>) -> Self {
        Self { method: method.into(), params }
    }
}

impl Response {
    /// The answer to `id`.
    #[must_use]
    pub fn new(id: RequestId, outcome: Result<Raw, RpcError>) -> Self {
        Self { id: Some(id), outcome }
    }
}
