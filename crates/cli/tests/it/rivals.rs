//! `oncue eval rivals`.

use std::path::Path;

use serde_json::Value;

use crate::oncue::{Answer, Folder, oncue};

const TOOLS: &[u8] = br#"{"id": "1", "name": "send_mail", "description": "Sends a mail"}
{"id": "2", "name": "read_file", "description": "Reads a file"}"#;

// pydantic-ai knows the words `sends` and `reads`, but not their stems.
const QUERIES: &[u8] =
    br#"{"id": "q1", "query": "sends", "relevant": ["1"], "lang": "en", "kind": "step"}
{"id": "q2", "query": "reading", "relevant": ["2"], "lang": "en"}"#;

// Of someone who finds the first and takes a tool of its own for the second.
const RECORDED: &[u8] =
    br#"{"dataset": "small", "searcher": "someone", "query": "q1", "hits": ["1"]}
{"dataset": "small", "searcher": "someone", "query": "q2", "hits": ["own", "1"]}
{"dataset": "other", "searcher": "someone", "query": "q", "hits": []}"#;

fn sets() -> Folder {
    Folder::of(&[
        ("small/tools.jsonl", TOOLS),
        ("small/queries.dev.jsonl", QUERIES),
        ("recorded.jsonl", RECORDED),
    ])
}

fn rivals(folder: &Folder, args: &[&str]) -> Answer {
    let (set, recorded) = (folder.path("small"), folder.path("recorded.jsonl"));
    let mut all = vec!["eval", "rivals", &set, "--recorded", &recorded];
    all.extend(args);
    oncue(&all)
}

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn one_table_has_everyone_and_a_second_one_how_much_more_ours_finds() {
    let found = rivals(&sets(), &["--only", "pydantic-ai", "--markdown"]);
    assert_eq!((found.code, found.err.as_str()), (0, ""), "{found:?}");
    // Ours finds both; each of the others one of two, so that the mean difference is a half.
    let expected = "\
## Recall within 5 hits

| searcher | by | small |
| --- | --- | ---: |
| pydantic-ai | written anew | 50.0 |
| someone | itself | 50.0 |
| bm25f | ours | 100.0 |

## What bm25f finds beyond each

| searcher | by | small |
| --- | --- | ---: |
| pydantic-ai | written anew | +50.0 [+0.0, +100.0] |
| someone | itself | +50.0 [+0.0, +100.0] |
";
    assert!(found.out.starts_with(expected), "{}", found.out);
}

#[test]
fn a_line_for_each_searcher_and_a_line_for_each_of_its_answers() {
    let args = ["--only", "pydantic-ai", "--ranker", "keyword", "--json", "--answers"];
    let found = lines(&rivals(&sets(), &args).out);
    let (answers, measures): (Vec<&Value>, Vec<&Value>) =
        found.iter().partition(|line| line.get("hits").is_some());
    let searchers: Vec<_> =
        measures.iter().map(|line| (&line["searcher"], line["recall@5"].as_f64())).collect();
    // The founding score looks for the whole word `reading` and does not find it either.
    assert_eq!(
        searchers,
        [
            (&"pydantic-ai".into(), Some(0.5)),
            (&"someone".into(), Some(0.5)),
            (&"keyword".into(), Some(0.5))
        ]
    );
    assert_eq!(
        (&measures[0]["against"], &measures[0]["difference"]),
        (&"keyword".into(), &0.0.into())
    );
    assert_eq!(measures[2]["difference"], Value::Null);
    let hits: Vec<_> = answers.iter().take(2).map(|line| (&line["query"], &line["hits"])).collect();
    assert_eq!(
        hits,
        [(&"q1".into(), &serde_json::json!(["1"])), (&"q2".into(), &serde_json::json!([]))]
    );
    assert_eq!(answers.len(), 6);
}

#[test]
fn a_kind_of_queries_is_measured_alone() {
    let found = lines(&rivals(&sets(), &["--only", "fastmcp", "--kind", "step", "--json"]).out);
    assert!(found.iter().all(|line| line["queries"] == 1 && line["recall@5"] == 1.0), "{found:?}");
    let none = rivals(&sets(), &["--only", "fastmcp", "--kind", "task"]);
    assert_eq!(
        none.err,
        "skipped `small`: no queries of that kind\nerror: no queries of kind task\n"
    );
    assert_eq!(none.code, 1);
}

#[test]
fn what_was_printed_can_be_read_back() {
    let folder = sets();
    let printed = rivals(&folder, &["--only", "fastmcp", "--json", "--answers"]).out;
    let answers: String = lines(&printed)
        .iter()
        .filter(|line| line.get("hits").is_some() && line["searcher"] == "fastmcp")
        .map(|line| format!("{line}\n").replace("fastmcp", "read back"))
        .collect();
    let again = Folder::of(&[
        ("small/tools.jsonl", TOOLS),
        ("small/queries.dev.jsonl", QUERIES),
        ("recorded.jsonl", answers.as_bytes()),
    ]);
    let found = lines(&rivals(&again, &["--only", "fastmcp", "--json"]).out);
    assert_eq!(found[1]["searcher"], "read back");
    assert_eq!(found[0]["recall@5"], found[1]["recall@5"]);
}

#[test]
fn samples_are_measured_by_every_rival_of_this_build() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../eval/samples/metatool");
    let samples = samples.display().to_string();
    let found = lines(&oncue(&["eval", "rivals", &samples, "--json"]).out);
    let names: Vec<&str> = found.iter().filter_map(|line| line["searcher"].as_str()).collect();
    let light = ["founding", "pydantic-ai", "toolhive", "mcpproxy-go", "fastmcp", "tantivy"];
    assert!(names.starts_with(&light) && names.ends_with(&["bm25f"]), "{names:?}");
    assert!(found.iter().all(|line| line["queries"] == 30 && line["tools"] == 60));
    // Thirty queries cannot tell neighbours apart, but they can tell words from weighed words.
    let recall = |name: &str| {
        let line = found.iter().find(|line| line["searcher"] == name);
        line.and_then(|line| line["recall@5"].as_f64()).expect("a number")
    };
    assert!(recall("pydantic-ai") < recall("fastmcp") && recall("fastmcp") < recall("bm25f"));
}

#[test]
fn an_unknown_rival_and_a_wrong_recording_are_told() {
    let found = rivals(&sets(), &["--only", "vibes"]);
    assert!(
        found.err.starts_with("error: unknown rival `vibes`; known are founding, "),
        "{found:?}"
    );
    assert_eq!(found.code, 3);
    let folder = Folder::of(&[
        ("small/tools.jsonl", TOOLS),
        ("small/queries.dev.jsonl", QUERIES),
        ("recorded.jsonl", b"{\"dataset\": 7}"),
    ]);
    let found = rivals(&folder, &["--only", "fastmcp"]);
    assert!(found.err.contains("recorded.jsonl") && found.err.contains("line 1"), "{found:?}");
    assert_eq!(found.code, 3);
}
