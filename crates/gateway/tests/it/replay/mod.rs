//! Real catalogs, each served word for word by an upstream of its own: every tool is listed, found by its name and called under its exposed name.
//!
//! `ONCUE_DATA` names the folder whose `catalogs/*.json` are served; without it those are that the command carries.

pub(crate) mod files;
mod sample;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use futures_util::{StreamExt, stream};
use oncue_gateway::serve::Local;
use oncue_mcp::{List, Members, Raw};
use oncue_tools::NameRules;
use serde_json::json;

use crate::bench::{Bench, Client, settings};
use files::{File, files};

/// A tool of a catalog and what it is called outside.
struct Expected {
    server: String,
    name: String,
    exposed: String,
    raw: Raw,
}

/// A gateway in front of all catalogs.
struct House {
    bench: Bench,
    client: Client,
    tools: Vec<Expected>,
}

impl House {
    async fn open(mode: &str) -> Self {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let files = files();
        let mut fakes = BTreeMap::new();
        let mut tools = Vec::new();
        for File { server, tools: raws } in files {
            let path = folder.path().join(format!("{server}.json"));
            let text: Vec<&str> = raws.iter().map(|raw| raw.get()).collect();
            std::fs::write(&path, format!(r#"{{"tools":[{}]}}"#, text.join(","))).expect("written");
            for raw in raws {
                let name: String =
                    Members::of(Some(&raw)).expect("an object").read("name").expect("a name");
                let exposed = NameRules::DEFAULT.name(&server, &name);
                tools.push(Expected { server: server.clone(), name, exposed, raw });
            }
            fakes.insert(server, json!({ "catalog": path }));
        }
        let more =
            format!("mode = \"{mode}\"\nanswer_bytes = 100000\n[timeouts]\ncall = \"20s\"\n");
        let bench = Bench::within(folder, settings(&fakes, &more), Local::default());
        bench.gateway.settled().await;
        for status in bench.gateway.status() {
            assert_eq!(status.last_error, None, "{}", status.id);
            assert_eq!(
                status.set_aside, [""; 0],
                "{}: none of the real tools is refused",
                status.id
            );
        }
        let client = bench.client().await;
        Self { bench, client, tools }
    }

    /// Calls every tool, and says how many arguments came back as they were sent.
    async fn call_all(&self, is_named: bool) -> usize {
        let calls = self.tools.iter().enumerate().map(|(at, tool)| async move {
            let arguments = sample::arguments(&tool.raw, at);
            let result = match is_named {
                true => {
                    let inner =
                        format!(r#"{{"name":{},"arguments":{arguments}}}"#, json!(tool.exposed));
                    self.client.call_raw("call_tool", &inner).await
                }
                false => self.client.call_raw(&tool.exposed, &arguments).await,
            };
            (result != arguments)
                .then(|| format!("{} of {}: {arguments} -> {result}", tool.name, tool.server))
        });
        let outcomes: Vec<Option<String>> =
            stream::iter(calls).buffer_unordered(16).collect().await;
        let failures: Vec<&String> = outcomes.iter().flatten().collect();
        assert!(
            failures.is_empty(),
            "{} failed: {:#?}",
            failures.len(),
            &failures[..failures.len().min(12)]
        );
        outcomes.len()
    }

    async fn close(self) {
        self.bench.gateway.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_of_real_servers_is_listed_word_for_word_and_called_with_the_same_bytes() {
    let begun = Instant::now();
    let house = House::open("passthrough").await;
    let opened = begun.elapsed();
    let listed = house.client.0.list(List::Tools, 100_000).await.expect("a list");
    assert_eq!(listed.incomplete, None);
    let mut by_name: BTreeMap<String, Raw> = BTreeMap::new();
    for raw in listed.entries {
        let name = Members::of(Some(&raw)).expect("an object").read("name").expect("a name");
        assert!(by_name.insert(name, raw).is_none(), "a name is listed twice");
    }
    assert_eq!(by_name.len(), house.tools.len());
    for tool in &house.tools {
        let mut expected = Members::of(Some(&tool.raw)).expect("an object");
        expected.set("name", &tool.exposed).expect("JSON");
        let seen = by_name[&tool.exposed].get();
        assert_eq!(
            seen,
            expected.to_raw().expect("JSON").get(),
            "{} of {}",
            tool.name,
            tool.server
        );
    }
    let called = house.call_all(false).await;
    println!(
        "passthrough: {} servers, {} tools listed, {called} called; open after {opened:?}, {:?} in all",
        house.tools.iter().map(|tool| &tool.server).collect::<BTreeSet<_>>().len(),
        by_name.len(),
        begun.elapsed(),
    );
    assert_eq!(called, house.tools.len());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_of_real_servers_is_found_by_its_name_and_called_by_the_calling_tool() {
    let begun = Instant::now();
    let house = House::open("search").await;
    let opened = begun.elapsed();
    assert_eq!(house.client.list().await, ["search_tools", "call_tool"]);
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in &house.tools {
        *owners.entry(&tool.name).or_default() += 1;
    }
    let (mut selected, mut hashed, mut bare) = (0, 0, 0);
    for tool in &house.tools {
        let found = house.client.names(&format!("select:{}", tool.exposed)).await;
        assert_eq!(found, [tool.exposed.as_str()]);
        selected += 1;
        if tool.exposed != format!("{}__{}", tool.server, tool.name) {
            let found = house.client.names(&tool.exposed).await;
            assert_eq!(found.first(), Some(&tool.exposed), "by a name that had to be shortened");
            hashed += 1;
        }
    }
    for (name, &count) in &owners {
        let found = house.client.most_names(name).await;
        let expected: BTreeSet<&str> = house
            .tools
            .iter()
            .filter(|tool| tool.name == *name)
            .map(|tool| tool.exposed.as_str())
            .collect();
        let first: BTreeSet<&str> = found.iter().take(count).map(String::as_str).collect();
        assert_eq!(first, expected, "by the bare name `{name}`: {found:?}");
        bare += 1;
    }
    let called = house.call_all(true).await;
    println!(
        "search: {selected} tools selected, {hashed} found by shortened names, {bare} by bare names, {called} called; open after {opened:?}, {:?} in all",
        begun.elapsed(),
    );
    assert_eq!(called, house.tools.len());
    house.close().await;
}
