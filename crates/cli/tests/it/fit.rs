//! `oncue eval fit`.

use crate::oncue::{Answer, Folder, oncue};

const MAIL: &[u8] = br#"{"id": "1", "name": "send_mail", "description": "Sends a mail"}
{"id": "2", "name": "mail_box", "description": "Lists what has come"}"#;

const FILES: &[u8] = br#"{"id": "1", "name": "read_file", "description": "Reads a file"}"#;

fn query(text: &str, relevant: &str) -> String {
    format!(r#"{{"id": "q", "query": "{text}", "relevant": ["{relevant}"], "lang": "en"}}"#)
}

fn fit(names: &[&str], args: &[&str]) -> Answer {
    let (send, read) = (query("send", "1"), query("unrelated", "1"));
    let folder = Folder::of(&[
        ("mail/tools.jsonl", MAIL),
        ("mail/queries.dev.jsonl", send.as_bytes()),
        ("mail-again/tools.jsonl", MAIL),
        ("mail-again/queries.dev.jsonl", send.as_bytes()),
        ("files/tools.jsonl", FILES),
        ("files/queries.dev.jsonl", read.as_bytes()),
    ]);
    let paths: Vec<String> = names.iter().map(|name| folder.path(name)).collect();
    let mut all = vec!["eval", "fit"];
    all.extend(paths.iter().map(String::as_str));
    all.extend(args);
    oncue(&all)
}

#[test]
fn each_set_is_measured_with_weights_that_never_saw_its_tools() {
    let found = fit(&["mail", "files", "mail-again"], &["--json"]);
    assert_eq!((found.code, found.err.as_str()), (0, ""), "{found:?}");
    let lines: Vec<serde_json::Value> =
        found.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let fits: Vec<_> = lines[..3].iter().map(|line| (&line["fit"], &line["without"])).collect();
    let without = |names: &[&str]| serde_json::json!(names);
    assert_eq!(
        fits,
        [
            (&0.into(), &without(&[])),
            (&1.into(), &without(&["mail", "mail-again"])),
            (&2.into(), &without(&["files"])),
        ]
    );
    let sets: Vec<_> = lines[3..]
        .iter()
        .map(|line| (line["dataset"].as_str(), line["fit"].as_u64(), line["recall@5"].as_f64()))
        .collect();
    assert_eq!(
        sets,
        [
            (Some("mail"), Some(1), Some(1.0)),
            (Some("files"), Some(2), Some(0.0)),
            (Some("mail-again"), Some(1), Some(1.0)),
        ]
    );
    // Nothing that the weights do changes whether a set of one or two tools is served, so the middle stays.
    assert_eq!(lines[0]["mean"].as_f64(), Some(2.0 / 3.0));
    assert_eq!((&lines[0]["rounds"], &lines[0]["settled"]), (&1.into(), &true.into()));
    assert_eq!(lines[0]["weights"]["parameter text"], 0.2);
}

#[test]
fn tables_show_the_sets_and_the_weights() {
    let found = fit(&["mail", "files"], &["--markdown"]);
    assert!(
        found.out.starts_with(
            "## Leave one set out\n\n| data set | queries | fitted R@5 | default R@5 | difference | 95 % |\n"
        ),
        "{}",
        found.out
    );
    assert!(found.out.contains("| mail | 1 | 100.0 | 100.0 | +0.0 | +0.0 to +0.0 |\n"));
    assert!(found.out.contains("| mean of sets | 2 | 50.0 | 50.0 | +0.0 |  |\n"));
    assert!(found.out.contains("| weight | default | all sets | one set out |\n"));
}

#[test]
fn one_catalog_leaves_nothing_to_leave_out() {
    let found = fit(&["mail", "mail-again"], &[]);
    assert_eq!(
        found.err,
        "error: leaving one out needs data sets over at least two catalogs, not 1\n\n\
         hint: name data sets over different tools, each with its own folder\n"
    );
    assert_eq!((found.code, found.out.as_str()), (3, ""));
}
