//! `oncue search`.

use serde_json::json;

use crate::oncue::{CATALOG, on};

fn search(args: &[&str]) -> crate::oncue::Answer {
    let mut all = vec!["search"];
    all.extend(args);
    all.extend(["--ranker", "keyword"]);
    on("tools.jsonl", CATALOG.as_bytes(), &all)
}

#[test]
fn hits_are_shown_with_rank_source_score_and_summary() {
    let found = search(&["csv export"]);
    // export_csv: both words in the name (0.5) and in the description (0.35).
    // download_file: one of two words in the description (0.175).
    let lines: Vec<&str> = found.out.lines().collect();
    assert_eq!(
        lines[0],
        " 1  sheets/export_csv   0.85  name: csv, export  description: csv, export"
    );
    assert_eq!(lines[1], "    Export rows as CSV");
    assert!(lines[2].starts_with(" 2  web/download_file   0.1"), "{}", found.out);
    assert!(lines[2].ends_with("  description: csv"), "{}", found.out);
    assert_eq!(lines[3], "    Download a file, such as csv");
    assert_eq!(found.err, "2 of 2 matching, 4 tools searched\n");
    assert_eq!((lines.len(), found.code), (4, 0));
}

#[test]
fn a_limit_cuts_the_hits_and_the_count_says_so() {
    let found = search(&["csv export", "--limit", "1"]);
    assert_eq!(found.out.lines().count(), 2);
    assert_eq!(found.err, "1 of 2 matching, 4 tools searched\n");
}

#[test]
fn nothing_found_is_an_answer_with_its_own_code() {
    let found = search(&["quaternion"]);
    assert_eq!(found.out, "");
    assert_eq!(
        found.err,
        "none of 4 tools fits `quaternion`\n\nhint: say it in other words, or ask for one need at a time\n"
    );
    assert_eq!(found.code, 1);
}

#[test]
fn the_answer_as_json_has_its_version_and_shape() {
    let found = search(&["csv export", "--json", "--limit", "1"]);
    let answer = found.json();
    assert_eq!(answer["version"], 1);
    assert_eq!(answer["query"], "csv export");
    assert_eq!(answer["ranker"], "keyword");
    assert_eq!((&answer["tools"], &answer["matching"]), (&json!(4), &json!(2)));
    assert_eq!(answer["set_aside"], json!([]));
    let hit = &answer["hits"][0];
    assert_eq!(hit["rank"], 1);
    assert_eq!(hit["source"], "sheets");
    assert_eq!(hit["name"], "export_csv");
    assert_eq!(hit["description"], "Export rows as CSV. Slow.");
    assert_eq!(hit["exact"], false);
    assert!((hit["score"].as_f64().expect("a number") - 0.85).abs() < 1e-6);
    let keys: Vec<&String> = hit.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "rank", "source", "name", "title", "description", "score", "exact", "fields",
            "meaning", "missing", "ignored"
        ]
    );
    assert_eq!(found.err, "");
}

#[test]
fn nothing_found_is_json_too() {
    let found = search(&["quaternion", "--json"]);
    assert_eq!(found.json()["hits"], json!([]));
    assert_eq!((found.code, found.err.as_str()), (1, ""));
}

// case: C01
#[test]
fn a_spelled_name_is_the_first_hit() {
    for text in ["send_mail", "SEND MAIL", "web send-mail", "sendMail"] {
        let found = search(&[text, "--json"]).json();
        assert_eq!(found["hits"][0]["name"], "send_mail", "{text}");
        assert_eq!(found["hits"][0]["exact"], true, "{text}");
    }
}

// founding: A4
#[test]
fn the_form_of_the_query_decides_what_is_asked() {
    let names = |query: &str| -> Vec<String> {
        let found = search(&[query, "--json"]).json();
        let hits = found["hits"].as_array().expect("a list").clone();
        hits.iter().map(|hit| hit["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("select:send_mail,export_csv,gone"), ["send_mail", "export_csv"]);
    assert_eq!(names("+file csv"), ["download_file"]);
    assert_eq!(names("select:gone"), Vec::<String>::new());
}

// case: C04
#[test]
fn a_description_without_spaces_is_searched_and_summed_up() {
    let found = search(&["法令"]);
    let lines: Vec<&str> = found.out.lines().collect();
    assert!(lines[0].starts_with(" 1  web/search_laws"), "{}", found.out);
    assert_eq!(lines[1], "    日本の法令を検索します");
}

#[test]
fn like_hits_are_told_apart() {
    let catalog = br#"{"name": "create_issue", "server": "s"}
{"name": "list_issues", "server": "s"}
{"name": "issue_feed", "server": "t"}"#;
    let ask = |args: &[&str]| {
        on("tools.jsonl", catalog, &[&["search", "issue", "--ranker", "keyword"], args].concat())
    };
    let found = ask(&[]);
    assert!(found.out.ends_with("\nalike: 1 create, 2 list\n"), "{}", found.out);
    let families = &ask(&["--json"]).json()["families"];
    let expected = serde_json::json!([[
        {"rank": 1, "words": ["create"]},
        {"rank": 2, "words": ["list"]},
    ]]);
    assert_eq!(families, &expected);
}
