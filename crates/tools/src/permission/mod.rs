//! Who may call what: one function over row, grants and arguments.

mod grants;
mod pattern;

use std::panic::{AssertUnwindSafe, catch_unwind};

use oncue_decl::{Row, Scope, Tier};

pub use grants::{Grants, Guard, GuardError, Principal, PrincipalName};
pub use pattern::{Glob, ToolPattern};

use crate::Arguments;

/// What becomes of one call. Closed on purpose: every door must treat all three.
#[derive(Debug)]
pub enum Decision {
    /// It may run.
    Allow,
    /// It may run after a person has agreed.
    Ask {
        /// Why a person must agree.
        reason: AskReason,
    },
    /// It may not run.
    Deny {
        /// Why not; for the operator.
        denial: Denial,
    },
}

/// Why a person must agree to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskReason {
    /// The tool is gated and not among those that run without asking.
    Gated,
    /// The guard of the grants wants it, and why.
    Guard(String),
}

/// Why a call may not run.
#[derive(Debug, thiserror::Error)]
pub enum Denial {
    /// The tool is on the list of denied tools.
    #[error("the tool is denied by name")]
    Denied,
    /// The upstream is not among the granted ones.
    #[error("the upstream is not granted")]
    Upstream,
    /// The tool is not among the granted ones.
    #[error("the tool is not granted")]
    Tool,
    /// The tool is open to no external client.
    #[error("the tool is excluded from external clients")]
    Excluded,
    /// The tool needs a wider scope.
    #[error("the tool needs the scope {needed:?}, the client holds {held:?}")]
    Scope {
        /// The narrowest scope that opens the tool.
        needed: Scope,
        /// The scope of the client.
        held: Scope,
    },
    /// The guard of the grants says no, and why; the model may know.
    #[error("the guard denies it: {0}")]
    Guard(String),
    /// The guard of the grants failed.
    #[error("the guard failed")]
    GuardFailed(#[source] GuardError),
}

/// What a [`Guard`] has against a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// A person must agree first; the text tells the person why.
    Ask(String),
    /// The call must not run; the text tells the model why.
    Deny(String),
}

/// Decides whether a call of `row`, a tool of `source`, may run with these `arguments`.
///
/// Every door goes through here. What fails on the way is a [`Decision::Deny`].
///
/// ```
/// use oncue_decl::{Row, Tier};
/// use oncue_tools::{Arguments, AskReason, Decision, Grants, decide};
///
/// let read = Row::inline("read", "Reads a file").with_tier(Tier::Silent);
/// let write = Row::inline("write", "Writes a file");
/// let grants = Grants::local();
/// assert!(matches!(decide("", &read, &grants, &Arguments::default()), Decision::Allow));
/// assert!(matches!(
///     decide("", &write, &grants, &Arguments::default()),
///     Decision::Ask { reason: AskReason::Gated }
/// ));
/// ```
#[must_use]
pub fn decide(source: &str, row: &Row, grants: &Grants, arguments: &Arguments) -> Decision {
    let own = decide_alone(source, row, grants, arguments);
    let Some(outer) = &grants.outer else { return own };
    match (own, decide(source, row, outer, arguments)) {
        (deny @ Decision::Deny { .. }, _) | (_, deny @ Decision::Deny { .. }) => deny,
        (ask @ Decision::Ask { .. }, _) | (_, ask @ Decision::Ask { .. }) => ask,
        (Decision::Allow, Decision::Allow) => Decision::Allow,
    }
}

/// Decides without regard to the grants around these.
fn decide_alone(source: &str, row: &Row, grants: &Grants, arguments: &Arguments) -> Decision {
    if let Some(denial) = refusal(source, row, grants) {
        return Decision::Deny { denial };
    }
    let guarded = match guarded(source, row, grants, arguments) {
        Ok(guarded) => guarded,
        Err(error) => return Decision::Deny { denial: Denial::GuardFailed(error) },
    };
    match (guarded, row.tier()) {
        (Some(Restriction::Deny(why)), Tier::Silent | Tier::Gated | Tier::Loop) => {
            Decision::Deny { denial: Denial::Guard(why) }
        }
        (Some(Restriction::Ask(why)), Tier::Silent | Tier::Gated | Tier::Loop) => {
            Decision::Ask { reason: AskReason::Guard(why) }
        }
        (None, Tier::Silent | Tier::Loop) => Decision::Allow,
        (None, Tier::Gated) if is_in(&grants.unasked, source, row) => Decision::Allow,
        (None, Tier::Gated) => Decision::Ask { reason: AskReason::Gated },
    }
}

/// Returns why the tool is out of the grants' reach whatever its arguments are; `None` where it is within.
fn refusal(source: &str, row: &Row, grants: &Grants) -> Option<Denial> {
    if is_in(&grants.denied, source, row) {
        return Some(Denial::Denied);
    }
    if !grants.reaches(source) {
        return Some(Denial::Upstream);
    }
    if grants.tools.as_ref().is_some_and(|tools| !is_in(tools, source, row)) {
        return Some(Denial::Tool);
    }
    match grants.principal {
        Principal::Local => None,
        Principal::External { scope: held, .. } => match row.exposure().scope() {
            None => Some(Denial::Excluded),
            Some(needed) if needed <= held => None,
            Some(needed) => Some(Denial::Scope { needed, held }),
        },
    }
}

/// Asks the guard, and takes a panic in it for the error that it is.
fn guarded(
    source: &str,
    row: &Row,
    grants: &Grants,
    arguments: &Arguments,
) -> Result<Option<Restriction>, GuardError> {
    let Some(guard) = &grants.guard else { return Ok(None) };
    catch_unwind(AssertUnwindSafe(|| guard(source, row, arguments)))
        .unwrap_or_else(|_| Err("the guard panicked".into()))
}

fn is_in(patterns: &[ToolPattern], source: &str, row: &Row) -> bool {
    patterns.iter().any(|pattern| pattern.matches(source, row.name()))
}

#[cfg(test)]
mod tests;
