//! What clients are served.

use std::time::{Duration, Instant};

use oncue_gateway::config::Mode;
use oncue_gateway::serve::{self, GrantsOf, Local};
use oncue_mcp::{Era, Expect, List};
use oncue_tools::{Grants, Principal, PrincipalName, ToolPattern};
use serde_json::{Value, json};

use crate::bench::{Bench, Fakes, QUICK, settings, until};

fn two() -> Fakes {
    Fakes::from([
        ("alpha", json!({ "tools": ["echo", "read_file", "count", "pid"] })),
        ("beta", json!({ "tools": ["echo", "send_mail", "slow"] })),
    ])
}

#[tokio::test]
async fn what_is_behind_is_found_and_called_by_either_way() {
    let bench = Bench::new(&two(), "");
    bench.gateway.settled().await;
    let client = bench.client().await;
    assert_eq!(client.list().await, ["search_tools", "call_tool"]);
    assert_eq!(client.names("send mail").await[0], "beta__send_mail");
    assert_eq!(client.call_by("beta__send_mail", json!({ "to": "a" })).await, r#"{"to":"a"}"#);
    assert_eq!(client.call("beta__send_mail", json!({ "b": 1, "a": 2 })).await, r#"{"b":1,"a":2}"#);
    let unknown = client.call_by("beta__send_mial", json!({})).await;
    assert!(
        unknown.contains("search_tools") && unknown.contains("Near names: beta__send_mail"),
        "{unknown}"
    );
    let again = client.search("send mail").await;
    assert!(again["tools"].is_null() && again["more"][0]["name"] == "beta__send_mail", "{again}");
    let server = client.0.server().instructions.clone().expect("instructions");
    assert!(server.ends_with("Behind: alpha (4); beta (3)"), "{server}");
    let listed = client.0.list(List::Tools, 10).await.expect("a list");
    let search = listed.entries.first().expect("the search tool").get();
    assert!(search.contains("alpha (4: echo, read_file, count, …)"), "{search}");
    bench.gateway.stop().await;
}

#[tokio::test]
async fn searches_that_lead_to_an_answer_are_written_where_the_settings_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("requests.jsonl");
    let bench = Bench::new(&two(), &format!("requests = {}\n", json!(path)));
    bench.gateway.settled().await;
    let client = bench.client().await;
    assert_eq!(client.names("send mail").await[0], "beta__send_mail");
    // What was not searched for, and what fails, teaches nothing.
    client.call("alpha__count", json!({})).await;
    client.call_by("beta__send_mial", json!({})).await;
    let written = || std::fs::read_to_string(&path).expect("the file");
    assert_eq!(written(), "");
    for _ in 0..2 {
        client.call_by("beta__send_mail", json!({ "to": "a" })).await;
    }
    assert_eq!(written(), "{\"query\":\"send mail\",\"tools\":[\"beta/send_mail\"]}\n");
    bench.gateway.stop().await;
}

// case: C28
#[tokio::test]
async fn names_are_the_same_after_a_restart_a_reload_and_in_any_order() {
    let bench = Bench::new(&two(), "mode = \"passthrough\"");
    bench.gateway.settled().await;
    let names = bench.client().await.list().await;
    assert_eq!(names.len(), 7);
    bench.gateway.apply(settings(&two(), "mode = \"passthrough\"\nanswer_bytes = 4000"));
    assert_eq!(bench.client().await.list().await, names);
    bench.gateway.stop().await;
    let again = Bench::within(
        std::sync::Arc::clone(&bench.folder),
        settings(&two(), "mode = \"passthrough\""),
        Local::default(),
    );
    let client = again.client().await;
    assert_eq!(client.list().await, names, "at once, from what is kept");
    assert_eq!(client.call("alpha__echo", json!({})).await, "{}");
    again.gateway.stop().await;
}

// case: C34
#[tokio::test]
async fn every_page_of_an_upstream_is_read_and_every_page_of_ours_can_be() {
    let tools: Vec<String> = (0..101).map(|at| format!("tool_{at}")).collect();
    let fakes = Fakes::from([("pages", json!({ "tools": tools, "page": 50 }))]);
    let bench = Bench::new(&fakes, "mode = \"passthrough\"");
    bench.gateway.settled().await;
    let client = bench.client().await;
    assert_eq!(client.list().await.len(), 101);
    assert_eq!(client.call("pages__tool_100", json!({ "x": 1 })).await, r#"{"x":1}"#);
    bench.gateway.stop().await;
}

// case: C38
#[tokio::test]
async fn fifty_calls_start_one_process_and_stopping_leaves_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let starts = folder.path().join("starts");
    let fakes =
        Fakes::from([("one", json!({ "tools": ["pid"], "starts": starts, "is_stubborn": true }))]);
    let bench = Bench::new(&fakes, "");
    bench.gateway.settled().await;
    bench.gateway.stop().await;
    std::fs::remove_file(&starts).expect("it was started once to be listed");
    let client = std::sync::Arc::new(bench.client().await);
    let calls = (0..50).map(|_| {
        let client = std::sync::Arc::clone(&client);
        tokio::spawn(async move { client.call("one__pid", json!({})).await })
    });
    let mut pids = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        pids.push(call.await.expect("an answer"));
    }
    pids.dedup();
    assert_eq!(pids.len(), 1, "{pids:?}");
    let started = std::fs::read_to_string(&starts).expect("it was started");
    assert_eq!(started.lines().count(), 1, "{started}");
    bench.gateway.stop().await;
    let process = std::path::PathBuf::from(format!("/proc/{}", pids[0]));
    until("the process is gone", Duration::from_secs(2), async || !process.exists()).await;
}

