//! How messages travel. A transport carries them whole and in order, and knows nothing of what they mean.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Transport`], what arrives ([`Received`]) and what fails ([`TransportError`]) |
//! | `framing` | the bytes of a stream cut into lines |
//! | `lines` | a message a line, over any pair of streams ([`Lines`]) |
//! | `child` | a server that is a child process ([`Child`]) |
//! | `memory` | two ends in one process |
//! | `standard` | the standard input and output of this process |

mod child;
mod framing;
mod lines;
mod memory;
mod standard;

use std::collections::HashMap;

use oncue_tools::BoxFuture;

pub use child::{Child, Launch, StderrTail};
pub use framing::{Framing, Line};
pub use lines::{Lines, Noise};
pub use memory::Memory;
pub use standard::{Input, Output, standard_input, standard_output};

use crate::http::Mirror;
use crate::{Malformed, Message, RequestId, Version};

/// A way to the other side.
///
/// It is shared; one task alone receives.
pub trait Transport: Send + Sync {
    /// Hands a message over: whole, and behind those that were handed over before.
    ///
    /// A future that is dropped has handed over the whole message or nothing of it.
    fn send<'a>(&'a self, message: &'a Message) -> BoxFuture<'a, Result<(), TransportError>>;

    /// Returns what arrives next, and nothing once nothing can arrive any more.
    ///
    /// A future that is dropped loses nothing.
    fn receive(&self) -> BoxFuture<'_, Option<Received>>;

    /// Learns which version of the protocol was agreed on.
    fn agree(&self, version: Version) {
        let _ = version;
    }

    /// Learns which arguments of which tools are said in headers too; a way without headers does not care.
    fn mirror(&self, tools: HashMap<String, Vec<Mirror>>) {
        let _ = tools;
    }

    /// Takes back a request that was sent, where the way itself can do that, and says whether it could.
    ///
    /// Where it cannot, the other side is told by a notification.
    fn withdraw(&self, id: &RequestId) -> bool {
        let _ = id;
        false
    }

    /// Ends it. What waits to be sent may be lost.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// What arrives.
#[derive(Debug)]
pub enum Received {
    /// A message.
    Message {
        /// It.
        message: Message,
        /// Which request it came along with, where the way tells.
        along: Option<RequestId>,
    },
    /// Something that is no message; the sender may be told.
    Malformed(Malformed),
    /// A message longer than any may be. Its rest was dropped.
    TooLong {
        /// How long messages may be, in bytes.
        bytes_max: usize,
        /// The id in its beginning, where one can be read there.
        id: Option<RequestId>,
    },
    /// The answer to a request cannot arrive any more, though others can.
    Lost {
        /// Which request.
        id: RequestId,
        /// Why.
        error: TransportError,
    },
}

/// What went wrong on the way.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TransportError {
    /// What kind of failure it is.
    pub kind: TransportErrorKind,
    /// What happened, for the operator.
    pub message: String,
}

/// What kind of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// Nothing can be sent any more.
    Closed,
    /// The other side cannot be reached.
    Unreachable,
    /// Reading or writing failed.
    Io,
    /// An answer is longer than any may be.
    TooLong,
    /// The other side answers with this HTTP status.
    Status {
        /// The status.
        status: u16,
        /// What the header `WWW-Authenticate` says.
        challenge: Option<String>,
        /// After how many seconds it wants to be asked again.
        retry_after_s: Option<u64>,
    },
    /// The session is gone; a new one must be begun.
    SessionGone,
    /// The other side sends us elsewhere, which is not followed.
    Redirect,
    /// What came back is not what the protocol says.
    Protocol,
}

impl TransportError {
    /// A failure of this kind.
    #[must_use]
    pub fn new(kind: TransportErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn closed() -> Self {
        Self::new(TransportErrorKind::Closed, "the connection is closed")
    }
}
