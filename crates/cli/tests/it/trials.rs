//! `oncue eval no-fit`, `oncue eval attack`, `oncue eval needs` and `oncue eval keywords`.

use serde_json::Value;

use crate::oncue::{Answer, Folder, oncue};

const FILMS: &[u8] = br#"{"id": "f1", "name": "GET_movie", "description": "Get a movie"}
{"id": "f2", "name": "GET_cast", "description": "Get the cast"}"#;

const FILM_QUERIES: &[u8] =
    br#"{"id": "fq", "query": "movie cast", "relevant": ["f1"], "lang": "en", "kind": "tmdb"}"#;

const CODE: &[u8] = br#"{"id": "c1", "name": "list_pods", "description": "Lists pods"}"#;

const CODE_QUERIES: &[u8] =
    br#"{"id": "c-1", "query": "pods of the cast", "relevant": ["c1"], "lang": "en", "kind": "k8s"}
{"id": "c-2", "query": "pods", "relevant": ["c1"], "lang": "en", "kind": "k8s"}"#;

fn folder() -> Folder {
    Folder::of(&[
        ("restbench/tools.jsonl", FILMS),
        ("restbench/queries.dev.jsonl", FILM_QUERIES),
        ("gtc/tools.jsonl", CODE),
        ("gtc/queries.dev.jsonl", CODE_QUERIES),
    ])
}

fn no_fit(args: &[&str]) -> Answer {
    let folder = folder();
    let paths = [folder.path("restbench"), folder.path("gtc")];
    let mut all = vec!["eval", "no-fit", &paths[0], &paths[1]];
    all.extend(args);
    oncue(&all)
}

#[test]
fn requests_about_other_things_are_told_apart_from_requests_whose_tools_are_gone() {
    let found = no_fit(&["--json"]);
    assert_eq!(found.code, 0, "{found:?}");
    let lines: Vec<Value> =
        found.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |kind: &str, dataset: &str, asked: &str| -> Value {
        let is = |line: &&Value| {
            line["kind"] == kind && line["dataset"] == dataset && line["asked"] == asked
        };
        let line = lines.iter().find(is).unwrap_or_else(|| panic!("{kind} {dataset} in {lines:?}"));
        serde_json::json!([line["queries"], line["answered"]])
    };
    // Of the two requests about code one says `cast`, which a film tool has.
    assert_eq!(of("foreign", "restbench", "gtc"), serde_json::json!([2, 0.5]));
    // Nothing of films is in the catalog of code.
    assert_eq!(of("foreign", "gtc", "restbench"), serde_json::json!([1, 0.0]));
    assert_eq!(of("foreign", "all", "all"), serde_json::json!([3, 1.0 / 3.0]));
    // Without GET_movie there is still GET_cast; without list_pods there is nothing.
    assert_eq!(of("removed", "restbench", "restbench"), serde_json::json!([1, 1.0]));
    assert_eq!(of("removed", "gtc", "gtc"), serde_json::json!([2, 0.0]));
    let price = lines.iter().find(|line| line["empty"].is_number()).expect("a price");
    assert_eq!((&price["dataset"], &price["recall@5"]), (&"restbench".into(), &1.0.into()));
}

#[test]
fn what_was_answered_can_be_looked_at() {
    let found = no_fit(&["--show", "1"]);
    let shown = "- restbench, c-1: pods of the cast\n  hits f2\n";
    assert!(found.out.contains(shown), "{}", found.out);
    assert!(found.out.contains("requests about other things\ncatalog"), "{}", found.out);
    let tables = no_fit(&["--markdown"]).out;
    assert!(tables.starts_with("### Requests about other things\n\n| catalog |"), "{tables}");
}

