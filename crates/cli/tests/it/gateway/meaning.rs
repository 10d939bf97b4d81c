//! A gateway whose embedding model is behind an endpoint.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use super::Place;
use super::serve::{Client, server};
use crate::embedder::{Served, inputs, name};

#[test]
fn the_settings_name_the_model_and_a_search_goes_by_what_it_tells() {
    let served = Served::new();
    let fake = served.embeddings();
    let settings = format!("embedder = \"{}\"\n{}", name(&fake), server());
    let place = Place::of(&[("project/oncue.toml", &settings)]);
    let mut client = Client::start_with(&place, &[], &[], Stdio::inherit());
    // To the stand-in `rumben` means what `number` does, and no tool has that word.
    let arguments = json!({ "name": "search_tools", "arguments": { "query": "rumben" } });
    let begun = Instant::now();
    loop {
        let found = client.ask("tools/call", &arguments).to_string();
        if found.contains("sh__tell_pid") {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{found}");
        std::thread::sleep(Duration::from_millis(20));
    }
    let asked = inputs(&fake);
    assert!(asked.contains(&json!(["rumben"])), "{asked:?}");
    let tools = json!(["tell pid. Tells the number of the process", "fail."]);
    assert!(asked.contains(&tools), "{asked:?}");
    let searched = asked.iter().filter(|input| **input == json!(["rumben"])).count();
    assert_eq!(searched, 1, "a query that was asked lately is not asked again");
    drop(client.gateway.stdin.take());
    assert!(client.gateway.wait().expect("it ends").success());
}
