//! What a data set may look like on disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use oncue_search::Settings;

use super::{Dataset, DatasetError, UnknownId};
use crate::retrieval::Bench;

const TOOLS: &str = r#"{"id": "a", "name": "send", "description": "Sends mail", "server": "mail"}

{"id": "b", "name": "send", "description": null, "input_schema": {"type": "object", "x": 1e400}}
"#;

fn fault(tools: &str, queries: &str) -> String {
    match Dataset::parse("d", "dev", tools, queries) {
        Ok(_) => String::from("no fault"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_query_has_its_groups_or_one_for_each_relevant_tool() {
    let queries = r#"{"id": "1", "query": "send it", "relevant": ["a", "b"], "lang": "en"}
{"id": "2", "query": "보내기", "relevant": ["a", "b"], "lang": "ko", "groups": [["b", "a"]], "kind": "step", "src": "1"}"#;
    let set = Dataset::parse("d", "dev", TOOLS, queries).expect("well formed");
    let groups: Vec<_> = set.queries.iter().map(|query| query.groups.clone()).collect();
    assert_eq!(groups, [vec![vec![0], vec![1]], vec![vec![1, 0]]]);
    assert_eq!(set.queries[1].kind.as_deref(), Some("step"));
    assert_eq!(set.queries[1].src.as_deref(), Some("1"));
    assert_eq!(set.unknown, []);
    let sources: Vec<_> = set.tools.iter().map(|tool| tool.source.as_str()).collect();
    assert_eq!(sources, ["mail", ""]);
    let schema = set.tools[1].document.schema.as_ref().map(|schema| schema.get());
    assert_eq!(schema, Some(r#"{"type": "object", "x": 1e400}"#));
}

#[test]
fn an_id_without_a_tool_is_reported_and_cannot_be_found() {
    let queries = r#"{"id": "1", "query": "q", "relevant": ["a", "gone"], "lang": "en"}"#;
    let set = Dataset::parse("d", "dev", TOOLS, queries).expect("well formed");
    assert_eq!(set.queries[0].groups, [vec![0], vec![]]);
    assert_eq!(set.unknown, [UnknownId { line: 1, id: "gone".into() }]);
}

#[test]
fn a_fault_names_its_file_and_line() {
    let good = r#"{"id": "1", "query": "q", "relevant": ["a"], "lang": "en"}"#;
    let cases = [
        (TOOLS, "{", "queries.dev.jsonl:1: column 1: EOF while parsing an object"),
        (
            TOOLS,
            "\n7",
            "queries.dev.jsonl:2: column 1: invalid type: integer `7`, expected an object with id,",
        ),
        (
            TOOLS,
            r#"{"id": "1", "query": "q", "relevant": [], "lang": "en"}"#,
            "queries.dev.jsonl:1: no relevant tool, or an empty group",
        ),
        (
            TOOLS,
            r#"{"id": "1", "query": "q", "relevant": ["a"], "groups": [["a"], []], "lang": "en"}"#,
            "queries.dev.jsonl:1: no relevant tool, or an empty group",
        ),
        (r#"{"id": "a"}"#, good, "tools.jsonl:1: column 11: missing field `name`"),
        (
            "{\"id\": \"a\", \"name\": \"x\"}\n\n{\"id\": \"a\", \"name\": \"y\"}",
            good,
            "tools.jsonl:3: id `a` is that of line 1",
        ),
    ];
    for (tools, queries, expected) in cases {
        let found = fault(tools, queries);
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn a_folder_tells_which_queries_it_has() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("tools.jsonl"), TOOLS).expect("written");
    fs::write(folder.path().join("queries.test.jsonl"), "").expect("written");
    fs::write(folder.path().join("queries.dev.jsonl.bak"), "").expect("written");
    match Dataset::load(folder.path(), "dev") {
        Err(DatasetError::NoQueries { present, .. }) => assert_eq!(present, ["test"]),
        other => panic!("{other:?}"),
    }
    let set = Dataset::load(folder.path(), "test").expect("readable");
    assert_eq!((set.tools.len(), set.queries.len()), (2, 0));
    assert_eq!(set.name, folder.path().file_name().expect("named").to_string_lossy());
}

#[test]
fn bytes_that_are_no_text_are_a_fault_of_their_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("tools.jsonl"), b"\n\n{\"id\": \"\xff\"}").expect("written");
    fs::write(folder.path().join("queries.dev.jsonl"), "").expect("written");
    let found = Dataset::load(folder.path(), "dev").expect_err("not text").to_string();
    assert!(found.ends_with("tools.jsonl:3: invalid UTF-8"), "{found}");
}

fn siblings(split: &str) -> Dataset {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/siblings");
    Dataset::load(&folder, split).expect("readable")
}

#[test]
fn siblings_are_of_other_families_in_each_half_and_not_told_by_their_descriptions() {
    let (dev, held) = (siblings("dev"), siblings("held"));
    assert!(dev.queries.len() + held.queries.len() >= 100);
    let families = |set: &Dataset| -> BTreeSet<String> {
        set.queries.iter().map(|query| query.kind.clone().expect("a family")).collect()
    };
    assert!(families(&dev).is_disjoint(&families(&held)));
    for set in [&dev, &held] {
        assert_eq!(set.unknown, []);
        for query in &set.queries {
            assert_eq!(query.groups.len(), 1, "{}: one need", query.id);
            for &place in &query.groups[0] {
                let said = set.tools[place].document.row.description().to_lowercase();
                assert!(!said.contains(&query.text.to_lowercase()), "{}: copied", query.id);
            }
        }
    }
}

#[test]
fn siblings_are_told_apart_more_often_than_not() {
    // Those in view when ranking was changed; before that it was 53 of 100.
    let dev = siblings("dev");
    let ranker = crate::retrieval::ranker("bm25f").expect("known");
    let run = Bench::new(&dev, Settings::default()).run(&*ranker, &mut |_| {});
    let first = run.outcomes.iter().filter(|outcome| outcome.ranks == [Some(1)]).count();
    assert!(first * 100 >= dev.queries.len() * 58, "{first} of {}", dev.queries.len());
}
