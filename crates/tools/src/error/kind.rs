//! Why calls fail, as a table.

use serde::{Deserialize, Serialize};

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// No tool of this name may be called now.
    UnknownTool,
    /// The arguments do not fit the tool.
    Arguments,
    /// The grants, their guard or a hook forbid the call.
    Denied,
    /// A person was asked and did not agree, or nobody was there to ask.
    Refused,
    /// A person has to agree and has not answered yet.
    Undecided,
    /// The call may be made only so often, and was.
    Budget,
    /// The tool ran and could not do it.
    Failed,
    /// What the tool needs is out of reach at the moment.
    Unavailable,
    /// The call took longer than it was allowed to.
    TimedOut,
    /// The call was called off from outside.
    Cancelled,
    /// The tool or a hook panicked.
    Panicked,
    /// The program put its parts together wrongly.
    Assembly,
}

/// Who has to change something before a failed call can succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blame {
    /// The model: another call is needed.
    Model,
    /// The user or who set the grants.
    User,
    /// Nobody here: what the tool works on.
    World,
    /// The program.
    Program,
}

impl ErrorKind {
    /// Every kind, for tests and tables.
    pub const ALL: [Self; 12] = [
        Self::UnknownTool,
        Self::Arguments,
        Self::Denied,
        Self::Refused,
        Self::Undecided,
        Self::Budget,
        Self::Failed,
        Self::Unavailable,
        Self::TimedOut,
        Self::Cancelled,
        Self::Panicked,
        Self::Assembly,
    ];

    /// Returns who has to change something.
    #[must_use]
    pub const fn blame(self) -> Blame {
        self.columns().0
    }

    /// Says whether the same call may succeed when it is made again unchanged.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        self.columns().1
    }

    /// Returns the word for logs and metrics.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.columns().2
    }

    const fn columns(self) -> (Blame, bool, &'static str) {
        match self {
            Self::UnknownTool => (Blame::Model, false, "unknown tool"),
            Self::Arguments => (Blame::Model, false, "bad arguments"),
            Self::Denied => (Blame::User, false, "denied"),
            Self::Refused => (Blame::User, false, "refused"),
            Self::Undecided => (Blame::User, true, "undecided"),
            Self::Budget => (Blame::Model, false, "budget exhausted"),
            Self::Failed => (Blame::World, false, "failed"),
            Self::Unavailable => (Blame::World, true, "unavailable"),
            Self::TimedOut => (Blame::World, true, "timed out"),
            Self::Cancelled => (Blame::User, false, "cancelled"),
            Self::Panicked => (Blame::Program, false, "panicked"),
            Self::Assembly => (Blame::Program, false, "wrongly assembled"),
        }
    }
}
