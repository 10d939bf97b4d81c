//! What a model answers.

use serde::{Deserialize, Serialize};

use super::Usage;
use crate::Loss;
use crate::cache::MissReason;
use crate::conversation::{Part, Raw};

/// One reply of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The pieces in order.
    pub parts: Vec<Part>,
    /// The reply as the vendor sent it, for verbatim replay.
    pub raw: Option<Raw>,
    /// Why it ended.
    pub finish: Finish,
    /// What it cost.
    pub usage: Usage,
    /// Why the prompt's cached prefix was not read, where the vendor says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_miss: Option<MissReason>,
    /// What the vendor could not be told of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model had said what it wanted to say, its calls included.
    #[default]
    Done,
    /// The reply reached its longest allowed length and may be cut off.
    Length,
    /// The model refused, or a filter stopped it.
    Refused,
    /// The vendor paused it; the same conversation, with this reply, goes on.
    Paused,
    /// The conversation has no room in the model's context.
    ContextFull,
}

/// A piece of a reply while it is streamed. What is heard may be taken back by a retry; only the reply itself counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta {
    /// More text for the user.
    Text(String),
    /// More of the model's thoughts.
    Reasoning(String),
    /// A call of this tool began.
    Call(String),
}
