//! Exit codes, pipes and whom the output is for.

use std::io::Read;
use std::process::Stdio;

use crate::oncue::{CATALOG, Folder, command, on, oncue};

#[test]
fn a_wrong_command_line_is_code_2() {
    let cases: [&[&str]; 6] = [
        &[],
        &["serach", "mail"],
        &["search"],
        &["search", "mail", "--ranker", "vibes"],
        &["search", "mail", "--limit", "0"],
        &["eval", "retrieval"],
    ];
    for args in cases {
        let found = oncue(args);
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{args:?}: {found:?}");
    }
    let found = oncue(&["search", "mail", "--ranker", "vibes"]);
    assert!(found.err.contains("keyword"), "the known rankers are listed: {found:?}");
}

#[test]
fn an_empty_query_is_a_wrong_command_line() {
    for args in [["search", ""], ["search", "  "], ["search", "select:"], ["explain", "+ "]] {
        let found = oncue(&args);
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{args:?}: {found:?}");
        assert_eq!(
            found.err,
            format!(
                "error: the query is empty\n\nhint: say what the tool should do: oncue {} 'csv export'\n",
                args[0]
            )
        );
    }
}

#[test]
fn help_and_version_are_answers() {
    for args in [["--help"], ["--version"]] {
        let found = oncue(&args);
        assert_eq!((found.code, found.err.as_str()), (0, ""), "{found:?}");
    }
    let help = oncue(&["--help"]).out;
    for code in (0..=7).chain([130]) {
        assert!(help.contains(&format!("\n  {code:>3}  ")), "{help}");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut catalog = String::new();
    for number in 0..5_000 {
        catalog.push_str(&format!("{{\"name\": \"mail_{number}\", \"description\": \"mail\"}}\n"));
    }
    let folder = Folder::of(&[("tools.jsonl", catalog.as_bytes())]);
    let path = folder.path("tools.jsonl");
    for json in [&[][..], &["--json"]] {
        let mut command = command(&["search", "mail", "--limit", "5000", "--catalog", &path]);
        command
            .args(["--ranker", "keyword"])
            .args(json)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("UTF-8");
        let status = child.wait().expect("the command ends");
        assert_eq!((status.code(), err.as_str()), (Some(0), ""));
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let folder = Folder::of(&[("tools.jsonl", CATALOG.as_bytes())]);
    let mut command = command(&["search", "mail", "--catalog", &folder.path("tools.jsonl")]);
    let output = command.stdout(full).output().expect("the command runs");
    assert_eq!(output.status.code(), Some(4));
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(err.starts_with("error: failed to write the answer: "), "{err}");
}

#[test]
fn what_a_stranger_wrote_cannot_steer_the_terminal() {
    let catalog = br#"{"name": "send_mail", "description": "Sends \u001b]0;owned\u0007 mail \u202e. Fast.\nx"}"#;
    let found = on("tools.jsonl", catalog, &["search", "mail", "--color", "always"]);
    assert!(found.out.contains("Sends \u{fffd}]0;owned\u{fffd} mail \u{fffd}"), "{found:?}");
    let shown = on("tools.jsonl", catalog, &["show", "send_mail", "--color", "always"]);
    assert!(
        shown.out.contains("Sends \u{fffd}]0;owned\u{fffd} mail \u{fffd}. Fast.\nx"),
        "{shown:?}"
    );
}

#[test]
fn completions_are_a_script() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let found = oncue(&["completions", shell]);
        assert_eq!((found.code, found.err.as_str()), (0, ""));
        assert!(found.out.contains("oncue") && found.out.contains("explain"), "{shell}");
    }
}
