//! How a turn ends, and what bounds it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::{CALLS_DEFAULT, STEPS_DEFAULT, TIME_DEFAULT, TOKENS_DEFAULT};
use crate::{ModelError, ModelErrorKind};

/// How much a turn may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TurnLimits {
    /// Model calls, in steps.
    pub steps: u32,
    /// Calls of tools, those of forks included.
    pub calls: u64,
    /// Tokens of prompts and replies, those of forks included.
    pub tokens: u64,
    /// Time, waiting for people excepted.
    pub time: Duration,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self {
            steps: STEPS_DEFAULT,
            calls: CALLS_DEFAULT,
            tokens: TOKENS_DEFAULT,
            time: TIME_DEFAULT,
        }
    }
}

/// Which bound a turn has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// [`TurnLimits::steps`].
    Steps,
    /// [`TurnLimits::calls`].
    Calls,
    /// [`TurnLimits::tokens`].
    Tokens,
    /// [`TurnLimits::time`].
    Time,
}

/// How a turn ended. Only [`Outcome::Answered`] is success.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The model answered.
    Answered {
        /// The answer; never blank.
        text: String,
    },
    /// The model ended with nothing, also after it was asked once more.
    EmptyFinish,
    /// The answer reached its longest allowed length and may be cut off.
    Truncated {
        /// What there is of it.
        text: String,
    },
    /// The model refused, or its vendor's filter did.
    Refused {
        /// What it said.
        text: String,
    },
    /// A bound of the turn was reached.
    Limit {
        /// Which.
        limit: Limit,
    },
    /// The conversation has no room in the model's context: shorten it and go on.
    ContextFull,
    /// The model could not be asked.
    Failed {
        /// Why.
        kind: ModelErrorKind,
        /// What was said, for the operator.
        message: String,
    },
    /// A hook stopped the turn.
    Stopped {
        /// Why.
        why: String,
    },
    /// Nobody wants the answer any more.
    Cancelled,
}

impl Outcome {
    /// Says whether the model answered.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        matches!(self, Self::Answered { .. })
    }

    pub(super) fn of_error(error: &ModelError) -> Self {
        match error.kind {
            ModelErrorKind::ContextFull => Self::ContextFull,
            kind => Self::Failed { kind, message: error.message.clone() },
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered { text } => f.write_str(text),
            Self::EmptyFinish => f.write_str("the model ended with nothing"),
            Self::Truncated { .. } => {
                f.write_str("the answer reached its longest allowed length and is cut off")
            }
            Self::Refused { .. } => f.write_str("the model refused"),
            Self::Limit { limit } => write!(f, "the turn used up its {limit}"),
            Self::ContextFull => f.write_str("the conversation is longer than the model's context"),
            Self::Failed { kind, message } => write!(f, "{kind}: {message}"),
            Self::Stopped { why } => write!(f, "stopped by a hook: {why}"),
            Self::Cancelled => f.write_str("called off"),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Steps => "steps",
            Self::Calls => "tool calls",
            Self::Tokens => "tokens",
            Self::Time => "time",
        })
    }
}