#[test]
fn an_attack_is_measured_on_what_it_saw_and_on_what_it_did_not() {
    let request = |n: usize| {
        format!(r#"{{"id": "q{n}", "query": "pods number{n}", "relevant": ["c1"], "lang": "en"}}"#)
    };
    let queries: Vec<String> = (0..30).map(request).collect();
    let folder = Folder::of(&[
        ("gtc/tools.jsonl", CODE),
        ("gtc/queries.dev.jsonl", queries.join("\n").as_bytes()),
        ("others.jsonl", FILMS),
    ]);
    let (set, others) = (folder.path("gtc"), folder.path("others.jsonl"));
    let found = oncue(&["eval", "attack", &set, "--catalog", &others, "--json"]);
    assert_eq!(found.code, 0, "{found:?}");
    let lines: Vec<Value> =
        found.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let text = |line: &Value, key: &str| line[key].as_str().expect("text").to_owned();
    let told: Vec<(String, String)> =
        lines.iter().map(|line| (text(line, "attack"), text(line, "part"))).collect();
    let attacks = ["stuffing", "copies", "squatting", "cover-words"];
    let expected: Vec<(String, String)> = attacks
        .iter()
        .flat_map(|attack| ["seen", "held-out"].map(|part| ((*attack).to_owned(), part.to_owned())))
        .collect();
    assert_eq!(told, expected);
    let asked = lines[0]["queries"].as_u64().zip(lines[1]["queries"].as_u64()).expect("counts");
    assert_eq!(asked.0 + asked.1, 30);
    assert!(lines.iter().all(|line| line["before_recall@5"] == 1.0));
    let table = oncue(&["eval", "attack", &set, "--catalog", &others]).out;
    assert!(table.starts_with("1 tool of 1 server, 30 requests; the adversary has"), "{table}");
}

#[test]
fn tasks_are_asked_in_each_form_and_other_requests_in_threes() {
    let queries =
        br#"{"id": "t", "query": "films", "relevant": ["f1", "f2"], "lang": "en", "kind": "task"}
{"id": "s1", "query": "movie", "relevant": ["f1"], "lang": "en", "kind": "step", "src": "t"}
{"id": "s2", "query": "cast", "relevant": ["f2"], "lang": "en", "kind": "step", "src": "t"}
{"id": "s3", "query": "the movie", "relevant": ["f1"], "lang": "en"}"#;
    let folder = Folder::of(&[("films/tools.jsonl", FILMS), ("films/queries.dev.jsonl", queries)]);
    let set = folder.path("films");
    let found = oncue(&["eval", "needs", &set, "--hits", "2", "--json"]);
    assert_eq!(found.code, 0, "{found:?}");
    let seen: Vec<Value> = found
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|line| serde_json::json!([line["of"], line["form"], line["served"]]))
        .collect();
    let expected = serde_json::json!([
        ["tasks", "task", 0.0],
        ["tasks", "sentence", 1.0],
        ["tasks", "list", 1.0],
        ["draws", "sentence", 1.0],
        ["draws", "list", 1.0],
    ]);
    assert_eq!(Value::from(seen), expected);
    let table = oncue(&["eval", "needs", &set, "--markdown"]).out;
    assert!(table.starts_with("### Tasks with steps\n\n| data set |"), "{table}");
    let none = Folder::of(&[("gtc/tools.jsonl", CODE), ("gtc/queries.dev.jsonl", CODE_QUERIES)]);
    let found = oncue(&["eval", "needs", &none.path("gtc")]);
    assert_eq!(found.err, "error: too few requests to ask several together\n");
    assert_eq!(found.code, 1);
}

#[test]
fn keywords_that_are_proposed_are_worth_what_they_find() {
    let tools: &[u8] = br#"{"id": "i", "name": "getImage", "description": "Gets it"}
{"id": "w", "name": "getWeather", "description": "Tells it"}"#;
    let queries: &[u8] = br#"{"id": "1", "query": "a photo", "relevant": ["i"], "lang": "en"}"#;
    let folder = Folder::of(&[("tiny/tools.jsonl", tools), ("tiny/queries.dev.jsonl", queries)]);
    let set = folder.path("tiny");
    let found = oncue(&["eval", "keywords", &set, "--json"]);
    assert_eq!(found.code, 0, "{found:?}");
    // One request that is answered with the word alone leaves no doubt about its mean.
    let gained =
        serde_json::json!({"without": 0.0, "with": 1.0, "gained": 1.0, "ci95": [1.0, 1.0]});
    assert_eq!(
        found.json(),
        serde_json::json!({
            "dataset": "tiny", "ranker": "bm25f", "tools": 2, "tools_with": 2, "keywords": 5,
            "queries": 1, "recall@5": gained, "ndcg@10": gained,
        })
    );
    let table = oncue(&["eval", "keywords", &set, "--markdown"]).out;
    let row = "| tiny | bm25f | 2 | 2 | 5 | 1 | 0.0 | 100.0 | +100.0 | +100.0 to +100.0 | 0.0 | +100.0 | +100.0 to +100.0 |";
    assert!(table.contains(row), "{table}");
}
