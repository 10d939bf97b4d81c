//! What the path of a call says when it stops: one function per reason.

use super::{ErrorKind, ToolError};
use crate::limits::CALLS_PER_STEP_MAX;
use crate::{AskReason, Cancellation, Denial, Panic, Unresolved};

impl ToolError {
    /// The name leads to no tool that may be called now.
    pub(crate) fn unknown(unresolved: &Unresolved) -> Self {
        Self::of(ErrorKind::UnknownTool, unresolved.to_string())
    }

    /// The arguments of a call of `name` do not fit; `problems` and `shape` are rendered by `validate`.
    pub(crate) fn arguments(name: &str, problems: &str, shape: &str, echo: &str) -> Self {
        Self::of(
            ErrorKind::Arguments,
            format!(
                "Arguments of '{name}' do not fit: {problems}. Expected {shape}. You sent {echo}. Nothing was run; call {name} again with arguments of that shape."
            ),
        )
    }

    /// The grants let the tool be seen but not this call be made.
    pub(crate) fn denied(name: &str, denial: Denial) -> Self {
        let why = match &denial {
            Denial::Guard(why) => format!("Call of '{name}' is not allowed: {why}. "),
            Denial::Denied
            | Denial::Upstream
            | Denial::Tool
            | Denial::Excluded
            | Denial::Scope { .. }
            | Denial::GuardFailed(_) => format!("Call of '{name}' is not allowed. "),
        };
        let next = "Nothing was run; do not repeat it. Use another tool, or tell the user what you would need.";
        Self::of(ErrorKind::Denied, why + next).with_cause(denial)
    }

    /// A hook before the call says no.
    pub(crate) fn denied_by_hook(name: &str, why: &str) -> Self {
        Self::of(
            ErrorKind::Denied,
            format!(
                "Call of '{name}' is not allowed: {why}. Nothing was run; do not repeat it. Use another tool, or tell the user what you would need."
            ),
        )
    }

    /// A hook before the call failed, so the call is denied.
    pub(crate) fn hook_failed(name: &str) -> Self {
        Self::of(
            ErrorKind::Denied,
            format!(
                "Call of '{name}' could not be checked and was not run. Do not repeat it; tell the user that a check before '{name}' failed."
            ),
        )
    }

    /// A hook after the call failed, so its result is withheld.
    pub(crate) fn result_withheld(name: &str) -> Self {
        Self::of(
            ErrorKind::Denied,
            format!(
                "'{name}' ran, but its result could not be checked and is withheld. Do not call it again for the same purpose; tell the user that a check after '{name}' failed."
            ),
        )
    }

    /// A person did not agree.
    pub(crate) fn refused(name: &str, why: Option<&str>) -> Self {
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        Self::of(
            ErrorKind::Refused,
            format!(
                "The user did not agree to the call of '{name}'{why}. Nothing was run; do not repeat it unless the user asks for it. Ask the user how to go on."
            ),
        )
    }

    /// The person who could agree has not answered yet.
    pub(crate) fn undecided(name: &str) -> Self {
        Self::of(
            ErrorKind::Undecided,
            format!(
                "'{name}' waits for the user's consent. Nothing was run; go on with something else, or tell the user what it waits for."
            ),
        )
    }

    /// Nobody was there who could agree.
    pub(crate) fn nobody_to_ask(name: &str, reason: &AskReason) -> Self {
        let cause = match reason {
            AskReason::Gated => "the tool is gated and the assembly has no approver".to_owned(),
            AskReason::Guard(why) => {
                format!("the guard asks ({why}) and the assembly has no approver")
            }
        };
        Self::of(
            ErrorKind::Refused,
            format!(
                "'{name}' needs the user's consent, and nobody can give it here. Nothing was run; do not repeat it. Tell the user what you would have called and why."
            ),
        )
        .with_cause(cause)
    }

    /// The call was stopped while it ran.
    pub(crate) fn called_off(name: &str, reason: Cancellation) -> Self {
        match reason {
            Cancellation::Deadline => Self::of(
                ErrorKind::TimedOut,
                format!(
                    "'{name}' took too long and was stopped; it may have done part of its work. Check what it did before you call {name} again, and ask for less at once."
                ),
            ),
            Cancellation::Withdrawn => Self::of(
                ErrorKind::Cancelled,
                format!(
                    "'{name}' was called off before it finished; it may have done part of its work. Do not repeat it unless the user asks for it."
                ),
            ),
        }
    }

    /// The call was stopped before its tool ran.
    pub(crate) fn not_begun(name: &str, reason: Cancellation) -> Self {
        match reason {
            Cancellation::Deadline => Self::of(
                ErrorKind::TimedOut,
                format!(
                    "The time for the call of '{name}' was over before it began. Nothing was run; call {name} again if it is still needed."
                ),
            ),
            Cancellation::Withdrawn => Self::of(
                ErrorKind::Cancelled,
                format!(
                    "The call of '{name}' was called off before it began. Nothing was run; do not repeat it unless the user asks for it."
                ),
            ),
        }
    }

    /// The tool panicked.
    pub(crate) fn panicked(name: &str, panic: Panic) -> Self {
        Self::of(
            ErrorKind::Panicked,
            format!(
                "'{name}' broke down; this is a fault of the program, not of your call. Do not repeat it with the same arguments. Use another tool, or tell the user that '{name}' is broken."
            ),
        )
        .with_cause(panic)
    }

    /// The step has more calls than are run at once.
    pub(crate) fn too_many_calls(name: &str) -> Self {
        Self::of(
            ErrorKind::Budget,
            format!(
                "Only {CALLS_PER_STEP_MAX} calls are run in one step; this call of '{name}' was not run. Call {name} again in the next step if it is still needed."
            ),
        )
    }
}
