use std::error::Error as _;

use super::*;
use crate::{AskReason, Cancellation, Denial, Grants, Panic, PlainTools, ToolSet};

/// An error, its text for the model and its text for the operator.
type Case = (ToolError, &'static str, &'static str);

fn before_the_run() -> Vec<Case> {
    let unresolved = PlainTools::new(Vec::new(), &Grants::all()).resolve("gone").expect_err("none");
    vec![
        (ToolError::unknown(&unresolved), "Tool 'gone' does not exist.", "unknown tool"),
        (
            ToolError::arguments("export", "'table' is missing", "{table: string}", "{}"),
            "Arguments of 'export' do not fit: 'table' is missing. Expected {table: string}. You sent {}. Nothing was run; call export again with arguments of that shape.",
            "bad arguments",
        ),
        (
            ToolError::denied("export", Denial::Guard("it is night".into())),
            "Call of 'export' is not allowed: it is night. Nothing was run; do not repeat it. Use another tool, or tell the user what you would need.",
            "denied: the guard denies it: it is night",
        ),
        (
            ToolError::denied("export", Denial::GuardFailed("cannot reach 10.0.0.7".into())),
            "Call of 'export' is not allowed. Nothing was run; do not repeat it. Use another tool, or tell the user what you would need.",
            "denied: the guard failed: cannot reach 10.0.0.7",
        ),
        (
            ToolError::denied_by_hook("export", "the quota is used up"),
            "Call of 'export' is not allowed: the quota is used up. Nothing was run; do not repeat it. Use another tool, or tell the user what you would need.",
            "denied",
        ),
        (
            ToolError::hook_failed("export").with_cause("cannot reach 10.0.0.7"),
            "Call of 'export' could not be checked and was not run. Do not repeat it; tell the user that a check before 'export' failed.",
            "denied: cannot reach 10.0.0.7",
        ),
        (
            ToolError::result_withheld("export").with_cause("cannot reach 10.0.0.7"),
            "'export' ran, but its result could not be checked and is withheld. Do not call it again for the same purpose; tell the user that a check after 'export' failed.",
            "denied: cannot reach 10.0.0.7",
        ),
        (
            ToolError::refused("export", None),
            "The user did not agree to the call of 'export'. Nothing was run; do not repeat it unless the user asks for it. Ask the user how to go on.",
            "refused",
        ),
        (
            ToolError::refused("export", Some("not today")),
            "The user did not agree to the call of 'export': not today. Nothing was run; do not repeat it unless the user asks for it. Ask the user how to go on.",
            "refused",
        ),
        (
            ToolError::undecided("export"),
            "'export' waits for the user's consent. Nothing was run; go on with something else, or tell the user what it waits for.",
            "undecided",
        ),
        (
            ToolError::nobody_to_ask("export", &AskReason::Gated),
            "'export' needs the user's consent, and nobody can give it here. Nothing was run; do not repeat it. Tell the user what you would have called and why.",
            "refused: the tool is gated and the assembly has no approver",
        ),
        (
            ToolError::nobody_to_ask("export", &AskReason::Guard("large".into())),
            "'export' needs the user's consent, and nobody can give it here. Nothing was run; do not repeat it. Tell the user what you would have called and why.",
            "refused: the guard asks (large) and the assembly has no approver",
        ),
        (
            ToolError::too_many_calls("export"),
            "Only 128 calls are run in one step; this call of 'export' was not run. Call export again in the next step if it is still needed.",
            "budget exhausted",
        ),
    ]
}

fn from_the_run_on() -> Vec<Case> {
    vec![
        (
            ToolError::new("The disk is full. Call freeSpace first.")
                .with_cause("ENOSPC on /dev/sda1"),
            "The disk is full. Call freeSpace first.",
            "failed: ENOSPC on /dev/sda1",
        ),
        (
            ToolError::of(ErrorKind::Unavailable, "The shop is closed. Call export again later."),
            "The shop is closed. Call export again later.",
            "unavailable",
        ),
        (
            ToolError::called_off("export", Cancellation::Deadline),
            "'export' took too long and was stopped; it may have done part of its work. Check what it did before you call export again, and ask for less at once.",
            "timed out",
        ),
        (
            ToolError::not_begun("export", Cancellation::Deadline),
            "The time for the call of 'export' was over before it began. Nothing was run; call export again if it is still needed.",
            "timed out",
        ),
        (
            ToolError::called_off("export", Cancellation::Withdrawn),
            "'export' was called off before it finished; it may have done part of its work. Do not repeat it unless the user asks for it.",
            "cancelled",
        ),
        (
            ToolError::not_begun("export", Cancellation::Withdrawn),
            "The call of 'export' was called off before it began. Nothing was run; do not repeat it unless the user asks for it.",
            "cancelled",
        ),
        (
            ToolError::panicked("export", Panic::of(&"index out of bounds")),
            "'export' broke down; this is a fault of the program, not of your call. Do not repeat it with the same arguments. Use another tool, or tell the user that 'export' is broken.",
            "panicked: index out of bounds",
        ),
        (
            ToolError::of(ErrorKind::Assembly, "ToolSearchRegistry not available in tool context"),
            "ToolSearchRegistry not available in tool context",
            "wrongly assembled",
        ),
    ]
}

// founding: B5, B13
#[test]
fn every_kind_of_error_has_a_text_for_the_model_and_one_for_the_operator() {
    let mut kinds = Vec::new();
    for (error, model, operator) in before_the_run().into_iter().chain(from_the_run_on()) {
        assert_eq!(error.to_string(), model);
        assert_eq!(error.operator().to_string(), operator);
        if let Some(cause) = error.source().filter(|_| error.kind() != ErrorKind::Denied) {
            assert!(!model.contains(&cause.to_string()), "{model}");
        }
        kinds.push(error.kind());
    }
    for kind in ErrorKind::ALL {
        assert!(kinds.contains(&kind), "{kind:?} has no text here");
    }
}

#[test]
fn who_has_to_change_something_and_whether_repeating_helps() {
    let table = [
        (ErrorKind::UnknownTool, Blame::Model, false),
        (ErrorKind::Arguments, Blame::Model, false),
        (ErrorKind::Denied, Blame::User, false),
        (ErrorKind::Refused, Blame::User, false),
        (ErrorKind::Undecided, Blame::User, true),
        (ErrorKind::Budget, Blame::Model, false),
        (ErrorKind::Failed, Blame::World, false),
        (ErrorKind::Unavailable, Blame::World, true),
        (ErrorKind::TimedOut, Blame::World, true),
        (ErrorKind::Cancelled, Blame::User, false),
        (ErrorKind::Panicked, Blame::Program, false),
        (ErrorKind::Assembly, Blame::Program, false),
    ];
    assert_eq!(table.map(|row| row.0), ErrorKind::ALL);
    for (kind, blame, retryable) in table {
        assert_eq!((kind.blame(), kind.is_retryable()), (blame, retryable), "{kind:?}");
    }
}
