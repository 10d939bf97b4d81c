//! What a fake answers: replies in words of no vendor, one after the other.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::frame::first_half;

/// What a fake does with one request that it has accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Scripted {
    /// A reply of these pieces.
    Reply(Vec<Piece>),
    /// A reply that stops at its longest allowed length, in the middle of its last piece.
    CutOff(Vec<Piece>),
    /// A reply that the model refuses to give.
    Refusal(String),
    /// An error of the server, in the vendor's form.
    Error(Failure),
    /// A stream that ends after this many bytes without its end; a plain answer loses its connection there.
    Broken {
        /// What would have been said.
        pieces: Vec<Piece>,
        /// How many bytes are sent.
        bytes: usize,
    },
}

/// A piece of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Piece {
    /// Text.
    Text(String),
    /// Thoughts, with the vendor's signature where it has one.
    Reasoning(String),
    /// A call of a tool by its wire name; a call of the search tool takes the vendor's own form where the request declares one.
    Call {
        /// The wire name.
        name: String,
        /// The arguments.
        arguments: Value,
    },
    /// A call whose arguments are this text, JSON or not, where the wire can carry it.
    RawCall {
        /// The wire name.
        name: String,
        /// The text.
        arguments: String,
    },
    /// A block of the vendor's own form that readers may not know, sent as it is.
    Opaque(Value),
}

/// How a server fails.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Failure {
    /// The HTTP status; in a stream that has begun, an error event stands for it.
    pub status: u16,
    /// The vendor's word for the kind of error; `None` takes the one that belongs to the status.
    pub kind: Option<String>,
    /// The vendor's message; `None` takes one that says that the script wanted it.
    pub message: Option<String>,
    /// How long the client should wait, for the header `retry-after`.
    pub retry_after: Option<Duration>,
    /// Whether the stream has begun already.
    pub mid_stream: bool,
}

impl Scripted {
    /// A reply of one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Reply(vec![Piece::Text(text.into())])
    }

    /// A reply of one call.
    #[must_use]
    pub fn call(name: impl Into<String>, arguments: Value) -> Self {
        Self::Reply(vec![Piece::Call { name: name.into(), arguments }])
    }
}

impl Piece {
    /// Returns the pieces as far as a reply gets that is cut off in the middle of the last one; of a call the arguments are cut.
    pub(crate) fn cut_off(pieces: &[Self]) -> Vec<Self> {
        let mut pieces = pieces.to_vec();
        let half = |text: &str| first_half(text).to_owned();
        if let Some(last) = pieces.pop() {
            pieces.push(match last {
                Self::Text(text) => Self::Text(half(&text)),
                Self::Reasoning(text) => Self::Reasoning(half(&text)),
                Self::Call { name, arguments } => {
                    Self::RawCall { name, arguments: half(&arguments.to_string()) }
                }
                Self::RawCall { name, arguments } => {
                    Self::RawCall { name, arguments: half(&arguments) }
                }
                opaque @ Self::Opaque(_) => opaque,
            });
        }
        pieces
    }

    /// Returns the pieces as [`cut_off`](Self::cut_off) does, for servers that send calls whole: one that is cut is not there at all.
    pub(crate) fn cut_off_between_calls(pieces: &[Self]) -> Vec<Self> {
        let mut pieces = Self::cut_off(pieces);
        pieces.pop_if(|last| !matches!(last, Self::Text(_) | Self::Reasoning(_)));
        pieces
    }
}

impl Failure {
    /// A failure of this status, before anything is sent.
    #[must_use]
    pub fn of(status: u16) -> Self {
        Self { status, ..Self::default() }
    }
}
