//! What tools are called outside: distinct, legal, the same in whatever order upstreams start, and each leads to its own tool.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oncue_gateway::serve::Local;
use oncue_tools::{Identity, NameRules, NameTable};
use serde_json::{Value, json};

use crate::bench::{Bench, settings};
use crate::replay::files::files;

/// Returns a name and others that are likely to be mistaken for it.
fn variants(server: &str, name: &str) -> Vec<Identity> {
    let long = |text: &str| format!("{text}_{}", "x".repeat(96));
    let pairs = [
        (server.to_owned(), name.to_owned()),
        (format!("{server}_"), name.to_owned()),
        (server.to_owned(), format!("_{name}")),
        (server.to_uppercase(), name.to_uppercase()),
        (format!("{server}__{name}"), "x".to_owned()),
        (server.to_owned(), format!("{name}.x")),
        (server.to_owned(), format!("{name}/x")),
        (server.to_owned(), format!("{name} x")),
        (server.to_owned(), long(&format!("get_{name}"))),
        (server.to_owned(), long(&format!("delete_{name}"))),
        (format!("{server}数据库"), name.to_owned()),
        (server.to_owned(), format!("{name}é")),
        (server.to_owned(), format!("{name}e\u{301}")),
        (server.to_owned(), format!("{name}_0c4ff21a")),
        (String::new(), format!("{server}__{name}")),
    ];
    pairs.into_iter().map(|(server, name)| Identity::new(server, name)).collect()
}

fn is_legal(name: &str) -> bool {
    let is_of_it = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(is_of_it)
}

// case: C23, C25, C26
#[test]
fn names_of_real_tools_and_of_what_resembles_them_are_legal_and_distinct() {
    let mut tools: BTreeSet<Identity> = BTreeSet::new();
    for file in files() {
        for name in file.names() {
            tools.extend(variants(&file.server, &name));
        }
    }
    let (table, collisions) = NameTable::new(NameRules::DEFAULT, tools.iter().cloned());
    // Of this many names with a hash of 32 bits a pair may coincide; then neither is called anything.
    println!("{} names, {} coincidences", tools.len(), collisions.len());
    let lost: BTreeSet<&Identity> =
        collisions.iter().flat_map(|it| [&it.left, &it.right]).collect();
    assert!(lost.len() <= tools.len() / 10_000, "{collisions:?}");
    let mut seen = BTreeSet::new();
    for tool in tools.iter().filter(|tool| !lost.contains(tool)) {
        let name = table.name(tool).expect("a name");
        assert!(is_legal(name), "{name}");
        assert!(seen.insert(name), "{name}");
        assert_eq!(table.tool(name), Some(tool));
    }
    // Whatever else is there, and in whatever order, a tool is called the same.
    let half = tools.iter().rev().step_by(2).cloned();
    let (part, _) = NameTable::new(NameRules::DEFAULT, half.clone());
    for tool in half.filter(|tool| !lost.contains(tool)) {
        assert_eq!(part.name(&tool), table.name(&tool));
    }
}

/// Starts a gateway over `upstreams` in their order and returns what each tool is called, by upstream and own name, with what a call of it says.
async fn called(upstreams: &[(&str, &[&str], bool)], more: &str) -> BTreeMap<String, String> {
    let mut text = more.to_owned();
    for &(id, tools, is_namespaced) in upstreams {
        let script = json!({ "tools": tools, "label": id });
        let command = json!(env!("CARGO_BIN_EXE_oncue-fake-upstream"));
        text += &format!(
            "\n[upstream.{}]\ncommand = {command}\nargs = [{}]\nnamespaced = {is_namespaced}\n",
            json!(id),
            json!(script.to_string())
        );
    }
    let none: BTreeMap<String, Value> = BTreeMap::new();
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let bench = Bench::within(folder, settings(&none, &text), Local::default());
    bench.gateway.settled().await;
    let client = bench.client().await;
    let mut answers = BTreeMap::new();
    for name in client.list().await {
        assert!(is_legal(&name), "{name}");
        let answer = client.call(&name, json!({})).await;
        assert!(answers.insert(name.clone(), answer).is_none(), "{name} is listed twice");
    }
    bench.gateway.stop().await;
    answers
}

