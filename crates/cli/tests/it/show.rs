//! `oncue show`.

use serde_json::json;

use crate::oncue::{Answer, CATALOG, on};

fn show(args: &[&str]) -> Answer {
    let mut all = vec!["show"];
    all.extend(args);
    on("tools.jsonl", CATALOG.as_bytes(), &all)
}

#[test]
fn a_tool_is_shown_in_any_spelling_of_its_name() {
    for name in ["export_csv", "Export CSV", "sheets/export_csv", "exportCsv"] {
        let found = show(&[name]);
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{name}");
        assert!(found.out.starts_with("sheets/export_csv\n"), "{name}: {}", found.out);
        assert!(found.out.contains("\nExport rows as CSV. Slow.\n"), "{}", found.out);
        assert!(found.out.contains("\"description\": \"Where to\""), "{}", found.out);
    }
}

#[test]
fn a_tool_without_a_schema_says_so() {
    assert!(show(&["send_mail"]).out.ends_with("\nArguments: not declared\n"));
}

#[test]
fn an_unknown_name_is_answered_with_near_ones() {
    let found = show(&["exprot_csv"]);
    assert_eq!(
        found,
        Answer {
            code: 1,
            out: String::new(),
            err: "error: no tool `exprot_csv` among 4 tools\n\n\
                  hint: near names are `sheets/export_csv`: oncue show 'sheets/export_csv'\n"
                .into(),
        }
    );
    let found = show(&["quaternion"]);
    assert!(found.err.ends_with("hint: search by what it does: oncue search 'quaternion'\n"));
}

// case: C26
#[test]
fn the_exposed_name_is_one_that_every_client_accepts() {
    let found = show(&["export_csv"]);
    assert!(found.out.contains("\nsource    sheets\nexposed   sheets__export_csv\n"), "{found:?}");
    let catalog = r#"{"name": "get.行/x", "server": "数据库"}"#;
    let found = on("tools.jsonl", catalog.as_bytes(), &["show", "get.行/x", "--json"]).json();
    let exposed = found["tools"][0]["exposed"].as_str().expect("a name");
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    assert!(exposed.chars().all(legal) && (1..=48).contains(&exposed.len()), "{exposed}");
}

// case: C31
#[test]
fn json_carries_the_schema_as_it_was_written() {
    let schema = r##"{"type":"object","x-foo":12345678901234567890123,"$defs":{"b":{},"a":{}},"properties":{"z":{"const":null},"a":{"$ref":"#/$defs/a"}}}"##;
    let catalog = format!(r#"{{"tools":[{{"name":"t","inputSchema":{schema}}}]}}"#);
    let found = on("up.json", catalog.as_bytes(), &["show", "t", "--json"]);
    assert!(found.out.contains(&format!("\"input_schema\":{schema}")), "{found:?}");
    assert_eq!(found.json()["version"], 1);
    assert_eq!(found.json()["tools"][0]["source"], "up");
}

// case: C29
#[test]
fn every_tool_of_the_name_is_shown() {
    let catalog = br#"{"name": "search", "server": "a"}
{"name": "search", "server": "b"}"#;
    let found = on("tools.jsonl", catalog, &["show", "search", "--json"]).json();
    let sources: Vec<_> =
        found["tools"].as_array().expect("a list").iter().map(|tool| &tool["source"]).collect();
    assert_eq!(sources, [&json!("a"), &json!("b")]);
}
