//! Traces and metrics, as a collector gets them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Attribute;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::metrics::v1::{metric, number_data_point};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::json;

use super::Place;
use super::serve::{Client, noting_server, server};

/// One thing that was sent: the path, the head, the body.
type Sent = (String, String, Vec<u8>);

/// A collector that takes everything. It lives as long as the test.
struct Collector {
    port: u16,
    sent: mpsc::Receiver<Sent>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let (to, sent) = mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let to = to.clone();
                std::thread::spawn(move || take(stream, &to));
            }
        });
        Self { port, sent }
    }

    /// Returns what was sent until now, whole.
    fn sent(&self) -> Vec<Sent> {
        self.sent.try_iter().collect()
    }
}

/// Takes the requests of one connection, and answers each.
fn take(stream: TcpStream, to: &mpsc::Sender<Sent>) {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut head, mut line) = (String::new(), String::new());
        while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
            head += &line.to_lowercase();
            line.clear();
        }
        let Some(path) = head.split(' ').nth(1) else { return };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let path = path.to_owned();
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        // What was taken is passed on before it is confirmed.
        if to.send((path, head, body)).is_err() || reader.get_mut().write_all(answer).is_err() {
            return;
        }
    }
}

fn spans(sent: &[Sent]) -> Vec<Span> {
    let traces = sent.iter().filter(|(path, ..)| path == "/v1/traces");
    let requests = traces
        .map(|(_, _, body)| ExportTraceServiceRequest::decode(body.as_slice()).expect("traces"));
    let of_resource = requests.flat_map(|request| request.resource_spans);
    of_resource.flat_map(|it| it.scope_spans).flat_map(|it| it.spans).collect()
}

/// Returns attributes as texts.
fn texts(attributes: &[KeyValue]) -> BTreeMap<&str, String> {
    let text = |value: &AnyValue| match &value.value {
        Some(Attribute::StringValue(text)) => text.clone(),
        Some(Attribute::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    attributes.iter().filter_map(|it| Some((it.key.as_str(), text(it.value.as_ref()?)))).collect()
}

fn settings(address: &str, server: &str) -> String {
    format!("[telemetry]\notlp = \"{address}\"\n{server}")
}

/// Ends the gateway as its client would.
fn end(mut client: Client) -> String {
    drop(client.gateway.stdin.take());
    let output = client.gateway.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stderr).expect("UTF-8")
}

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CLIENT_SPAN: &str = "00f067aa0ba902b7";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Outside, a session's id is the beginning of its digest.
fn is_digest(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[test]
fn a_search_and_a_call_reach_the_collector_as_one_trace_each() {
    let collector = Collector::start();
    let place = Place::of(&[]);
    let address = format!("http://ada:s3cr3t-pass@127.0.0.1:{}/base/", collector.port);
    let noted = place.path("noted");
    place.write("project/oncue.toml", &settings("${COLLECTOR}", &noting_server(&noted)));
    let env = [("COLLECTOR", address.as_str())];
    let mut client = Client::start_with(&place, &[], &env, Stdio::piped());
    client.pid();
    let before = collector.sent();
    let meta =
        json!({ "traceparent": format!("00-{TRACE}-{CLIENT_SPAN}-01"), "tracestate": "a=b" });
    let query = json!({ "query": "zebra number of the process" });
    client.ask("tools/call", &json!({ "name": "search_tools", "arguments": query, "_meta": meta }));
    let arguments = json!({ "secret": "s3cr3t-argument" });
    client.ask(
        "tools/call",
        &json!({ "name": "sh__tell_pid", "arguments": arguments, "_meta": meta }),
    );
    // A parent that is none begins a trace of its own.
    let wrong = json!({ "traceparent": format!("00-{}-{CLIENT_SPAN}-01", "0".repeat(32)) });
    client.ask("tools/call", &json!({ "name": "sh__fail", "arguments": {}, "_meta": wrong }));
    client.ask("s3cr3t/method", &json!({}));
    let err = end(client);
    assert!(!err.contains("collector"), "{err}");
    let mut sent = before;
    sent.extend(collector.sent());
    let all: Vec<(String, String, Vec<u8>)> = sent
        .into_iter()
        .map(|(path, head, body)| (path.replacen("/base", "", 1), head, body))
        .collect();
    check_heads(&all);
    for (_, _, body) in &all {
        for secret in ["zebra", "s3cr3t", "it failed", "ada"] {
            assert!(!body.windows(secret.len()).any(|it| it == secret.as_bytes()), "{secret}");
        }
    }
    let spans = spans(&all);
    check_spans(&spans);
    check_metrics(&all);
    let noted = fs::read_to_string(noted).expect("noted");
    let call = spans.iter().find(|span| span.kind == 3 && hex(&span.trace_id) == TRACE);
    let carried = format!("00-{TRACE}-{}-01", hex(&call.expect("the call").span_id));
    let got = noted.lines().find(|line| line.contains("s3cr3t-argument")).expect("the call");
    let got: serde_json::Value = serde_json::from_str(got).expect("JSON");
    let meta = &got["params"]["_meta"];
    assert_eq!((&meta["traceparent"], &meta["tracestate"]), (&carried.into(), &"a=b".into()));
}

/// Everything goes where the settings say, with the user and the password as a header.
fn check_heads(sent: &[Sent]) {
    assert!(sent.iter().any(|(path, ..)| path == "/v1/traces"), "{sent:?}");
    assert!(sent.iter().any(|(path, ..)| path == "/v1/metrics"), "{sent:?}");
    for (_, head, _) in sent {
        assert!(head.contains("content-type: application/x-protobuf"), "{head}");
        // `ada:s3cr3t-pass` in base64, in lower case as the whole head.
        assert!(head.contains("authorization: basic ywrhonmzy3izdc1wyxnz"), "{head}");
    }
}

/// Returns those that are about a tool.
fn about<'s>(mut spans: Vec<&'s Span>, tool: &str) -> Vec<&'s Span> {
    spans.retain(|span| {
        texts(&span.attributes).get("gen_ai.tool.name").is_some_and(|it| it == tool)
    });
    spans
}

