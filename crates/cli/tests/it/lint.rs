//! `oncue lint`.

use crate::oncue::{Answer, Folder, oncue};

/// One good tool, and one without a description.
const CATALOG: &[u8] = br#"{"name": "read_file", "description": "Reads a text file from the local disk", "server": "s", "input_schema": {"type": "object", "properties": {}}}
{"name": "fetch", "description": "", "server": "s", "input_schema": {"type": "object", "properties": {}}}"#;

fn lint(args: &[&str]) -> Answer {
    let folder = Folder::of(&[("tools.jsonl", CATALOG)]);
    let path = folder.path("tools.jsonl");
    let mut all = vec!["lint", &path];
    all.extend(args);
    oncue(&all)
}

#[test]
fn findings_are_told_one_a_line_and_summed_up() {
    let found = lint(&[]);
    assert!(found.out.starts_with("error: s/fetch: no-description: "), "{found:?}");
    assert_eq!(found.out.lines().count(), 1, "{found:?}");
    assert!(found.err.starts_with("2 tools, about "), "{found:?}");
    assert!(found.err.ends_with(": 1 error, 0 warnings, 0 notes\n"), "{found:?}");
}

#[test]
fn the_threshold_decides_the_exit_code() {
    let cases: [(&[&str], i32); 4] = [
        (&[], 1),
        (&["--fail-on", "never"], 0),
        (&["--fail-on", "note"], 1),
        (&["--json", "--fail-on", "error"], 1),
    ];
    for (args, code) in cases {
        assert_eq!(lint(args).code, code, "{args:?}");
    }
}

#[test]
fn json_has_findings_and_the_cost_of_each_tool() {
    let answer = lint(&["--json"]).json();
    assert_eq!((&answer["version"], &answer["tools"]), (&1.into(), &2.into()));
    let finding = &answer["findings"][0];
    assert_eq!(
        (&finding["source"], &finding["tool"], &finding["kind"], &finding["severity"]),
        (&"s".into(), &"fetch".into(), &"no-description".into(), &"error".into())
    );
    let weights = answer["weights"].as_array().expect("a list");
    let sum: u64 = weights.iter().filter_map(|weight| weight["tokens"].as_u64()).sum();
    assert_eq!((weights.len(), Some(sum)), (2, answer["tokens"].as_u64()));
    assert_eq!(answer["set_aside"], serde_json::json!([]));
}

#[test]
fn tokens_are_listed_the_dearest_first() {
    let out = lint(&["--tokens"]).out;
    let tools: Vec<&str> =
        out.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(tools, ["s/read_file", "s/fetch"]);
}
