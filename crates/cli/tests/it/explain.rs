//! `oncue explain`.

use serde_json::json;

use crate::oncue::{Answer, on};

/// Under the keyword ranker «file list» scores `list` (0.25 + 0.175), then `file_box` (0.25), then `dir` (0.175 for «list»).
const CATALOG: &str = r#"{"name": "list", "description": "list all things", "server": "s"}
{"name": "file_box", "description": "nothing", "server": "s"}
{"name": "dir", "description": "entries of a folder as a list", "server": "s"}
{"name": "other", "description": "unrelated", "server": "s"}"#;

fn explain(args: &[&str]) -> Answer {
    let mut all = vec!["explain"];
    all.extend(args);
    all.extend(["--ranker", "keyword"]);
    on("tools.jsonl", CATALOG.as_bytes(), &all)
}

#[test]
fn a_tool_is_told_its_rank_and_what_is_above_it() {
    let found = explain(&["file list", "--tool", "dir", "--json"]).json();
    let tool = &found["tool"];
    assert_eq!(tool["rank"], 3);
    let above: Vec<_> = tool["above"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|above| {
            let by = above["by"].as_f64().expect("a number");
            (above["rank"].as_u64().expect("a rank"), above["name"].clone(), (by * 1_000.0).round())
        })
        .collect();
    assert_eq!(above, [(1, json!("list"), 250.0), (2, json!("file_box"), 75.0)]);
}

#[test]
fn words_that_would_have_found_the_tool_are_told_best_first() {
    // Three words now. «dir»: name 1/3, description 1/3 → 0.283, as `list`: catalog order puts that first; `file_box` has 0.167.
    // Any other word of its description: 2/3 of 0.35 = 0.233, still behind `list` alone.
    let found = explain(&["file list", "--tool", "dir"]);
    assert!(found.out.starts_with("s/dir: rank 3 of 3 matching\n"), "{}", found.out);
    assert!(
        found.out.contains("\nAbove it:\n  1   +0.25  s/list\n  2   +0.07  s/file_box\n")
            || found.out.contains("  2   +0.08  s/file_box\n"),
        "{}",
        found.out
    );
    let words = found.out.split("With one more word:\n").nth(1).expect("words");
    assert!(words.starts_with("  2  dir\n"), "{words}");
    assert_eq!(found.code, 0);
}

#[test]
fn a_tool_that_does_not_match_is_told_so() {
    let found = explain(&["file list", "--tool", "other"]);
    assert!(found.out.starts_with("s/other: does not match\n"), "{}", found.out);
    assert_eq!(found.code, 1);
}

#[test]
fn an_unknown_or_shared_name_is_a_failure_with_a_way_on() {
    let found = explain(&["file list", "--tool", "file_bx"]);
    assert_eq!(
        found.err,
        "error: no tool `file_bx` among 4 tools\n\n\
         hint: near names are `s/file_box`: oncue explain 'file list' --tool 's/file_box'\n"
    );
    let twice = br#"{"name": "search", "server": "a"}
{"name": "search", "server": "b"}"#;
    let found = on("tools.jsonl", twice, &["explain", "q", "--tool", "search"]);
    assert_eq!(
        found.err,
        "error: `search` is the name of a/search, b/search\n\n\
         hint: name one of them: oncue explain 'q' --tool 'a/search'\n"
    );
    assert_eq!(found.code, 1);
}

#[test]
fn a_tool_that_yields_to_other_servers_is_told_so() {
    let crowd = r#"{"name": "mail_1", "server": "a"}
{"name": "mail_2", "server": "a"}
{"name": "mail_3", "server": "a"}
{"name": "mail_4", "server": "b"}"#;
    let ask = |args: &[&str]| {
        let all = ["explain", "mail", "--ranker", "keyword", "--limit", "3", "--tool", "mail_3"];
        on("tools.jsonl", crowd.as_bytes(), &[&all[..], args].concat())
    };
    // All score alike; two of three places are a share.
    let found = ask(&[]);
    let expected = "a/mail_3: rank 4 of 4 matching\n  held back: a has its share, and tools of others fit as well\n";
    assert!(found.out.starts_with(expected), "{}", found.out);
    assert_eq!(ask(&["--json"]).json()["tool"]["held_back"], true);
}
