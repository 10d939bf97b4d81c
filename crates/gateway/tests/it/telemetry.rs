//! What the gateway counts and tells of itself.

use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use oncue_gateway::access::{Access, Policy, Tokens};
use oncue_gateway::config::Settings;
use oncue_gateway::serve::{GrantsOf, ListTokens, Local};
use oncue_gateway::state::StateDir;
use oncue_gateway::telemetry::{self, Kind, METRICS, State};
use oncue_mcp::{Era, Expect, List};
use oncue_tools::{Grants, Principal, ToolPattern};
use serde_json::json;

use crate::bench::{Bench, Fakes, settings, until};

/// A gateway whose numbers go nowhere else.
struct Watched {
    bench: Bench,
    recorder: PrometheusRecorder,
    state: State,
}

impl Watched {
    fn new(settings: Settings, access: impl GrantsOf) -> Self {
        let recorder = PrometheusBuilder::new().build_recorder();
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let bench = metrics::with_local_recorder(&recorder, || {
            telemetry::describe();
            Bench::within(folder, settings, access)
        });
        Self { bench, recorder, state: State::default() }
    }

    fn handle(&self) -> PrometheusHandle {
        self.recorder.handle()
    }

    /// Returns all lines that are told and begin so.
    fn lines(&self, begin: &str) -> Vec<String> {
        metrics::with_local_recorder(&self.recorder, || self.state.set(&self.bench.gateway));
        let text = self.handle().render();
        let mut lines: Vec<String> =
            text.lines().filter(|line| line.starts_with(begin)).map(str::to_owned).collect();
        lines.sort();
        lines
    }

    /// Returns the lines that begin so and tell something else than nothing.
    fn told(&self, begin: &str) -> Vec<String> {
        let mut lines = self.lines(begin);
        lines.retain(|line| !line.ends_with(" 0"));
        lines
    }
}

fn fakes() -> Fakes {
    Fakes::from([
        ("alpha", json!({ "tools": ["echo", "read_file", "fail"] })),
        ("beta", json!({ "tools": ["send_mail"] })),
    ])
}

