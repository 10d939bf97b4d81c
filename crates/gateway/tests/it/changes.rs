//! Lists and settings that change while clients are there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oncue_gateway::serve::Local;
use serde_json::json;

use crate::bench::{Bench, Fakes, QUICK, settings, until};

fn lists(lists: &[Vec<String>]) -> Fakes {
    Fakes::from([("up", json!({ "lists": lists }))])
}

fn names(of: std::ops::Range<usize>) -> Vec<String> {
    of.map(|at| format!("gauge_{at:02}")).collect()
}

// case: C13
#[tokio::test]
async fn a_tool_that_a_call_has_added_is_called_in_the_next_step() {
    let bench = Bench::new(&lists(&[vec![], vec!["followup".to_owned()]]), "");
    bench.gateway.settled().await;
    let client = bench.client().await;
    assert!(client.call("up__followup", json!({})).await.contains("There is no tool"));
    assert_eq!(client.call("up__next", json!({})).await, "1");
    // Nothing is known of it yet, and the news is still on its way.
    let begun = Instant::now();
    assert_eq!(client.call("up__followup", json!({ "a": 1 })).await, r#"{"a":1}"#);
    assert!(begun.elapsed() < Duration::from_millis(250), "{:?}", begun.elapsed());
    // Another name is waited for in vain, and not for long.
    let begun = Instant::now();
    let refused = client.call("up__followups", json!({})).await;
    assert!(refused.contains("search_tools") && refused.contains("up__followup"), "{refused}");
    let took = begun.elapsed();
    assert!(Duration::from_millis(250) <= took && took < Duration::from_secs(1), "{took:?}");
    bench.gateway.stop().await;
}

// case: C14
#[tokio::test]
async fn what_an_upstream_lists_now_is_found_and_what_it_lists_no_more_is_not() {
    let after = [names(0..79), vec!["other".to_owned()]].concat();
    let bench = Bench::new(&lists(&[names(0..1), names(0..89), after]), "mode = \"dynamic\"\n");
    bench.gateway.settled().await;
    let client = bench.client().await;
    assert_eq!(client.names("gauge 85").await, ["up__gauge_00"]);
    assert_eq!(client.call("up__next", json!({})).await, "1");
    until("the new ones are found", Duration::from_secs(2), async || {
        client.names("select:up__gauge_85").await == ["up__gauge_85"]
    })
    .await;
    assert_eq!(client.call("up__gauge_85", json!({})).await, "{}");
    assert!(client.list().await.contains(&"up__gauge_85".to_owned()), "it has joined the list");
    assert_eq!(client.call("up__next", json!({})).await, "2");
    until("the old ones are gone", Duration::from_secs(2), async || {
        client.names("select:up__gauge_85").await.is_empty()
    })
    .await;
    let gone = client.call("up__gauge_85", json!({})).await;
    let told = "error: 'up__gauge_85' is no longer offered by up. Call search_tools";
    assert!(gone.starts_with(told), "{gone}");
    assert!(!client.list().await.contains(&"up__gauge_85".to_owned()));
    assert_eq!(client.call("up__gauge_10", json!({})).await, "{}");
    bench.gateway.stop().await;
}

// case: C16
#[tokio::test]
async fn what_one_session_has_found_no_other_has_and_what_was_hidden_comes_back() {
    let of = |hidden: &str| {
        let script = json!(json!({ "tools": ["paint", "weld"] }).to_string());
        let command = json!(env!("CARGO_BIN_EXE_oncue-fake-upstream"));
        let more = format!(
            "mode = \"dynamic\"\n[upstream.box]\ncommand = {command}\nargs = [{script}]\nhidden = [{hidden}]\n"
        );
        settings(&Fakes::new(), &more)
    };
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let bench = Bench::within(folder, of(""), Local::default());
    bench.gateway.settled().await;
    let other = bench.client().await;
    let own = ["search_tools", "call_tool"];
    for _ in 0..3 {
        let client = bench.client().await;
        assert_eq!(client.list().await, own, "a new session begins with nothing");
        assert_eq!(client.names("weld").await, ["box__weld"]);
        assert_eq!(client.list().await, [own[0], own[1], "box__weld"]);
        assert_eq!(other.list().await, own);
        bench.gateway.apply(of("\"weld\""));
        assert_eq!(client.list().await, own);
        assert!(client.call("box__weld", json!({})).await.starts_with("error: "));
        assert_eq!(other.list().await, own);
        bench.gateway.apply(of(""));
        assert_eq!(client.list().await, [own[0], own[1], "box__weld"], "it is back");
        assert_eq!(client.call("box__weld", json!({})).await, "{}");
        assert_eq!(other.list().await, own);
    }
    bench.gateway.stop().await;
}

// case: C68
#[tokio::test]
async fn an_upstream_that_is_added_is_called_at_once_or_said_not_to_start() {
    let one = Fakes::from([("one", json!({ "tools": ["echo"] }))]);
    let three = Fakes::from([
        ("one", json!({ "tools": ["echo"] })),
        ("two", json!({ "tools": ["paint"] })),
        ("bad", json!({ "fault": "exit", "phase": "start" })),
    ]);
    let bench = Bench::new(&one, QUICK);
    bench.gateway.settled().await;
    // It listens to no change and has its list from before.
    let client = bench.client().await;
    client.list().await;
    bench.gateway.apply(settings(&three, QUICK));
    bench.gateway.settled().await;
    assert_eq!(client.names("paint").await, ["two__paint"]);
    assert_eq!(client.call_by("two__paint", json!({})).await, "{}");
    let nothing = client.search("solder").await;
    let hint = nothing["hint"].as_str().expect("a hint");
    assert!(hint.contains("bad (cannot be started)"), "{hint}");
    assert!(client.call_by("bad__solder", json!({})).await.contains("There is no tool"));
    bench.gateway.apply(settings(&one, QUICK));
    let gone = client.call_by("two__paint", json!({})).await;
    assert!(gone.contains("'two__paint' is no longer offered by two"), "{gone}");
    bench.gateway.stop().await;
}