// case: C37
// case: C50
#[tokio::test]
async fn upstreams_that_do_not_answer_hold_nobody_up() {
    let fakes = Fakes::from([
        ("good", json!({ "tools": ["echo"] })),
        ("silent", json!({ "fault": "hang", "phase": "start" })),
        ("gone", json!({ "fault": "exit", "phase": "start" })),
    ]);
    let bench = Bench::new(&fakes, QUICK);
    let client = bench.client().await;
    until("the good one is there", Duration::from_secs(5), async || {
        client.names("echo").await.first().is_some_and(|name| name == "good__echo")
    })
    .await;
    let mut slowest = Duration::ZERO;
    for round in 0..100 {
        let begun = Instant::now();
        client.search(&format!("echo {round}")).await;
        client.list().await;
        slowest = slowest.max(begun.elapsed());
    }
    assert!(slowest < Duration::from_millis(500), "{slowest:?}");
    assert_eq!(client.call("good__echo", json!({})).await, "{}");
    until("the others say why", Duration::from_secs(6), async || {
        bench.gateway.status().iter().filter(|it| it.last_error.is_some()).count() == 2
    })
    .await;
    let begun = Instant::now();
    bench.gateway.apply(settings(
        &fakes,
        "answer_bytes = 4000\n[timeouts]\ncall = \"1s\"\nstart = \"3s\"\n",
    ));
    assert!(begun.elapsed() < Duration::from_secs(1), "a reload waits for nobody");
    bench.gateway.stop().await;
}

// case: C47
#[tokio::test]
async fn taking_a_call_back_reaches_its_own_upstream_and_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let (left, right) = (folder.path().join("left"), folder.path().join("right"));
    let fakes = Fakes::from([
        ("left", json!({ "tools": ["slow"], "fault": "hang", "phase": "call", "cancels": left })),
        ("right", json!({ "tools": ["slow", "echo"], "cancels": right })),
    ]);
    let bench = Bench::new(&fakes, "[timeouts]\ncall = \"20s\"\n");
    bench.gateway.settled().await;
    let client = bench.client().await;
    client.call("right__echo", json!({})).await;
    let hung =
        tokio::time::timeout(Duration::from_millis(300), client.call("left__slow", json!({})))
            .await;
    assert!(hung.is_err());
    // It hangs in the call itself, so it reads of the withdrawal only if it could; the pipe has it.
    assert_eq!(client.call("right__echo", json!({ "a": 1 })).await, r#"{"a":1}"#);
    assert!(!right.exists(), "nothing was taken back there");
    bench.gateway.stop().await;
}

struct Reader;

impl GrantsOf for Reader {
    fn grants(
        &self,
        principal: &Principal,
        _: &std::sync::Arc<oncue_gateway::config::Settings>,
    ) -> std::sync::Arc<Grants> {
        std::sync::Arc::new(match principal {
            Principal::Local => Grants::all(),
            Principal::External { name, scope } => Grants::external(name.clone(), *scope)
                .with_denied([ToolPattern::new("box", "read_secret")]),
        })
    }
}

// case: C52
#[tokio::test]
async fn who_may_read_finds_and_calls_what_reads_and_nothing_else_by_any_way() {
    let fakes =
        Fakes::from([("box", json!({ "tools": ["read_file", "read_secret", "delete_file"] }))]);
    for mode in ["search", "dynamic", "passthrough"] {
        let folder = std::sync::Arc::new(tempfile::tempdir().expect("a folder"));
        let bench = Bench::within(folder, settings(&fakes, &format!("mode = \"{mode}\"")), Reader);
        bench.gateway.settled().await;
        let guest = Principal::External {
            name: PrincipalName::parse("guest").expect("a name"),
            scope: oncue_decl::Scope::Read,
        };
        for era in [Era::Sessions, Era::Stateless] {
            let client = bench.client_of(guest.clone(), Expect::Probably(era)).await;
            if mode != "passthrough" {
                for query in
                    ["file", "secret", "select:box__delete_file,box__read_secret", "+delete file"]
                {
                    let found = client.search(query).await.to_string();
                    assert!(
                        !found.contains("delete_file\"") && !found.contains("read_secret\""),
                        "{query}: {found}"
                    );
                }
                assert_eq!(client.call_by("box__read_file", json!({})).await, "{}");
                let denied = client.call_by("box__delete_file", json!({})).await;
                let unknown = client.call_by("box__delete_fils", json!({})).await;
                assert_eq!(
                    denied.replace("delete_file", "X"),
                    unknown.replace("delete_fils", "X"),
                    "it looks unknown"
                );
            } else {
                assert_eq!(client.list().await, ["box__read_file"]);
            }
            assert!(
                client
                    .call("box__delete_file", json!({}))
                    .await
                    .starts_with("error: There is no tool")
            );
            assert!(
                client
                    .call("box__read_secret", json!({}))
                    .await
                    .starts_with("error: There is no tool")
            );
            assert!(!client.0.server().instructions.clone().unwrap_or_default().contains("secret"));
        }
        bench.gateway.stop().await;
    }
}