#[tokio::test]
async fn searches_and_calls_are_counted_by_what_came_of_them() {
    let watched = Watched::new(settings(&fakes(), ""), Local::default());
    watched.bench.gateway.settled().await;
    let client = watched.bench.client().await;
    client.search("send mail").await;
    client.search("xyzzy plugh").await;
    client.call("search_tools", json!({ "query": " " })).await;
    client.call_by("alpha__echo", json!({})).await;
    client.call("alpha__echo", json!({})).await;
    client.call("alpha__fail", json!({})).await;
    client.call("alpha__no_such", json!({})).await;
    assert_eq!(
        watched.told("oncue_searches_total"),
        [
            r#"oncue_searches_total{outcome="hits"} 1"#,
            r#"oncue_searches_total{outcome="nothing"} 1"#,
            r#"oncue_searches_total{outcome="refused"} 1"#,
        ]
    );
    assert_eq!(
        watched.told("oncue_calls_total"),
        [
            r#"oncue_calls_total{upstream="",outcome="refused"} 1"#,
            r#"oncue_calls_total{upstream="alpha",outcome="failed"} 1"#,
            r#"oncue_calls_total{upstream="alpha",outcome="ok"} 2"#,
        ]
    );
    // A refused search took no time worth telling, and a call that was not forwarded neither.
    assert_eq!(
        watched.told("oncue_search_duration_seconds_count"),
        ["oncue_search_duration_seconds_count 2"]
    );
    assert_eq!(
        watched.told("oncue_call_duration_seconds_count"),
        [r#"oncue_call_duration_seconds_count{upstream="alpha"} 3"#]
    );
    watched.bench.gateway.stop().await;
}

#[tokio::test]
async fn starts_ends_and_failures_of_upstreams_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let fault = folder.path().join("fault");
    std::fs::write(&fault, "").expect("written");
    let fakes = Fakes::from([
        ("good", json!({ "tools": ["echo"] })),
        ("ends", json!({ "tools": ["echo"], "fault": "exit", "phase": "call" })),
        ("never", json!({ "fault": "exit", "phase": "start", "while": fault })),
    ]);
    let watched = Watched::new(settings(&fakes, ""), Local::default());
    watched.bench.gateway.settled().await;
    let client = watched.bench.client().await;
    client.call("good__echo", json!({})).await;
    client.call("ends__echo", json!({})).await;
    let ended = async || !watched.told("oncue_upstream_ends_total").is_empty();
    until("the end is counted", Duration::from_secs(5), ended).await;
    assert_eq!(
        watched.told("oncue_upstream_ends_total"),
        [r#"oncue_upstream_ends_total{upstream="ends"} 1"#]
    );
    assert_eq!(
        watched.told("oncue_upstream_starts_total"),
        [
            r#"oncue_upstream_starts_total{upstream="ends"} 1"#,
            r#"oncue_upstream_starts_total{upstream="good"} 1"#,
        ]
    );
    // It is tried again and again, so that nobody knows how often.
    let failures = watched.told("oncue_upstream_start_failures_total");
    assert!(
        matches!(failures.as_slice(), [one] if one.contains(r#"{upstream="never"}"#)),
        "{failures:?}"
    );
    watched.bench.gateway.stop().await;
}

/// Everything but one tool.
struct All(Arc<Grants>);

impl GrantsOf for All {
    fn grants(&self, _: &Principal, _: &Arc<Settings>) -> Arc<Grants> {
        Arc::clone(&self.0)
    }
}

#[tokio::test]
async fn a_denial_is_counted_with_its_reason_though_the_client_reads_that_there_is_no_such_tool() {
    let grants = Grants::all().with_denied([ToolPattern::new("beta", "send_mail")]);
    let watched = Watched::new(settings(&fakes(), ""), All(Arc::new(grants)));
    watched.bench.gateway.settled().await;
    let client = watched.bench.client().await;
    let told = client.call("beta__send_mail", json!({})).await;
    assert!(told.contains("There is no tool"), "{told}");
    assert_eq!(
        watched.told("oncue_denials_total"),
        [r#"oncue_denials_total{reason="denied_by_name"} 1"#]
    );
    assert_eq!(
        watched.told("oncue_calls_total"),
        [r#"oncue_calls_total{upstream="beta",outcome="refused"} 1"#]
    );
    assert!(!watched.bench.gateway.may_watch(&Principal::Local), "one tool is kept from it");
    watched.bench.gateway.stop().await;
}

#[tokio::test]
async fn what_a_search_adds_to_a_list_is_counted_once() {
    let watched = Watched::new(settings(&fakes(), "mode = \"dynamic\""), Local::default());
    watched.bench.gateway.settled().await;
    let (name, era) = ("codex-mcp-client", Expect::Probably(Era::Sessions));
    let client = watched.bench.client_called(name, Principal::Local, era).await;
    client.search("select:alpha__echo,beta__send_mail").await;
    client.search("select:beta__send_mail").await;
    assert_eq!(watched.told("oncue_activations_total"), ["oncue_activations_total 2"]);
    watched.bench.gateway.stop().await;
}

#[tokio::test]
async fn how_it_is_now_is_looked_up_when_it_is_asked_for() {
    let more = "mode = \"search\"\n[upstream.off]\nenabled = false\ncommand = \"x\"\n";
    let watched = Watched::new(settings(&fakes(), more), Local::default());
    watched.bench.gateway.settled().await;
    assert_eq!(watched.lines("oncue_sessions"), ["oncue_sessions 0"]);
    let _client = watched.bench.client().await;
    assert_eq!(
        watched.told("oncue_upstream"),
        [
            r#"oncue_upstream_starts_total{upstream="alpha"} 1"#,
            r#"oncue_upstream_starts_total{upstream="beta"} 1"#,
            r#"oncue_upstream_tools{upstream="alpha"} 3"#,
            r#"oncue_upstream_tools{upstream="beta"} 1"#,
            r#"oncue_upstreams{phase="disabled"} 1"#,
            r#"oncue_upstreams{phase="up"} 2"#,
        ]
    );
    assert_eq!(watched.told("oncue_sessions"), ["oncue_sessions 1"]);
    assert_eq!(watched.lines("oncue_calls_running"), ["oncue_calls_running 0"]);
    assert_eq!(watched.lines("oncue_calls_parked"), ["oncue_calls_parked 0"]);
    // An upstream that the settings no longer have is told of no more.
    let mut left = fakes();
    left.remove("beta");
    watched.bench.gateway.apply(settings(&left, "mode = \"search\""));
    assert_eq!(
        watched.lines("oncue_upstream_tools"),
        [
            r#"oncue_upstream_tools{upstream="alpha"} 3"#,
            r#"oncue_upstream_tools{upstream="beta"} 0"#,
            r#"oncue_upstream_tools{upstream="off"} 0"#,
        ]
    );
    watched.bench.gateway.stop().await;
}

#[tokio::test]
async fn tokens_are_told_as_a_quarter_of_the_bytes_that_clients_get() {
    let more = "mode = \"search\"\npinned = [\"alpha/echo\"]";
    let bench = Bench::new(&fakes(), more);
    bench.gateway.settled().await;
    let bytes = async |bench: &Bench| -> usize {
        let listed = bench.client().await.0.list(List::Tools, 100).await.expect("a list");
        listed.entries.iter().map(|entry| entry.get().len()).sum()
    };
    let shown = bytes(&bench).await;
    bench.gateway.apply(settings(&fakes(), "mode = \"passthrough\""));
    let whole = bytes(&bench).await;
    bench.gateway.apply(settings(&fakes(), more));
    let expected = ListTokens { whole: whole.div_ceil(4), shown: shown.div_ceil(4) };
    assert_eq!(bench.gateway.list_tokens(), expected);
    assert_eq!(bench.gateway.list_tokens(), expected, "the same from what was added up");
    // A change of the catalog or the settings is seen at once.
    bench.gateway.apply(settings(&fakes(), "mode = \"passthrough\""));
    let all = ListTokens { whole: whole.div_ceil(4), shown: whole.div_ceil(4) };
    assert_eq!(bench.gateway.list_tokens(), all);
    bench.gateway.apply(Settings::default());
    assert_eq!(bench.gateway.list_tokens().whole, 0);
    bench.gateway.stop().await;
}

#[tokio::test]
async fn every_metric_is_told_with_its_description_and_no_other() {
    let watched = Watched::new(settings(&fakes(), ""), Local::default());
    watched.bench.gateway.settled().await;
    let folder = StateDir::at(watched.bench.folder.path().join("state"));
    metrics::with_local_recorder(&watched.recorder, || {
        drop(Access::new(Policy::Local, Tokens::new(&folder)));
    });
    let mut expected: Vec<String> =
        METRICS.iter().map(|it| format!("# HELP {} {}", it.name, it.about)).collect();
    expected.sort();
    let client = watched.bench.client().await;
    client.search("mail").await;
    client.call("alpha__echo", json!({})).await;
    assert_eq!(watched.lines("# HELP"), expected);
    let kind = |kind| match kind {
        Kind::Counter => "counter",
        Kind::Gauge => "gauge",
        Kind::Histogram { .. } => "summary",
    };
    let mut expected: Vec<String> =
        METRICS.iter().map(|it| format!("# TYPE {} {}", it.name, kind(it.kind))).collect();
    expected.sort();
    assert_eq!(watched.lines("# TYPE"), expected);
}