fn check_spans(spans: &[Span]) {
    let of = |name: &str, kind: i32| -> Vec<&Span> {
        spans.iter().filter(|span| span.name == name && span.kind == kind).collect()
    };
    let in_trace = |spans: Vec<&Span>| -> Span {
        let mut spans = spans.into_iter().filter(|span| hex(&span.trace_id) == TRACE);
        let span = spans.next().expect("it is in the trace").clone();
        assert!(spans.next().is_none(), "once");
        span
    };
    let (internal, server, client) = (1, 2, 3);
    let request = in_trace(about(of("tools/call", server), "search_tools"));
    assert_eq!(hex(&request.parent_span_id), CLIENT_SPAN);
    let told = texts(&request.attributes);
    assert_eq!(told["mcp.method.name"], "tools/call");
    assert_eq!(told["mcp.protocol.version"], "2025-06-18");
    assert_eq!((&*told["oncue.client.name"], &*told["oncue.mode"]), ("t", "search"));
    assert!(is_digest(&told["mcp.session.id"]), "{told:?}");
    let search = in_trace(of("search", internal));
    assert_eq!(search.parent_span_id, request.span_id);
    let told = texts(&search.attributes);
    // "zebra number of the process"
    assert_eq!((&*told["oncue.search.query_chars"], &*told["oncue.search.hits"]), ("27", "1"));
    let request = in_trace(about(of("tools/call", server), "sh__tell_pid"));
    let call = in_trace(of("tools/call tell_pid", client));
    assert_eq!(call.parent_span_id, request.span_id);
    let told = texts(&call.attributes);
    assert_eq!((&*told["oncue.upstream"], &*told["oncue.call.outcome"]), ("sh", "ok"));
    assert_eq!(told["gen_ai.operation.name"], "execute_tool");
    let status = |span: &Span| span.status.as_ref().map_or(0, |status| status.code);
    assert_eq!((status(&call), status(&request)), (0, 0));
    let failed = of("tools/call fail", client);
    let [failed] = failed.as_slice() else { panic!("{failed:?}") };
    assert!(hex(&failed.trace_id) != "0".repeat(32) && hex(&failed.trace_id) != TRACE);
    assert_eq!((status(failed), &*texts(&failed.attributes)["error.type"]), (2, "tool_error"));
    let other = of("_OTHER", server);
    let [other] = other.as_slice() else { panic!("{other:?}") };
    assert_eq!(texts(&other.attributes)["rpc.response.status_code"], "-32601");
    let starts = of("upstream start", client);
    let start = starts.first().expect("it was started");
    assert_eq!(texts(&start.attributes)["network.transport"], "pipe");
    for span in spans {
        assert!(span.events.is_empty(), "{span:?}");
    }
}