#[tokio::test]
async fn in_a_dynamic_session_what_was_found_is_in_the_list_when_the_answer_comes() {
    let bench = Bench::new(&two(), "mode = \"dynamic\"");
    bench.gateway.settled().await;
    let client = bench.client().await;
    assert_eq!(bench.gateway.settings().mode, Mode::Dynamic);
    assert_eq!(client.list().await.len(), 2);
    let begun = Instant::now();
    client.search("send mail").await;
    assert!(
        begun.elapsed() >= Duration::from_millis(250),
        "a client that does not list is answered in the end"
    );
    let listed = client.list().await;
    assert!(listed.contains(&"beta__send_mail".to_owned()), "{listed:?}");
    let other = bench.client().await;
    assert_eq!(other.list().await.len(), 2, "the list of one session is its own");
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        let (name, era) = ("codex-mcp-client", Expect::Probably(Era::Sessions));
        let never = bench.client_called(name, Principal::Local, era).await;
        let begun = Instant::now();
        never.search("send mail").await;
        fastest = fastest.min(begun.elapsed());
    }
    let told = "nobody waits for a client that is known not to list";
    assert!(fastest < Duration::from_millis(250), "{told}: {fastest:?}");
    bench.gateway.stop().await;
}

#[tokio::test]
async fn a_client_whose_list_is_to_grow_is_led_to_a_session_if_it_knows_the_way() {
    for (mode, name, era) in [
        ("dynamic", "claude-code", Era::Sessions),
        ("dynamic", "nobody-knows-it", Era::Stateless),
        ("search", "claude-code", Era::Stateless),
    ] {
        let bench = Bench::new(&two(), &format!("mode = \"{mode}\""));
        let client = bench.client_called(name, Principal::Local, Expect::Either).await;
        assert_eq!(client.0.version().era(), era, "{mode} {name}");
        bench.gateway.stop().await;
    }
}

#[tokio::test]
async fn a_client_that_defers_tools_is_asked_to_show_what_a_search_mode_lists() {
    let key = serve::client("claude-code").and_then(|row| row.shows.as_deref()).expect("a key");
    for (mode, name, is_asked) in [
        ("search", "claude-code", true),
        ("dynamic", "claude-code", true),
        ("passthrough", "claude-code", false),
        ("search", "cursor-vscode", false),
    ] {
        let bench = Bench::new(&two(), &format!("mode = \"{mode}\"\npinned = [\"alpha/echo\"]"));
        bench.gateway.settled().await;
        let client = bench.client_called(name, Principal::Local, Expect::Either).await;
        let listed = client.0.list(List::Tools, 100).await.expect("a list");
        assert!(listed.entries.len() >= 3, "its own two and the pinned one");
        for entry in &listed.entries {
            let entry: Value = serde_json::from_str(entry.get()).expect("JSON");
            let asked = &entry["_meta"][key];
            assert_eq!(asked == true, is_asked, "{mode} {name}: {entry}");
        }
        bench.gateway.stop().await;
    }
}

#[tokio::test]
async fn an_idle_upstream_is_stopped_and_started_again_when_it_is_needed() {
    let bench = Bench::new(&two(), "[timeouts]\nidle = \"1s\"\n");
    bench.gateway.settled().await;
    let client = bench.client().await;
    let first = client.call("alpha__pid", json!({})).await;
    let process = std::path::PathBuf::from(format!("/proc/{first}"));
    until("it is stopped", Duration::from_secs(12), async || !process.exists()).await;
    let second = client.call("alpha__pid", json!({})).await;
    assert_ne!(first, second);
    bench.gateway.stop().await;
}

#[tokio::test]
async fn a_gateway_that_nobody_has_any_more_ends_with_all_that_it_has_started() {
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    let bench = Bench::new(&two(), "");
    bench.gateway.settled().await;
    let client = bench.client().await;
    let process = client.call("alpha__pid", json!({})).await;
    let process = std::path::PathBuf::from(format!("/proc/{process}"));
    assert!(process.exists());
    client.0.peer().close().await;
    drop((client, bench));
    until("the process is gone", Duration::from_secs(4), async || !process.exists()).await;
    until("no task is left", Duration::from_secs(12), async || tasks() <= before).await;
}
