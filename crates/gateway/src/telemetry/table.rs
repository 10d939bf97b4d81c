//! Every metric, written down once; descriptions, buckets and the table of the documentation derive from it.

use std::fmt::Write;

use metrics::Unit;

/// One metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// What it is called, over Prometheus and over OTLP.
    pub name: &'static str,
    /// What its numbers do.
    pub kind: Kind,
    /// What its numbers count.
    pub unit: Unit,
    /// Its labels, each with the values that it can have.
    pub labels: &'static [(&'static str, &'static str)],
    /// What it tells, in one sentence without a period.
    pub about: &'static str,
}

/// What the numbers of a metric do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// They grow until the gateway ends.
    Counter,
    /// They say how it is now.
    Gauge,
    /// They are counted by size, up to each of these bounds.
    Histogram {
        /// The bounds, in the metric's unit, growing.
        buckets: &'static [f64],
    },
}

const UPSTREAM: (&str, &str) =
    ("upstream", "an id of the settings; empty where no upstream is meant");
const THIS_UPSTREAM: (&str, &str) = ("upstream", "an id of the settings");

pub(super) const SEARCHES: Metric = Metric {
    name: "oncue_searches_total",
    kind: Kind::Counter,
    unit: Unit::Count,
    labels: &[("outcome", "hits, nothing, refused")],
    about: "Searches by what came of them",
};

pub(super) const SEARCH_SECONDS: Metric = Metric {
    name: "oncue_search_duration_seconds",
    // A search of some thousand tools takes well under a millisecond.
    kind: Kind::Histogram {
        buckets: &[
            0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
            1.0,
        ],
    },
    unit: Unit::Seconds,
    labels: &[],
    about: "Time until the answer of a search is written, without the wait for a client that lists again",
};

pub(super) const CALLS: Metric = Metric {
    name: "oncue_calls_total",
    kind: Kind::Counter,
    unit: Unit::Count,
    labels: &[
        UPSTREAM,
        ("outcome", "ok, tool_error, asking, refused, busy, timed_out, cancelled, failed"),
    ],
    about: "Calls of tools by what came of them",
};

pub(super) const CALL_SECONDS: Metric = Metric {
    name: "oncue_call_duration_seconds",
    kind: Kind::Histogram {
        buckets: &[
            0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
        ],
    },
    unit: Unit::Seconds,
    labels: &[THIS_UPSTREAM],
    about: "Time of a call that was forwarded, from its arrival to its outcome, a start of the upstream included",
};

pub(super) const ACTIVATIONS: Metric = Metric {
    name: "oncue_activations_total",
    kind: Kind::Counter,
    unit: Unit::Count,
    labels: &[],
    about: "Tools that a search has added to the list of a session, in dynamic mode",
};

pub(super) const DENIALS: Metric = Metric {
    name: "oncue_denials_total",
    kind: Kind::Counter,
    unit: Unit::Count,
    labels: &[(
        "reason",
        "denied_by_name, upstream_not_granted, tool_not_granted, excluded, scope, guard, guard_failed",
    )],
    about: "Calls of tools that the caller may not call",
};

pub(super) const REFUSED_REQUESTS: Metric = Metric {
    name: "oncue_refused_requests_total",
    kind: Kind::Counter,
    unit: Unit::Count,
    labels: &[("reason", "malformed, missing, invalid, unavailable")],
    about: "Requests over HTTP that were let in by nobody: malformed, without a token, with one that is not valid, or while tokens could not be read",
};

pub(super) const STARTS: Metric = Metric {
    name: "oncue_upstream_starts_total",
    kind: Kind::Counter,
    unit: Unit::Count,
    labels: &[THIS_UPSTREAM],
    about: "Starts of an upstream that went well; a server behind HTTP is started once for each principal",
};

pub(super) const START_FAILURES: Metric = Metric {
    name: "oncue_upstream_start_failures_total",
    kind: Kind::Counter,
    unit: Unit::Count,
    labels: &[THIS_UPSTREAM],
    about: "Starts of an upstream that failed",
};

pub(super) const ENDS: Metric = Metric {
    name: "oncue_upstream_ends_total",
    kind: Kind::Counter,
    unit: Unit::Count,
    labels: &[THIS_UPSTREAM],
    about: "Times that an upstream ended without being asked to",
};

pub(super) const UPSTREAMS: Metric = Metric {
    name: "oncue_upstreams",
    kind: Kind::Gauge,
    unit: Unit::Count,
    labels: &[("phase", "down, starting, up, backing_off, broken, disabled")],
    about: "Upstreams by what they are doing",
};

pub(super) const TOOLS: Metric = Metric {
    name: "oncue_upstream_tools",
    kind: Kind::Gauge,
    unit: Unit::Count,
    labels: &[THIS_UPSTREAM],
    about: "Tools of an upstream that can be used",
};

pub(super) const SESSIONS: Metric = Metric {
    name: "oncue_sessions",
    kind: Kind::Gauge,
    unit: Unit::Count,
    labels: &[],
    about: "Sessions of clients of the older era",
};

pub(super) const CALLS_RUNNING: Metric = Metric {
    name: "oncue_calls_running",
    kind: Kind::Gauge,
    unit: Unit::Count,
    labels: &[],
    about: "Calls of tools that run",
};

pub(super) const CALLS_PARKED: Metric = Metric {
    name: "oncue_calls_parked",
    kind: Kind::Gauge,
    unit: Unit::Count,
    labels: &[],
    about: "Calls that wait for a client to come back with answers",
};

pub(super) const LIST_TOKENS: Metric = Metric {
    name: "oncue_list_tokens",
    kind: Kind::Gauge,
    unit: Unit::Count,
    labels: &[("list", "whole, shown")],
    about: "About how many tokens the list of all tools would cost a model, and the list that clients are shown; a token is taken for four bytes",
};

/// Every metric, in the order in which the documentation tells them.
pub const METRICS: [Metric; 16] = [
    SEARCHES, SEARCH_SECONDS, CALLS, CALL_SECONDS, ACTIVATIONS, DENIALS, REFUSED_REQUESTS, STARTS,
    START_FAILURES, ENDS, UPSTREAMS, TOOLS, SESSIONS, CALLS_RUNNING, CALLS_PARKED, LIST_TOKENS,
];

/// Tells the recorder that is installed what each metric means. To be called once, after it was installed and before the gateway starts.
pub fn describe() {
    for metric in METRICS {
        let Metric { name, unit, about, .. } = metric;
        match metric.kind {
            Kind::Counter => metrics::describe_counter!(name, unit, about),
            Kind::Gauge => metrics::describe_gauge!(name, unit, about),
            Kind::Histogram { .. } => metrics::describe_histogram!(name, unit, about),
        }
    }
}

/// Returns the table of the documentation, in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut table = String::from("| metric | kind | labels | what it tells |\n|---|---|---|---|\n");
    for metric in METRICS {
        let kind = match metric.kind {
            Kind::Counter => "counter".to_owned(),
            Kind::Gauge => "gauge".to_owned(),
            Kind::Histogram { buckets } => {
                let bounds: Vec<String> = buckets.iter().map(ToString::to_string).collect();
                format!("histogram: {}", bounds.join(", "))
            }
        };
        let labels: Vec<String> =
            metric.labels.iter().map(|(name, values)| format!("`{name}`: {values}")).collect();
        // A text in memory takes everything.
        let _ = writeln!(
            table,
            "| `{}` | {kind} | {} | {} |",
            metric.name,
            labels.join("; "),
            metric.about
        );
    }
    table
}