fn check_metrics(sent: &[Sent]) {
    let numbers = sent.iter().rfind(|(path, ..)| path == "/v1/metrics").expect("metrics");
    let request = ExportMetricsServiceRequest::decode(numbers.2.as_slice()).expect("metrics");
    let resource = request.resource_metrics.first().expect("a resource");
    let about = texts(&resource.resource.as_ref().expect("it says who it is").attributes);
    assert_eq!(about["service.name"], "oncue");
    let all: Vec<_> = resource.scope_metrics.iter().flat_map(|scope| &scope.metrics).collect();
    let of = |name: &str| {
        let mut found = all.iter().filter(|metric| metric.name == name);
        let metric = found.next().unwrap_or_else(|| panic!("{name}: {all:?}"));
        assert!(found.next().is_none(), "{name} is one stream");
        metric.data.clone().expect("numbers")
    };
    let metric::Data::Sum(calls) = of("oncue_calls_total") else { panic!("a counter") };
    assert!(calls.is_monotonic);
    let failed = calls.data_points.iter().find(|point| {
        let labels = texts(&point.attributes);
        labels["upstream"] == "sh" && labels["outcome"] == "tool_error"
    });
    let value = failed.and_then(|point| point.value);
    assert_eq!(value, Some(number_data_point::Value::AsInt(1)));
    let metric::Data::Histogram(times) = of("oncue_search_duration_seconds") else {
        panic!("a histogram")
    };
    let times = times.data_points.first().expect("a time");
    assert_eq!((times.count, times.explicit_bounds.len()), (1, 13));
    let metric::Data::Gauge(tools) = of("oncue_upstream_tools") else { panic!("a gauge") };
    let values: Vec<_> = tools.data_points.iter().map(|point| point.value).collect();
    assert_eq!(values, [Some(number_data_point::Value::AsDouble(2.0))]);
}

#[test]
fn a_collector_that_is_dead_or_deaf_delays_nothing() {
    // Connections are taken by the system, and nobody reads from them.
    let deaf = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = deaf.local_addr().expect("an address").port();
    for address in ["http://127.0.0.1:1".to_owned(), format!("http://127.0.0.1:{port}")] {
        let place = Place::of(&[("project/oncue.toml", &settings(&address, &server()))]);
        // Sent all the time.
        let env = [("OTEL_BSP_SCHEDULE_DELAY", "1"), ("OTEL_METRIC_EXPORT_INTERVAL", "1")];
        let mut client = Client::start_with(&place, &[], &env, Stdio::piped());
        client.pid();
        let begun = Instant::now();
        for _ in 0..100 {
            client.ask("tools/call", &json!({ "name": "sh__tell_pid", "arguments": {} }));
        }
        // Had one of a hundred calls waited for one sending, it would be five seconds.
        assert!(begun.elapsed() < Duration::from_secs(4), "{address}: {:?}", begun.elapsed());
        let begun = Instant::now();
        let err = end(client);
        // Two seconds for the collector, and the server that goes on when it is asked to end.
        assert!(begun.elapsed() < Duration::from_secs(6), "{address}: {:?}", begun.elapsed());
        if address.ends_with(":1") {
            let told = err.matches("the collector of `telemetry.otlp` does not answer").count();
            assert_eq!(told, 1, "once: {err}");
        }
    }
}

#[test]
fn an_address_that_is_none_costs_the_gateway_nothing() {
    let place = Place::of(&[("project/oncue.toml", &settings("${NO_SUCH_COLLECTOR}", &server()))]);
    let mut client = Client::start_with(&place, &[], &[], Stdio::piped());
    client.pid();
    let err = end(client);
    assert!(err.contains("warning: nothing is sent to `telemetry.otlp`: "), "{err}");
    assert!(err.contains("NO_SUCH_COLLECTOR"), "{err}");
    let check = place.oncue(&["check", "--json"]).json();
    let findings = check["findings"].as_array().expect("a list");
    assert!(findings.iter().any(|found| found["kind"] == "no-variable"), "{check}");
}