const PASSTHROUGH: &str = "mode = \"passthrough\"\n";

// case: C23, C25, C29
#[tokio::test]
async fn tools_that_are_called_alike_are_told_apart_in_any_order_of_upstreams() {
    let mut upstreams: Vec<(&str, &[&str], bool)> = vec![
        ("acme_", &["status", "x"], true),
        ("acme", &["_status", "status", "Status"], true),
        ("a__b", &["c"], true),
        ("a", &["b__c", "a.b", "with space", "a/b"], true),
        ("数据库", &["query"], true),
        ("😀", &["query"], true),
    ];
    let names = called(&upstreams, PASSTHROUGH).await;
    let all: usize = upstreams.iter().map(|(_, tools, _)| tools.len()).sum();
    assert_eq!(names.len(), all);
    for (id, tools, _) in &upstreams {
        for tool in *tools {
            let answer = format!("{id} {} {{}}", json!(tool));
            let leading: Vec<&String> =
                names.iter().filter(|(_, it)| **it == answer).map(|(name, _)| name).collect();
            assert_eq!(leading, [&NameRules::DEFAULT.name(id, tool)], "{answer}");
        }
    }
    upstreams.reverse();
    assert_eq!(called(&upstreams, PASSTHROUGH).await, names);
}

#[tokio::test]
async fn names_without_a_namespace_are_their_own_or_get_one() {
    let upstreams: &[(&str, &[&str], bool)] = &[
        ("left", &["read", "only_left", "right__read", "search_tools", "a.b"], false),
        ("right", &["read", "only_right"], false),
        ("third", &["read"], true),
    ];
    for _ in 0..3 {
        let names = called(upstreams, PASSTHROUGH).await;
        let expected = BTreeMap::from(
            [
                ("read", "left \"read\" {}"),
                ("only_left", "left \"only_left\" {}"),
                // It would read as a tool of another upstream, or as one of the gateway's own.
                (&*name("left", "right__read"), "left \"right__read\" {}"),
                (&*name("left", "search_tools"), "left \"search_tools\" {}"),
                (&*name("left", "a.b"), "left \"a.b\" {}"),
                ("only_right", "right \"only_right\" {}"),
                ("third__read", "third \"read\" {}"),
            ]
            .map(|(name, answer)| (name.to_owned(), answer.to_owned())),
        );
        assert_eq!(names, expected, "whichever of the two was started first");
    }
}

#[tokio::test]
async fn names_that_one_server_gives_up_go_to_the_next_one_that_has_them() {
    let of = |hidden: &str| {
        let upstream = |id: &str, hidden: &str| {
            let script = json!(json!({ "tools": ["read", id], "label": id }).to_string());
            let command = json!(env!("CARGO_BIN_EXE_oncue-fake-upstream"));
            format!(
                "\n[upstream.{id}]\ncommand = {command}\nargs = [{script}]\nnamespaced = false\nhidden = [{hidden}]\n"
            )
        };
        let more = [PASSTHROUGH, &upstream("left", hidden), &upstream("right", "")].concat();
        settings(&BTreeMap::<String, Value>::new(), &more)
    };
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let bench = Bench::within(folder, of(""), Local::default());
    bench.gateway.settled().await;
    let client = bench.client().await;
    for _ in 0..2 {
        // Whatever is to be written is written by then, and is not in memory any more.
        bench.gateway.stop().await;
        assert_eq!(client.list().await, ["read", "left", "right"]);
        bench.gateway.apply(of("\"read\""));
        assert_eq!(client.list().await, ["left", "read", "right"]);
        assert_eq!(client.call("read", json!({})).await, "right \"read\" {}");
        bench.gateway.apply(of(""));
        assert_eq!(client.call("read", json!({})).await, "left \"read\" {}");
    }
    bench.gateway.stop().await;
}

fn name(id: &str, tool: &str) -> String {
    NameRules::DEFAULT.name(id, tool)
}
