//! What is recorded.

use std::time::{Duration, SystemTime};

use oncue_tools::{Denial, ErrorKind, Principal};

use super::Digest;

/// One thing that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: SystemTime,
    /// By whom.
    pub principal: Principal,
    /// What.
    pub event: Event,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A tool was called, or was to be called and was denied.
    Call(Call),
    /// Something was changed.
    Change(Change),
}

/// A call. Exactly one for each, whatever came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The id of the upstream; empty for tools of the gateway, and where no tool has the name.
    pub upstream: String,
    /// The exact name of the tool at the upstream; empty where no tool has the name.
    pub tool: String,
    /// The name that was called.
    pub exposed: String,
    /// What came of it.
    pub outcome: Outcome,
    /// How long it took.
    pub duration: Duration,
    /// The size of the arguments, in bytes.
    pub bytes_in: u64,
    /// The size of the result, in bytes.
    pub bytes_out: u64,
    /// The digest of the arguments as they came.
    pub arguments: Digest,
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was answered.
    Done,
    /// It failed.
    Failed(ErrorKind),
    /// It was denied, by which rule. The client may have been told that there is no such tool; the record says what was.
    Denied(&'static str),
}

impl Outcome {
    /// The outcome of a call that was denied so. What a guard says is left out, since it may repeat arguments.
    #[must_use]
    pub const fn denied(denial: &Denial) -> Self {
        Self::Denied(match denial {
            Denial::Denied => "denied_by_name",
            Denial::Upstream => "upstream_not_granted",
            Denial::Tool => "tool_not_granted",
            Denial::Excluded => "excluded",
            Denial::Scope { .. } => "scope",
            Denial::Guard(_) => "guard",
            Denial::GuardFailed(_) => "guard_failed",
        })
    }

    /// Returns the outcome and its reason as the record spells them.
    pub(super) fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Done => ("done", None),
            Self::Failed(kind) => ("failed", Some(failure(kind))),
            Self::Denied(why) => ("denied", Some(why)),
        }
    }
}

/// The record's own words: they stay as they are whatever becomes of the type.
fn failure(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnknownTool => "unknown_tool",
        ErrorKind::Arguments => "arguments",
        ErrorKind::Denied => "denied",
        ErrorKind::Refused => "refused",
        ErrorKind::Undecided => "undecided",
        ErrorKind::Budget => "budget",
        ErrorKind::Failed => "failed",
        ErrorKind::Unavailable => "unavailable",
        ErrorKind::TimedOut => "timed_out",
        ErrorKind::Cancelled => "cancelled",
        ErrorKind::Panicked => "panicked",
        ErrorKind::Assembly => "assembly",
        _ => "other",
    }
}

/// A change of what may be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Of what kind.
    pub kind: ChangeKind,
    /// What was changed: the id of a token or an upstream, or a file. Never a secret.
    pub subject: String,
    /// More about it, such as whom a token is for. Never a secret.
    pub detail: Option<String>,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The gateway began to serve.
    Started,
    /// The gateway stopped to serve.
    Stopped,
    /// Settings came into force.
    Settings,
    /// Settings were refused; those before stay in force.
    SettingsRefused,
    /// A token was made.
    TokenCreated,
    /// A token was revoked.
    TokenRevoked,
    /// An upstream was added.
    UpstreamAdded,
    /// An upstream was changed.
    UpstreamChanged,
    /// An upstream was removed.
    UpstreamRemoved,
    /// The tools of an upstream changed.
    Catalog,
}

impl ChangeKind {
    /// Returns the kind as the record spells it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Stopped => "stopped",
            Self::Settings => "settings",
            Self::SettingsRefused => "settings_refused",
            Self::TokenCreated => "token_created",
            Self::TokenRevoked => "token_revoked",
            Self::UpstreamAdded => "upstream_added",
            Self::UpstreamChanged => "upstream_changed",
            Self::UpstreamRemoved => "upstream_removed",
            Self::Catalog => "catalog",
        }
    }
}

/// What the writer has to say of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// The first record of a file.
    Began {
        /// The file before it was not put away: it has vanished.
        has_vanished: bool,
    },
    /// The end of the file was no record, and was set aside.
    Torn {
        /// How much, in bytes.
        bytes: u64,
        /// The file that has it now.
        aside: String,
    },
    /// Records could not be written.
    Lost {
        /// How many.
        records: u64,
    },
    /// The last record of a file; the next is in another.
    Rotated,
}
