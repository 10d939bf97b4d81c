//! `oncue eval retrieval`.

use crate::oncue::{Answer, Folder, oncue};

const TOOLS: &[u8] = br#"{"id": "1", "name": "send_mail", "description": "Sends a mail"}
{"id": "2", "name": "read_file", "description": "Reads a file"}
{"id": "3", "name": "mail_box", "description": "Lists"}"#;

// The first is served at rank 1; of the second's two needs one is served at rank 1, the other never.
const QUERIES: &[u8] =
    br#"{"id": "q1", "query": "send", "relevant": ["1"], "lang": "en", "kind": "step"}
{"id": "q2", "query": "reads", "relevant": ["2", "3"], "lang": "de"}"#;

fn sets() -> Folder {
    Folder::of(&[
        ("small/tools.jsonl", TOOLS),
        ("small/queries.dev.jsonl", QUERIES),
        ("bare/tools.jsonl", TOOLS),
        ("README.md", b"notes"),
    ])
}

fn eval(folder: &Folder, names: &[&str], args: &[&str]) -> Answer {
    let paths: Vec<String> = names.iter().map(|name| folder.path(name)).collect();
    let mut all = vec!["eval", "retrieval"];
    all.extend(paths.iter().map(String::as_str));
    all.extend(["--ranker", "keyword"]);
    all.extend(args);
    let Answer { code, out, err } = oncue(&all);
    Answer { code, out, err: err.replace(&folder.path(""), "") }
}

#[test]
fn a_line_for_all_queries_each_kind_and_each_language() {
    let found = eval(&sets(), &["small"], &["--json"]);
    assert_eq!((found.code, found.err.as_str()), (0, ""), "{found:?}");
    let lines: Vec<serde_json::Value> =
        found.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let seen: Vec<_> = lines
        .iter()
        .map(|line| (line["group"].as_str().expect("text"), line["recall@5"].as_f64()))
        .collect();
    assert_eq!(
        seen,
        [
            ("all", Some(0.75)),
            ("kind:step", Some(1.0)),
            ("lang:de", Some(0.5)),
            ("lang:en", Some(1.0))
        ]
    );
    let keys: Vec<&String> = lines[0].as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "dataset", "split", "ranker", "group", "tools", "queries", "recall@1", "recall@3",
            "recall@5", "recall@10", "complete@5", "ndcg@10", "mrr", "ci95_recall@5", "p50_us",
            "p99_us"
        ]
    );
    assert_eq!((&lines[0]["dataset"], &lines[0]["split"]), (&"small".into(), &"dev".into()));
}

#[test]
fn everything_of_a_glob_is_accepted_and_skipped_aloud() {
    let found = eval(&sets(), &["README.md", "bare", "small"], &["--json"]);
    assert_eq!(
        found.err,
        "skipped `README.md`: a file, not a folder\nskipped `bare`: no queries.dev.jsonl\n"
    );
    assert_eq!((found.code, found.out.lines().count()), (0, 4));
}

#[test]
fn no_queries_at_all_is_told_with_the_split_that_is_there() {
    let found = eval(&sets(), &["small"], &["--split", "test"]);
    assert_eq!(
        found.err,
        "skipped `small`: no queries.test.jsonl\n\
         error: no queries.test.jsonl in any of the folders\n\n\
         hint: there is another split: `--split dev`\n"
    );
    assert_eq!(found.code, 1);
}

#[test]
fn a_wrong_line_is_told_with_file_and_line() {
    let folder =
        Folder::of(&[("set/tools.jsonl", TOOLS), ("set/queries.dev.jsonl", b"\n{\"id\": 7}")]);
    let found = eval(&folder, &["set"], &[]);
    assert!(found.err.starts_with("error: set/queries.dev.jsonl:2: column "), "{found:?}");
    assert_eq!(found.code, 3);
    let found = eval(&folder, &["gone"], &[]);
    assert!(found.err.starts_with("error: no folder `gone`\n\nhint: "), "{found:?}");
    assert_eq!(found.code, 3);
}

#[test]
fn misses_name_what_was_wanted_and_what_came() {
    let found = eval(&sets(), &["small"], &["--misses", "5"]);
    assert!(
        found.out.contains("- q2: reads\n  wanted 2: rank 1\n  wanted 3: not in 10\n  hits 2\n"),
        "{}",
        found.out
    );
    assert!(!found.out.contains("- q1"));
    let lines = eval(&sets(), &["small"], &["--misses", "5", "--json"]).out;
    let miss: serde_json::Value =
        serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    assert_eq!(miss["miss"]["id"], "q2");
    assert_eq!(miss["miss"]["ranks"], serde_json::json!([1, null]));
}

#[test]
fn a_table_shows_shares_in_percent() {
    let found = eval(&sets(), &["small", "small"], &["--markdown"]);
    let row = found.out.lines().find(|line| line.starts_with("| all |")).expect("a row");
    // Two queries: recall 1 and 0.5; complete 1 and 0; both first hits at rank 1.
    assert!(
        row.starts_with("| all | 2 | 75.0 | 75.0 | 75.0 | 50.0–100.0 | 75.0 | 50.0 | "),
        "{row}"
    );
    assert!(
        found.out.contains("## All data sets\n\n| data set | ranker | tools |"),
        "{}",
        found.out
    );
    assert_eq!(found.code, 0);
}

#[test]
fn missed_needs_are_counted_by_reason() {
    let found = eval(&sets(), &["small"], &["--reasons", "--markdown"]);
    // Of three needs one is missed: `mail_box` shares no word with "reads", and the request is German beside an English tool.
    let expected = "\
## Missed needs by reason

| data set | ranker | needs | missed | twin found | other language | no shared word | generic words only | siblings above | several needs | others above |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| small | keyword | 3 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 0 |
";
    assert!(found.out.contains(expected), "{}", found.out);
    let lines = eval(&sets(), &["small"], &["--reasons", "--json"]).out;
    let line: serde_json::Value =
        serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    assert_eq!(line["reasons"], serde_json::json!({"other_language": 1}));
}
