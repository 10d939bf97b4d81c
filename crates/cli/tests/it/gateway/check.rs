//! `oncue check`.

use serde_json::json;

use super::{Place, SETTINGS};
use crate::oncue::Answer;

/// Two upstreams that lack something, one that is changed, and one that is off.
const MIXED: &str = r#"mode = "search"

[upstream.docs]
url = "https://docs.example/mcp?v=1"
headers = { Authorization = "Bearer ${DOCS_TOKEN}" }

[upstream.files]
command = "npx"
args = ["files"]
env = { API_KEY = "0123456789abcdef" }
only = ["read_*"]
hidden = ["read_media"]
namespaced = false
timeouts = { call = "2m" }

[upstream.files.tool.read_text]
rename = "read"

[upstream.absent]
command = "no-such-program"

[upstream.off]
command = "no-such-program"
enabled = false
"#;

#[test]
fn upstreams_are_explained_and_findings_come_by_severity() {
    let place = Place::of(&[("project/oncue.toml", MIXED)]);
    assert_eq!(
        place.oncue(&["check"]),
        Answer {
            code: 3,
            out: "\
upstream  reached by            enabled  overrides                                                               from
docs      https://docs.example  yes                                                                              project/oncue.toml:3:11
files     npx                   yes      only read_*; hidden read_media; changed read_text; bare names; call 2m  project/oncue.toml:7:11
absent    no-such-program       yes                                                                              project/oncue.toml:19:11
off       no-such-program       no                                                                               project/oncue.toml:22:11
error: project/oncue.toml:3:11: `docs` cannot be started: the variable `DOCS_TOKEN` is not set
hint: set it where the gateway starts
error: project/oncue.toml:19:11: `absent` needs the program `no-such-program`, which is not on PATH
hint: install it, or write its whole path
warning: project/oncue.toml:7:11: `env.API_KEY` of `files` looks like a secret written out
hint: put it into a variable and write `${NAME}`
"
            .into(),
            err: "`project/oncue.toml`: 4 upstreams: 2 errors, 1 warning, 0 notes\n".into(),
        }
    );
}

#[test]
fn warnings_alone_are_no_failure() {
    let twice = format!("{SETTINGS}[upstream.again]\ncommand = \"npx\"\nargs = [\"memory\"]\n");
    let place =
        Place::of(&[("ada/.config/oncue/oncue.toml", &twice), ("project/o.toml", SETTINGS)]);
    #[cfg(not(windows))]
    {
        let found = place.oncue(&["check"]);
        assert_eq!(found.code, 0, "{found:?}");
        assert!(found.out.contains("\nwarning: ada/.config/oncue/oncue.toml:4:11: `again` is the same server as `memory`\n"), "{found:?}");
        assert!(found.err.ends_with(": 2 upstreams: 0 errors, 1 warning, 0 notes\n"), "{found:?}");
    }
    let clean = place.oncue(&["check", "o.toml"]);
    assert_eq!(
        clean,
        Answer {
            code: 0,
            out: "upstream  reached by  enabled  overrides  from\nmemory    npx         yes                 project/o.toml:1:11\n".into(),
            err: "`project/o.toml`: 1 upstream: 0 errors, 0 warnings, 0 notes\n".into(),
        }
    );
}

#[test]
fn everything_that_is_wrong_with_a_file_is_told_at_once() {
    let wrong = "moed = \"search\"\n[upstream.a]\ncommand = 7\n";
    let place = Place::of(&[("project/oncue.toml", wrong)]);
    let found = place.oncue(&["check"]);
    assert_eq!(
        (found.code, found.err.as_str()),
        (3, "`project/oncue.toml`: 0 upstreams: 2 errors, 0 warnings, 0 notes\n")
    );
    let lines: Vec<&str> = found.out.lines().filter(|line| line.starts_with("error: ")).collect();
    let [first, second] = lines.as_slice() else { panic!("{found:?}") };
    assert!(first.starts_with("error: project/oncue.toml:1:1: "), "{found:?}");
    assert!(second.starts_with("error: project/oncue.toml:3:11: "), "{found:?}");
    let json = place.oncue(&["check", "--json"]).json();
    let kinds: Vec<&serde_json::Value> =
        json["findings"].as_array().expect("a list").iter().map(|found| &found["kind"]).collect();
    assert_eq!(kinds, ["wrong", "wrong"]);
}

#[test]
fn json_has_upstreams_and_findings() {
    let servers = r#"{"mcpServers": {
  "a": {"command": "npx", "env": {"MODE": "${MODE:-x}"}},
  "b": {"url": "ftp://x"},
  "c": {"command": "npx", "args": ["c"], "disabled": true}}}"#;
    let place = Place::of(&[
        (
            "project/oncue.toml",
            "[import]\nfiles = [\"servers.json\"]\n[upstream.a]\ncommand = \"gone\"\n",
        ),
        ("project/servers.json", servers),
    ]);
    let found = place.oncue(&["check", "--json"]);
    assert_eq!((found.code, found.err.as_str()), (3, ""));
    let json = found.json();
    assert_eq!(
        (&json["version"], &json["file"], &json["files"]),
        (
            &json!(1),
            &json!("project/oncue.toml"),
            &json!(["project/oncue.toml", "project/servers.json"])
        )
    );
    let at =
        |file: &str, line: u64, column: u64| json!({"file": file, "line": line, "column": column});
    let upstream = |id: &str, target: &str, enabled: bool, place: serde_json::Value| json!({"id": id, "transport": "stdio", "target": target, "enabled": enabled, "overrides": [], "place": place});
    assert_eq!(
        json["upstreams"],
        json!([
            upstream("a", "gone", true, at("project/oncue.toml", 3, 11)),
            upstream("c", "npx", false, at("project/servers.json", 4, 3)),
        ])
    );
    let told: Vec<(&str, &str, &str)> = json["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|found| {
            let text = |key: &str| found[key].as_str().expect("a text");
            let file = found["place"]["file"].as_str().expect("a path");
            (text("severity"), text("kind"), file)
        })
        .collect();
    let (own, imported) = ("project/oncue.toml", "project/servers.json");
    assert_eq!(
        told,
        [
            ("error", "no-program", own),
            ("error", "set-aside", imported),
            ("error", "set-aside", imported)
        ]
    );
}

#[test]
fn a_file_of_a_client_can_be_checked() {
    let place = Place::of(&[("project/.mcp.json", r#"{"mcpServers": {"a": {"command": "npx"}}}"#)]);
    let found = place.oncue(&["check", ".mcp.json"]);
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.out.contains("\na         npx         yes"), "{found:?}");
    let missing = place.oncue(&["check"]);
    assert_eq!((missing.code, missing.out.as_str()), (3, ""));
    assert!(
        missing.err.ends_with(
            "hint: name another file, or make settings from your clients' files: oncue import\n"
        ),
        "{missing:?}"
    );
}
