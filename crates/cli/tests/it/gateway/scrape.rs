//! `/metrics`, read over HTTP by a reader written by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

use serde_json::json;

use super::Place;
use super::http::Served;
use super::serve::{Client, server};

/// What the text form says, by series; checked on the way for what the form forbids.
///
/// <https://prometheus.io/docs/instrumenting/exposition_formats/>
struct Exposition {
    /// The number of each series, by its name with its labels as they are written.
    samples: BTreeMap<String, f64>,
    /// The kind of each metric.
    kinds: BTreeMap<String, String>,
}

impl Exposition {
    fn read(text: &str) -> Self {
        let mut read = Self { samples: BTreeMap::new(), kinds: BTreeMap::new() };
        let mut helped = BTreeSet::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(rest) = line.strip_prefix("# TYPE ") {
                let (name, kind) = rest.split_once(' ').expect("a kind");
                let before = read.kinds.insert(name.to_owned(), kind.to_owned());
                assert_eq!(before, None, "one kind for each: {line}");
            } else if let Some(rest) = line.strip_prefix("# HELP ") {
                let (name, help) = rest.split_once(' ').expect("a text");
                assert!(helped.insert(name.to_owned()) && !help.is_empty(), "{line}");
            } else {
                assert!(!line.starts_with('#'), "{line}");
                let (series, value) = line.rsplit_once(' ').expect("a number");
                let name = series.split('{').next().expect("a name");
                let base =
                    ["_bucket", "_sum", "_count"].iter().find_map(|it| name.strip_suffix(it));
                let is_known = |name: &str| read.kinds.contains_key(name);
                assert!(is_known(name) || base.is_some_and(is_known), "kind before number: {line}");
                let value: f64 = value.parse().expect("a number");
                assert_eq!(read.samples.insert(series.to_owned(), value), None, "twice: {line}");
            }
        }
        read.check_histograms();
        read
    }

    /// The buckets of a histogram grow, and the last has everything.
    fn check_histograms(&self) {
        for (name, _) in self.kinds.iter().filter(|(_, kind)| *kind == "histogram") {
            let mut buckets: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
            for (series, &count) in &self.samples {
                let Some(labels) = series.strip_prefix(&format!("{name}_bucket{{")) else {
                    continue;
                };
                let (others, bound) = labels.split_once("le=\"").expect("a bound");
                let bound = bound.strip_suffix("\"}").expect("the last label");
                let bound =
                    if bound == "+Inf" { f64::INFINITY } else { bound.parse().expect("a number") };
                buckets.entry(others.to_owned()).or_default().push((bound, count));
            }
            for (others, mut buckets) in buckets {
                buckets.sort_by(|left, right| left.0.total_cmp(&right.0));
                assert!(buckets.is_sorted_by(|left, right| left.1 <= right.1), "{name} {others}");
                let labels = others.trim_end_matches(',');
                let labels =
                    if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
                let (last, count) = buckets.last().expect("a bucket");
                assert_eq!(
                    (*last, Some(*count)),
                    (f64::INFINITY, self.get(&format!("{name}_count{labels}")))
                );
                assert!(
                    self.get(&format!("{name}_sum{labels}"))
                        .is_some_and(|sum| (sum > 0.0) == (*count > 0.0))
                );
            }
        }
    }

    fn get(&self, series: &str) -> Option<f64> {
        self.samples.get(series).copied()
    }
}

fn settings(more: &str) -> String {
    format!("{more}[telemetry]\nprometheus = true\n{}", server())
}

#[test]
fn what_was_searched_and_called_is_read_over_http() {
    let place = Place::of(&[("project/oncue.toml", &settings(""))]);
    let served = Served::start(&place);
    assert_eq!(served.told, "");
    let searches = served.find("number of the process", "sh__tell_pid");
    let pid = served.call("sh__tell_pid", &json!({}));
    assert!(pid.parse::<u32>().is_ok(), "{pid}");
    served.call("sh__fail", &json!({}));
    let read = served.ask("GET /metrics", &[], "");
    assert_eq!(read.status, 200, "{read:?}");
    assert!(read.head.contains("content-type: text/plain; version=0.0.4"), "{}", read.head);
    for line in [
        "# TYPE oncue_calls_total counter",
        "# HELP oncue_calls_total Calls of tools by what came of them",
        "# TYPE oncue_call_duration_seconds histogram",
        r#"oncue_searches_total{outcome="hits"} 1"#,
        r#"oncue_calls_total{upstream="sh",outcome="ok"} 1"#,
        r#"oncue_calls_total{upstream="sh",outcome="tool_error"} 1"#,
        r#"oncue_call_duration_seconds_bucket{upstream="sh",le="+Inf"} 2"#,
        r#"oncue_call_duration_seconds_count{upstream="sh"} 2"#,
        r#"oncue_upstream_starts_total{upstream="sh"} 1"#,
        r#"oncue_upstream_tools{upstream="sh"} 2"#,
        r#"oncue_upstreams{phase="up"} 1"#,
        "oncue_calls_running 0",
    ] {
        assert!(read.body.lines().any(|it| it == line), "{line}: {}", read.body);
    }
    let told = Exposition::read(&read.body);
    assert_eq!(
        told.get("oncue_search_duration_seconds_count"),
        Some(searches as f64),
        "each search that was made until the tool was there"
    );
    let [whole, shown] = ["whole", "shown"]
        .map(|list| told.get(&format!("oncue_list_tokens{{list=\"{list}\"}}")).expect("told"));
    assert!(whole > 0.0 && shown > 0.0);
    // What was asked for and answered is nowhere.
    for secret in ["number of the process", pid.as_str(), "tell_pid"] {
        assert!(!read.body.contains(secret), "{secret}");
    }
    // A second reading tells the same, but for the times.
    let again = Exposition::read(&served.ask("GET /metrics", &[], "").body);
    assert_eq!(again.samples, told.samples);
    served.end();
}

