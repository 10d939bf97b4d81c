//! What is behind a gateway, searched and used by commands that are none.

use std::fs;

use serde_json::json;

use super::serve::{place, wait_until_gone};
use crate::run::{call, cassette, say};

#[test]
fn the_tools_of_servers_are_searched_and_shown_like_a_catalog() {
    let place = place();
    let found = place.oncue(&["search", "number of the process", "--catalog", "oncue.toml"]);
    assert!(found.code == 0 && found.out.contains("sh/tell_pid"), "{found:?}");
    let shown = place.oncue(&["show", "sh__tell_pid", "--catalog", "oncue.toml"]);
    assert!(shown.out.contains("Tells the number of the process"), "{shown:?}");
}

#[test]
fn an_agent_finds_and_calls_the_tools_of_servers() {
    let place = place();
    let replies = [
        call("c1", "ToolSearch", &json!({ "query": "number of the process" })),
        call("c2", "sh__tell_pid", &json!({})),
        say("That is it."),
    ];
    fs::write(place.path("project/model.jsonl"), cassette(&replies)).expect("written");
    let words =
        ["run", "--model", "replay:model.jsonl", "--tools", "oncue.toml", "--yes", "Which?"];
    let ran = place.oncue(&words);
    assert_eq!((ran.code, ran.out.as_str()), (0, "That is it.\n"), "{ran:?}");
    assert!(ran.err.contains("→ sh__tell_pid"), "{ran:?}");
    let told = ran.err.lines().find_map(|line| line.trim().strip_prefix("ok "));
    let pid = told.and_then(|line| line.split_whitespace().last()).expect("an answer");
    assert!(pid.parse::<u32>().is_ok(), "{ran:?}");
    wait_until_gone(pid);
    let refused = place.oncue(&[
        "run", "--model", "replay:model.jsonl", "--tools", "oncue.toml", "--deny-all", "Which?",
    ]);
    assert!(refused.err.contains("needs the user's consent"), "{refused:?}");
    let checked = place.oncue(&["run", "--check", "--tools", "oncue.toml"]);
    assert!(checked.out.contains("gated         sh__tell_pid, sh__fail"), "{checked:?}");
    // A server without its name in front of its tools'.
    let settings = place.read("project/oncue.toml").expect("settings");
    place.write("project/oncue.toml", &(settings + "namespaced = false\n"));
    let checked = place.oncue(&["run", "--check", "--tools", "oncue.toml"]);
    assert!(checked.out.contains("gated         tell_pid, fail\n"), "{checked:?}");
}
