//! What goes wrong with an upstream, for the model and for the operator.

use std::time::Duration;

use oncue_mcp::{CallError, OpenError, TransportErrorKind};

use super::Link;
use crate::config::LaunchError;
use crate::limits::RETRY_AFTER_SECONDS;

/// Why an upstream gave no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UpstreamError {
    /// The settings leave it out.
    #[error("it is disabled in the settings")]
    Disabled,
    /// It failed and is not tried again yet.
    #[error("it failed and is tried again in {} s: {last}", seconds(*.wait))]
    BackingOff {
        /// After how long it may be tried again.
        wait: Duration,
        /// What went wrong last.
        last: String,
    },
    /// It failed again and again.
    #[error("it failed {ends} times within a minute and is left alone for {} s: {last}", seconds(*.wait))]
    Broken {
        /// After how long it may be tried again.
        wait: Duration,
        /// How often it failed lately.
        ends: usize,
        /// What went wrong last.
        last: String,
    },
    /// It cannot be started as it is described.
    #[error("{error}: {}", .error.missing)]
    Launch {
        /// What is missing.
        #[from]
        error: LaunchError,
    },
    /// Its process cannot be started.
    #[error("cannot start `{program}`: {why}")]
    Spawn {
        /// The program.
        program: String,
        /// Why.
        why: String,
    },
    /// Its address or a header is none.
    #[error("{0}")]
    Setup(String),
    /// It could not be spoken to.
    #[error("{error}{}", tail(.stderr))]
    Open {
        /// Why.
        error: OpenError,
        /// What its process wrote last on its standard error.
        stderr: Vec<String>,
    },
    /// It did not answer the call.
    #[error("{0}")]
    Call(CallError),
    /// As many calls of it are running as may be.
    #[error("{calls_max} calls of it are running")]
    Busy {
        /// How many may run at once.
        calls_max: usize,
    },
}

fn seconds(wait: Duration) -> u64 {
    wait.as_secs().max(1)
}

fn tail(lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        lines => format!("; its standard error ends: {}", lines.join(" | ")),
    }
}

impl UpstreamError {
    /// Returns what a model should read: what happened to its call and what to do next, without what concerns the operator alone.
    #[must_use]
    pub fn for_model(&self, upstream: &str) -> String {
        match self {
            Self::Disabled => {
                format!("The server '{upstream}' is disabled. Use another tool, or tell the user.")
            }
            Self::BackingOff { wait, .. } | Self::Broken { wait, .. } => format!(
                "The server '{upstream}' is not available; it may be again in {} s. Use another tool, or tell the user.",
                seconds(*wait)
            ),
            Self::Launch { .. } | Self::Spawn { .. } | Self::Setup(_) | Self::Open { .. } => {
                format!(
                    "The server '{upstream}' cannot be started. Use another tool, or tell the user; `oncue status` says why."
                )
            }
            Self::Busy { .. } => {
                format!("The server '{upstream}' is busy. Call again in a moment.")
            }
            Self::Call(error) => call(error, upstream),
        }
    }

    /// Says whether the way to the upstream is lost, so that a new one must be opened.
    ///
    /// Where each request has a connection of its own, one that fails says nothing of the others.
    pub(super) fn is_lost(&self, link: &Link) -> bool {
        match self {
            Self::Call(CallError::Transport(error)) => match error.kind {
                TransportErrorKind::Closed | TransportErrorKind::SessionGone => true,
                TransportErrorKind::Io => link.group().is_some(),
                _ => false,
            },
            _ => false,
        }
    }

    /// Says whether the upstream has forgotten the session, and so has not done what it was asked.
    pub(super) fn is_of_session(&self) -> bool {
        match self {
            Self::Call(CallError::Transport(error)) => {
                error.kind == TransportErrorKind::SessionGone
            }
            _ => false,
        }
    }
}

fn call(error: &CallError, upstream: &str) -> String {
    match error {
        CallError::Rpc(error) => {
            format!("The server '{upstream}' answers with an error: {}", error.message)
        }
        CallError::TimedOut { seconds } => format!(
            "The server '{upstream}' did not answer within {seconds} s and the call was called off; it may have done part of its work. Check that before you call again."
        ),
        CallError::TooLong { bytes_max } => format!(
            "The answer of the server '{upstream}' is longer than {bytes_max} bytes. Ask for less at once."
        ),
        CallError::Transport(error) => lost(&error.kind, upstream),
        _ => format!("The server '{upstream}' gave an answer that cannot be read. Tell the user."),
    }
}

/// Returns what a model reads of a way that failed.
fn lost(kind: &TransportErrorKind, upstream: &str) -> String {
    match kind {
        TransportErrorKind::Status { status: 401 | 403, .. } => format!(
            "The server '{upstream}' refuses the gateway's credentials. Tell the user; `oncue status` says more."
        ),
        TransportErrorKind::Status { status: 429, retry_after_s, .. } => format!(
            "The server '{upstream}' is asked too often. Call again in {} s.",
            retry_after_s.unwrap_or(RETRY_AFTER_SECONDS)
        ),
        TransportErrorKind::Status { status: 503, retry_after_s, .. } => format!(
            "The server '{upstream}' is not available. Call again in {} s.",
            retry_after_s.unwrap_or(RETRY_AFTER_SECONDS)
        ),
        TransportErrorKind::Status { status, .. } => format!(
            "The server '{upstream}' answers with the HTTP status {status} in place of a result; it may have done part of its work. Check that before you call again."
        ),
        TransportErrorKind::TooLong => format!(
            "The answer of the server '{upstream}' is longer than any may be. Ask for less at once."
        ),
        TransportErrorKind::Unreachable => format!(
            "The server '{upstream}' cannot be reached, and nothing was done. Use another tool, or tell the user; `oncue status` says more."
        ),
        TransportErrorKind::Redirect => format!(
            "The server '{upstream}' is at another address now. Use another tool, or tell the user; `oncue status` says which."
        ),
        TransportErrorKind::Protocol => format!(
            "The server '{upstream}' gave an answer that cannot be read; it may have done its work. Check that before you call again."
        ),
        _ => format!(
            "The server '{upstream}' went away during the call; it may have done part of its work. Check that before you call again."
        ),
    }
}
