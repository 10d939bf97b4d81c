//! What came of a call or a search, in one word: the same in numbers and in spans.

use oncue_mcp::{CallError, Members, Raw};
use oncue_tools::Cancel;
use serde_json::value::RawValue;

use crate::upstream::UpstreamError;

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    /// The tool has answered.
    Ok,
    /// The tool has answered that it failed.
    ToolError,
    /// The upstream asks something of the client before it goes on.
    Asking,
    /// The call was not forwarded: no such tool, no permission, arguments that do not fit.
    Refused,
    /// As many calls run as may.
    Busy,
    /// The upstream did not answer in time.
    TimedOut,
    /// The client has taken the call back or gone away.
    Cancelled,
    /// The upstream gave no result.
    Failed,
}

impl CallOutcome {
    /// Every outcome, each at the place of its number.
    pub(crate) const ALL: [Self; 8] = [
        Self::Ok,
        Self::ToolError,
        Self::Asking,
        Self::Refused,
        Self::Busy,
        Self::TimedOut,
        Self::Cancelled,
        Self::Failed,
    ];

    /// Returns the word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ToolError => "tool_error",
            Self::Asking => "asking",
            Self::Refused => "refused",
            Self::Busy => "busy",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    /// Returns what came of a call that was forwarded.
    ///
    /// A result is looked through for two words, and read only where it holds one of them.
    pub(crate) fn of(outcome: &Result<Raw, UpstreamError>, cancel: &Cancel) -> Self {
        match outcome {
            Ok(result) => Self::of_result(result),
            Err(_) if cancel.reason().is_some() => Self::Cancelled,
            Err(UpstreamError::Busy { .. }) => Self::Busy,
            Err(UpstreamError::Call(CallError::TimedOut { .. })) => Self::TimedOut,
            Err(_) => Self::Failed,
        }
    }

    fn of_result(result: &RawValue) -> Self {
        let text = result.get();
        if !text.contains("\"isError\"") && !text.contains("\"input_required\"") {
            return Self::Ok;
        }
        let Ok(members) = Members::of(Some(result)) else { return Self::Ok };
        if members.read::<bool>("isError") == Some(true) {
            Self::ToolError
        } else if members.read::<String>("resultType").as_deref() == Some("input_required") {
            Self::Asking
        } else {
            Self::Ok
        }
    }
}

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchOutcome {
    /// Tools were found.
    Hits,
    /// Nothing fits.
    Nothing,
    /// There was no query.
    Refused,
}

impl SearchOutcome {
    /// Every outcome, each at the place of its number.
    pub(crate) const ALL: [Self; 3] = [Self::Hits, Self::Nothing, Self::Refused];

    /// Returns the word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hits => "hits",
            Self::Nothing => "nothing",
            Self::Refused => "refused",
        }
    }
}