#[test]
fn numbers_are_behind_the_door_of_everything_else() {
    let grants = "[[grant]]\nprincipal = \"ops\"\nscope = \"write\"\n\
        [[grant]]\nprincipal = \"reader\"\nscope = \"read\"\n\
        [[grant]]\nprincipal = \"narrow\"\nscope = \"write\"\nupstreams = [\"sh\"]\n";
    let place = Place::of(&[("project/oncue.toml", &settings(grants))]);
    let state = place.path("state");
    let token = |name: &str| {
        let made =
            place.oncue(&["token", "create", name, "--scope", "write", "--state-dir", &state]);
        assert_eq!(made.code, 0, "{made:?}");
        made.out.trim_end().to_owned()
    };
    let [ops, reader, narrow, nobody] = ["ops", "reader", "narrow", "nobody"].map(token);
    let served = Served::start(&place);
    let bearer = |token: &str| format!("Bearer {token}");
    let get = |headers: &[(&str, &str)]| served.ask("GET /metrics", headers, "");
    assert_eq!(get(&[("authorization", &bearer(&ops))]).status, 200);
    for token in [&reader, &narrow, &nobody] {
        let refused = get(&[("authorization", &bearer(token))]);
        assert_eq!(refused.status, 403, "{refused:?}");
        assert!(refused.body.contains("scope = \"write\"") && !refused.body.contains("oncue_"));
    }
    assert_eq!(get(&[]).status, 401);
    assert_eq!(get(&[("authorization", "Bearer oncue_wrong")]).status, 401);
    // The door comes before everything else, and the host before the door.
    let ops = bearer(&ops);
    let with = |more| [("authorization", ops.as_str()), more];
    assert_eq!(get(&with(("host", "evil.example"))).status, 403);
    assert_eq!(get(&with(("origin", "https://evil.example"))).status, 403);
    assert_eq!(served.ask("POST /metrics", &[], "").status, 401);
    assert_eq!(served.ask("POST /metrics", &[("authorization", &ops)], "").status, 405);
    let told = Exposition::read(&get(&[("authorization", &ops)]).body);
    let refused =
        |reason: &str| told.get(&format!("oncue_refused_requests_total{{reason=\"{reason}\"}}"));
    assert_eq!((refused("missing"), refused("invalid")), (Some(2.0), Some(1.0)));
    served.end();
}

#[test]
fn numbers_that_nobody_asked_for_are_not_served() {
    let place = Place::of(&[("project/oncue.toml", &server())]);
    let served = Served::start(&place);
    assert_eq!(served.ask("GET /metrics", &[], "").status, 404);
    served.end();
}

#[test]
fn over_streams_there_is_nobody_to_read_numbers_and_both_commands_say_so() {
    let place = Place::of(&[("project/oncue.toml", &settings(""))]);
    let mut client = Client::start_with(&place, &[], &[], Stdio::piped());
    client.pid();
    drop(client.gateway.stdin.take());
    let output = client.gateway.wait_with_output().expect("it ends");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(err.contains("`telemetry.prometheus` tells nothing"), "{err}");
    let check = place.oncue(&["check", "--json"]).json();
    let findings = check["findings"].as_array().expect("a list");
    let found = findings.iter().find(|found| found["kind"] == "unserved").expect("it says so");
    assert_eq!((&found["severity"], &found["place"]["line"]), (&"warning".into(), &1.into()));
    assert!(found["what"].as_str().is_some_and(|what| what.contains("`http.bind`")), "{found}");
}

#[test]
fn the_log_is_told_as_objects_where_it_is_asked_for() {
    let place = Place::of(&[("project/oncue.toml", &server())]);
    let args = ["--log", "info", "--log-format", "json"];
    let mut client = Client::start_with(&place, &args, &[], Stdio::piped());
    client.pid();
    drop(client.gateway.stdin.take());
    let output = client.gateway.wait_with_output().expect("it ends");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    let lines: Vec<serde_json::Value> = err
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no object: {line}")))
        .collect();
    let told = lines.iter().find(|line| line["message"] == "a client has connected");
    let told = told.unwrap_or_else(|| panic!("{err}"));
    assert_eq!((&told["level"], &told["client"]), (&"INFO".into(), &"t".into()));
    assert!(told["timestamp"].is_string() && told.get("span").is_none(), "{told}");
}
