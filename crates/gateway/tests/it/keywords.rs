//! Words that the settings add to the tools of an upstream.

use std::sync::Arc;
use std::time::Duration;

use oncue_gateway::config::Settings;
use oncue_gateway::serve::{Gateway, Local};
use oncue_tools::Definition;
use serde_json::json;

use crate::bench::{Bench, Fakes, settings, until};

/// Settings over one upstream that lists one tool at first and two after its tool `next` was called.
fn of(tool: &str) -> Settings {
    let lists = json!({ "lists": [["paint"], ["paint", "weld"]] });
    let script = json!(lists.to_string());
    let command = json!(env!("CARGO_BIN_EXE_oncue-fake-upstream"));
    let more = format!("[upstream.box]\ncommand = {command}\nargs = [{script}]\n{tool}");
    settings(&Fakes::new(), &more)
}

const KEYWORDS: &str = "[upstream.box.tool.paint]\nkeywords = [\"whitewash\", \"varnish\"]\n";

#[tokio::test]
async fn keywords_find_a_tool_from_when_they_are_set_and_over_new_lists() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let bench = Bench::within(folder, of(""), Local::default());
    bench.gateway.settled().await;
    let client = bench.client().await;
    assert!(client.names("whitewash").await.is_empty());
    let before = bench.gateway.catalog().find_by_name("box__paint").expect("it is there");

    bench.gateway.apply(of(KEYWORDS));
    assert_eq!(client.names("whitewash").await, ["box__paint"]);
    let after = bench.gateway.catalog().find_by_name("box__paint").expect("it is there");
    let (before, after) = (before.definition(), after.definition());
    assert_eq!(after.row().keywords().iter().collect::<Vec<_>>(), ["whitewash", "varnish"]);
    // What the upstream has said stays what it has said, and so does who may call it.
    let said = |of: &Definition| of.raw().map(|raw| raw.get().to_owned());
    assert_eq!(said(after), said(before));
    assert_eq!(after.row().tier(), before.row().tier());
    assert_eq!(after.row().exposure(), before.row().exposure());
    assert_eq!(after.row().description(), before.row().description());

    assert_eq!(client.call("box__next", json!({})).await, "1");
    until("the new list is read", Duration::from_secs(2), async || {
        client.names("select:box__weld").await == ["box__weld"]
    })
    .await;
    assert_eq!(client.names("varnish").await, ["box__paint"]);

    bench.gateway.apply(of(""));
    assert!(client.names("whitewash").await.is_empty(), "they go when the settings drop them");
    bench.gateway.stop().await;
}

#[tokio::test]
async fn settings_for_a_tool_that_is_not_listed_are_told_once_with_what_was_meant() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let tool = "hidden = [\"paint\"]\n[upstream.box.tool.paint]\nkeywords = [\"varnish\"]\n\
         [upstream.box.tool.weld]\nkeywords = [\"solder\"]\n\
         [upstream.box.tool.Paints]\nkeywords = [\"varnish\"]\n";
    let bench = Bench::within(folder, of(tool), Local::default());
    bench.gateway.settled().await;
    let told = |gateway: &Gateway| gateway.status()[0].set_aside.clone();
    // A hidden tool is there; one that the upstream lists later is not yet.
    assert_eq!(
        told(&bench.gateway),
        [
            "Paints: the settings change it, and there is no tool of this name; did you mean `paint`?",
            "weld: the settings change it, and there is no tool of this name",
        ]
    );
    let client = bench.client().await;
    assert_eq!(client.call("box__next", json!({})).await, "1");
    until("the new list is read", Duration::from_secs(2), async || told(&bench.gateway).len() == 1)
        .await;
    assert_eq!(client.names("solder").await, ["box__weld"]);
    bench.gateway.stop().await;
}
