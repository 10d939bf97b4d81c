//! The lists of this room, held against each other and against the documentation.

use std::collections::BTreeSet;

use oncue_decl::Scope;
use oncue_mcp::{CallError, Members, Raw, RpcError, code};
use oncue_tools::{Cancel, Cancellation, Denial};
use serde_json::json;
use serde_json::value::to_raw_value;

use super::*;
use crate::audit::Outcome;
use crate::upstream::UpstreamError;

const DOCS: &str = include_str!("../../../../docs/gateway.md");

#[test]
fn the_documentation_lists_every_metric() {
    assert!(
        DOCS.contains(reference().trim_end()),
        "docs/gateway.md differs from the metrics; they are:\n{}",
        reference()
    );
}

/// <https://prometheus.io/docs/practices/naming/>
#[test]
fn names_follow_the_conventions() {
    let names: BTreeSet<&str> = METRICS.iter().map(|metric| metric.name).collect();
    assert_eq!(names.len(), METRICS.len(), "each is one metric");
    for metric in METRICS {
        let name = metric.name;
        assert!(name.starts_with("oncue_"), "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        assert_eq!(name.ends_with("_total"), metric.kind == Kind::Counter, "{name}");
        assert_eq!(name.ends_with("_seconds"), metric.unit == metrics::Unit::Seconds, "{name}");
        assert!(!metric.about.ends_with('.') && !metric.about.contains('|'), "{name}");
        if let Kind::Histogram { buckets } = metric.kind {
            assert!(buckets.is_sorted_by(|left, right| left < right), "{name}");
        }
        for (label, _) in metric.labels {
            let bounded = ["upstream", "outcome", "reason", "phase", "list"];
            assert!(bounded.contains(label), "{name}: {label} may have any value");
        }
    }
}

/// Returns the values that the table gives a label.
fn values(name: &str, label: &str) -> Vec<&'static str> {
    let metric = METRICS.into_iter().find(|metric| metric.name == name).expect("a metric");
    let (_, values) = metric.labels.iter().find(|(known, _)| *known == label).expect("a label");
    values.split(", ").collect()
}

#[test]
fn the_table_names_every_value_of_a_label() {
    assert_eq!(values("oncue_calls_total", "outcome"), CallOutcome::ALL.map(CallOutcome::name));
    assert_eq!(
        values("oncue_searches_total", "outcome"),
        SearchOutcome::ALL.map(SearchOutcome::name)
    );
    let denials = [
        Denial::Denied,
        Denial::Upstream,
        Denial::Tool,
        Denial::Excluded,
        Denial::Scope { needed: Scope::Write, held: Scope::Read },
        Denial::Guard("x".to_owned()),
        Denial::GuardFailed("x".into()),
    ];
    let reasons = denials.map(|denial| match Outcome::denied(&denial) {
        Outcome::Denied(reason) => reason,
        other => panic!("{other:?}"),
    });
    assert_eq!(values("oncue_denials_total", "reason"), reasons);
}

#[test]
fn every_outcome_is_at_the_place_of_its_number() {
    for (at, outcome) in CallOutcome::ALL.into_iter().enumerate() {
        assert_eq!(outcome as usize, at);
    }
    for (at, outcome) in SearchOutcome::ALL.into_iter().enumerate() {
        assert_eq!(outcome as usize, at);
    }
}

#[test]
fn an_outcome_is_told_by_what_came_of_the_call() {
    let raw = |value| -> Raw { to_raw_value(&value).expect("JSON") };
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let rpc = || CallError::Rpc(RpcError::new(code::INTERNAL_ERROR, "x"));
    let cases = [
        (Ok(raw(json!({ "content": [] }))), CallOutcome::Ok),
        (Ok(raw(json!({ "content": [], "isError": false }))), CallOutcome::Ok),
        (Ok(raw(json!({ "content": [], "isError": true }))), CallOutcome::ToolError),
        // What stands in a text is no member of the result.
        (
            Ok(raw(json!({ "content": text("\"isError\": true \"input_required\"") }))),
            CallOutcome::Ok,
        ),
        (Ok(raw(json!({ "structuredContent": { "isError": true } }))), CallOutcome::Ok),
        (Ok(raw(json!({ "resultType": "input_required" }))), CallOutcome::Asking),
        (Err(UpstreamError::Busy { calls_max: 1 }), CallOutcome::Busy),
        (Err(UpstreamError::Call(CallError::TimedOut { seconds: 1 })), CallOutcome::TimedOut),
        (Err(UpstreamError::Call(rpc())), CallOutcome::Failed),
        (Err(UpstreamError::Disabled), CallOutcome::Failed),
    ];
    for (outcome, expected) in cases {
        assert_eq!(CallOutcome::of(&outcome, &Cancel::default()), expected, "{outcome:?}");
    }
    let cancel = Cancel::default();
    cancel.fire(Cancellation::Withdrawn);
    let late = Err(UpstreamError::Call(CallError::TimedOut { seconds: 0 }));
    assert_eq!(CallOutcome::of(&late, &cancel), CallOutcome::Cancelled);
}

#[test]
fn a_trace_is_read_from_what_a_request_says_and_put_in_its_place() {
    let params = |meta| Members::of(Some(&to_raw_value(&json!({ "_meta": meta })).expect("JSON")));
    let of = |meta| TraceParent::of(&params(meta).expect("an object"));
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let given = TraceParent { parent: parent.to_owned(), state: Some("a=b".to_owned()) };
    assert_eq!(of(json!({ "traceparent": parent, "tracestate": "a=b" })), Some(given));
    let without = TraceParent { parent: "x".to_owned(), state: None };
    assert_eq!(of(json!({ "traceparent": "x" })), Some(without.clone()), "not looked at yet");
    for none in [json!({}), json!({ "traceparent": 1 }), json!({ "a": "traceparent" }), json!(1)] {
        assert_eq!(of(none.clone()), None, "{none}");
    }
    let mut meta = Members::new();
    meta.set("tracestate", &"old").expect("JSON");
    meta.set("mine", &1).expect("JSON");
    without.put(&mut meta).expect("JSON");
    let put = meta.to_raw().expect("JSON").get().to_owned();
    assert_eq!(put, r#"{"mine":1,"traceparent":"x"}"#);
}
