//! What is counted where it happens.
//!
//! The label sets of a gateway and of an upstream are fixed, so each is looked up in the recorder once, when the gateway starts or the upstream is set up.
//! A count then costs two atomic additions (the number, and that it has changed) and a time a push to a bucket without a lock; with no recorder both cost a branch.
//! Over OTLP the recorder adds to its own tables, under a lock of one metric.

use std::time::Duration;

use metrics::{Counter, Histogram, counter, histogram};

use super::table::{
    ACTIVATIONS, CALL_SECONDS, CALLS, DENIALS, ENDS, REFUSED_REQUESTS, SEARCH_SECONDS, SEARCHES,
    START_FAILURES, STARTS,
};
use super::{CallOutcome, SearchOutcome};

/// Why the one decision about permission denies, in the words of the record of calls.
const REASONS: [&str; 7] = [
    "denied_by_name", "upstream_not_granted", "tool_not_granted", "excluded", "scope", "guard",
    "guard_failed",
];

/// The counts of a gateway. Lives as long as the gateway.
pub(crate) struct OfGateway {
    searches: [Counter; 3],
    search_seconds: Histogram,
    activations: Counter,
    denials: [Counter; 7],
    /// Calls of names that lead to no upstream.
    nowhere: [Counter; 8],
}

/// The counts of an upstream. Lives as long as the upstream; those of one id are the same counts, whichever settings it has.
pub(crate) struct OfUpstream {
    calls: [Counter; 8],
    call_seconds: Histogram,
    starts: Counter,
    start_failures: Counter,
    ends: Counter,
}

impl OfGateway {
    /// Looks the counts up in the recorder that is installed.
    pub(crate) fn new() -> Self {
        Self {
            searches: SearchOutcome::ALL
                .map(|outcome| counter!(SEARCHES.name, "outcome" => outcome.name())),
            search_seconds: histogram!(SEARCH_SECONDS.name),
            activations: counter!(ACTIVATIONS.name),
            denials: REASONS.map(|reason| counter!(DENIALS.name, "reason" => reason)),
            nowhere: calls(""),
        }
    }

    /// A search was answered after this time.
    pub(crate) fn searched(&self, outcome: SearchOutcome, took: Duration) {
        if let Some(count) = self.searches.get(outcome as usize) {
            count.increment(1);
        }
        self.search_seconds.record(took);
    }

    /// A search was refused; nothing was looked for.
    pub(crate) fn search_refused(&self) {
        if let Some(count) = self.searches.get(SearchOutcome::Refused as usize) {
            count.increment(1);
        }
    }

    /// So many tools have joined the list of a session.
    pub(crate) fn activated(&self, tools: usize) {
        self.activations.increment(tools as u64);
    }

    /// A call was denied, for this reason of the record.
    pub(crate) fn denied(&self, reason: &str) {
        let known = REASONS.iter().zip(&self.denials).find(|(known, _)| **known == reason);
        if let Some((_, count)) = known {
            count.increment(1);
        }
    }

    /// A call of a name that leads to no upstream is over.
    pub(crate) fn called_nowhere(&self, outcome: CallOutcome) {
        if let Some(count) = self.nowhere.get(outcome as usize) {
            count.increment(1);
        }
    }
}

impl OfUpstream {
    /// Looks the counts up in the recorder that is installed.
    pub(crate) fn new(id: &str) -> Self {
        let of = |name: &'static str| counter!(name, "upstream" => id.to_owned());
        Self {
            calls: calls(id),
            call_seconds: histogram!(CALL_SECONDS.name, "upstream" => id.to_owned()),
            starts: of(STARTS.name),
            start_failures: of(START_FAILURES.name),
            ends: of(ENDS.name),
        }
    }

    /// A call was forwarded and is over after this time.
    pub(crate) fn called(&self, outcome: CallOutcome, took: Duration) {
        self.call_over(outcome);
        self.call_seconds.record(took);
    }

    /// A call is over that was not forwarded.
    pub(crate) fn call_over(&self, outcome: CallOutcome) {
        if let Some(count) = self.calls.get(outcome as usize) {
            count.increment(1);
        }
    }

    /// It has started, or could not be.
    pub(crate) fn started(&self, is_up: bool) {
        match is_up {
            true => self.starts.increment(1),
            false => self.start_failures.increment(1),
        }
    }

    /// It has ended without being asked to.
    pub(crate) fn ended(&self) {
        self.ends.increment(1);
    }
}

fn calls(id: &str) -> [Counter; 8] {
    CallOutcome::ALL.map(
        |outcome| counter!(CALLS.name, "upstream" => id.to_owned(), "outcome" => outcome.name()),
    )
}

/// The counts of the door. Lives as long as the door.
pub(crate) struct Door {
    pub(crate) malformed: Counter,
    pub(crate) missing: Counter,
    pub(crate) invalid: Counter,
    pub(crate) unavailable: Counter,
}

impl Door {
    /// Looks the counts up in the recorder that is installed.
    pub(crate) fn new() -> Self {
        let of = |reason: &'static str| counter!(REFUSED_REQUESTS.name, "reason" => reason);
        Self {
            malformed: of("malformed"),
            missing: of("missing"),
            invalid: of("invalid"),
            unavailable: of("unavailable"),
        }
    }
}
