#![cfg(unix)]

use std::path::Path;
use std::time::Duration;

use oncue_tools::{CallContext, Content, ErrorKind, Grants, Output, Tool, ToolError};
use serde_json::json;

use super::super::file::parse;
use super::Program;

fn programs(text: &str) -> Vec<Program> {
    parse(text, Path::new(""), "tools.toml").unwrap()
}

fn program(row: &str) -> Program {
    let text = format!("[[tool]]\nname = \"it\"\ndescription = \"Does it\"\n{row}");
    programs(&text).pop().unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn call(row: &str, arguments: &str) -> Result<Output, ToolError> {
    let program = program(row);
    let arguments = program.definition().read(arguments).unwrap();
    let grants = Grants::all();
    runtime().block_on(program.call(&CallContext::new(&grants), arguments))
}

fn text(row: &str, arguments: &str) -> String {
    match call(row, arguments) {
        Ok(output) => match output.content.as_slice() {
            [Content::Text(text)] => text.clone(),
            other => format!("{other:?}"),
        },
        Err(error) => format!("{:?}: {error}", error.kind()),
    }
}

/// A program that writes each of its arguments on a line of its own.
const SHOW: &str = r#"command = ["sh", "-c", 'for it; do printf "<%s>\n" "$it"; done', "show", "{a}", ["-n", "{b}"], "x{a}y"]
parameters = { a = "string", b = "integer?" }
"#;

#[test]
fn no_shell_reads_what_a_model_sends() {
    let nasty = "a b'c\"d; touch /tmp/oncue-was-here; $(id) `id` $HOME * \\ \n& | > x";
    let arguments = json!({ "a": nasty }).to_string();
    assert_eq!(text(SHOW, &arguments), format!("<{nasty}>\n<x{nasty}y>\n"));
    assert_eq!(text(SHOW, r#"{"a":"","b":-3}"#), "<>\n<-n>\n<-3>\n<xy>\n");
    assert!(!Path::new("/tmp/oncue-was-here").exists());
}

#[test]
fn an_option_in_disguise_is_not_run() {
    assert_eq!(
        text(SHOW, r#"{"a":"-rf"}"#),
        "Arguments: 'a' begins with '-' and would be read as an option: send it without, or in another form. Nothing was run; call it again."
    );
}

#[test]
fn the_arguments_may_come_as_json() {
    let row = "command = [\"cat\"]\nstdin = \"json\"\noutput = \"json\"\nparameters = { z = \"string\", a = \"number\" }\n";
    let output = call(row, r#"{"z": "\u00e9", "a": 1.50}"#).unwrap();
    assert_eq!(output.content, [Content::Json(json!({"z": "é", "a": 1.5}))]);
    let row = "command = [\"echo\", \"no json\"]\noutput = \"json\"\n";
    assert_eq!(text(row, "{}"), "no json\n");
    // Nobody reads, and nobody minds.
    let big = json!({ "z": "x".repeat(1_000_000) }).to_string();
    let row = "command = [\"echo\", \"done\"]\nstdin = \"json\"\nparameters = { z = \"string\" }\n";
    assert_eq!(text(row, &big), "done\n");
}

#[test]
fn the_environment_is_what_is_named() {
    let row = "command = [\"env\"]\nenv = { A = \"1 2\", HOME = false, CARGO_PKG_NAME = true, ONCUE_NOT_SET = true }\n";
    let shown = text(row, "{}");
    let mut names: Vec<&str> =
        shown.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    names.retain(|name| !["PATH", "LANG", "TMPDIR"].contains(name));
    names.sort_unstable();
    assert_eq!(names, ["A", "CARGO_PKG_NAME"], "{shown}");
    assert!(shown.lines().any(|line| line == "A=1 2"), "{shown}");
}

#[test]
fn paths_are_taken_from_the_folder_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    let row = "[[tool]]\nname = \"it\"\ndescription = \"Does it\"\ncommand = [\"pwd\"]\ncwd = \"inner\"\n";
    let program = parse(row, folder.path(), "tools.toml").unwrap().pop().unwrap();
    let arguments = program.definition().read("{}").unwrap();
    let grants = Grants::all();
    let output = runtime().block_on(program.call(&CallContext::new(&grants), arguments)).unwrap();
    let Some(Content::Text(shown)) = output.content.first() else { panic!("{output:?}") };
    assert!(shown.trim_end().ends_with("/inner"), "{shown}");
}

#[test]
fn a_failure_tells_what_the_program_said_and_what_to_do() {
    let row = "command = [\"sh\", \"-c\", \"echo out; echo no such table >&2; exit 3\"]\n";
    assert_eq!(
        text(row, "{}"),
        "Failed: 'it' failed (exit status: 3). It wrote: no such table\nCorrect the arguments and call it again, or tell the user what is in the way."
    );
    let row = "command = [\"sh\", \"-c\", \"echo out; exit 1\"]\n";
    assert!(text(row, "{}").contains("It wrote: out\n"));
    assert!(text("command = [\"false\"]\n", "{}").contains("It wrote: nothing\n"));
    let row = "command = [\"sh\", \"-c\", \"exit 1\"]\nsuccess = [0, 1]\n";
    assert_eq!(text(row, "{}"), "'it' has ended well and wrote nothing.");
    let row = "command = [\"sh\", \"-c\", \"kill -9 $$\"]\nsuccess = [0, 9, 137]\n";
    assert!(text(row, "{}").contains("failed (signal: 9 (SIGKILL))"));
    let row = "command = [\"sh\", \"-c\", \"head -c 5000 /dev/zero | tr '\\\\0' a >&2; echo the end >&2; exit 1\"]\n";
    let error = text(row, "{}");
    assert!(error.contains("aaa\nthe end") || error.contains("aathe end"), "{error}");
    assert!(error.len() < 2_300, "{}", error.len());
}

#[test]
fn a_program_that_is_not_there_is_told_and_not_searched_for() {
    let row = "command = [\"oncue-no-such-program\"]\n";
    assert_eq!(
        text(row, "{}"),
        "Failed: The program of 'it' could not be started. Do not repeat the call; tell the user that `oncue-no-such-program` does not run here."
    );
    assert_eq!(program(row).missing().unwrap(), "oncue-no-such-program");
    assert_eq!(program("command = [\"sh\"]\n").missing(), None);
    assert!(program("command = [\"./sh\"]\n").missing().is_some());
}

#[test]
fn a_long_output_is_cut_and_counted() {
    let row = "command = [\"sh\", \"-c\", \"head -c 200000 /dev/zero | tr '\\\\0' a\"]\n";
    let output = call(row, "{}").unwrap();
    let [Content::Text(kept), Content::Text(notice)] = output.content.as_slice() else {
        panic!("{} pieces", output.content.len())
    };
    assert_eq!((kept.len(), kept.trim_matches('a')), (65_536, ""));
    assert_eq!(
        notice,
        "'it' wrote 200000 bytes; these are the first 65536. Ask for less at once to see the rest."
    );
    assert_eq!(text("command = [\"true\"]\n", "{}"), "'it' has ended well and wrote nothing.");
}

/// Says whether a process of this id runs; one that is dead and not yet collected does not.
fn is_running(id: &str) -> bool {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{id}/stat")) else { return false };
    // The state stands behind the name, which is in parentheses.
    status.rsplit(')').next().is_some_and(|rest| !rest.trim_start().starts_with('Z'))
}

/// Waits until `is_so`, which the kernel brings about on its own.
fn soon(is_so: impl Fn() -> bool) -> bool {
    let begin = std::time::Instant::now();
    while begin.elapsed() < Duration::from_secs(20) {
        if is_so() {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

/// A program that hangs with a child, and writes the ids of both to a file.
fn hanging(file: &Path, more: &str) -> String {
    let script =
        format!("sleep 1000 & echo $$ $! > '{}.new'; mv '{0}.new' '{0}'; wait", file.display());
    format!("command = [\"sh\", \"-c\", {script:?}]\n{more}")
}

fn ids(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn what_hangs_is_killed_with_its_child_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ids");
    let row = hanging(&file, "timeout = \"500ms\"\n");
    let error = call(&row, "{}").unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (
            ErrorKind::TimedOut,
            "'it' took longer than 500ms and was stopped; it may have done part of its work. Check what it did before you call it again, and ask for less at once."
        )
    );
    if Path::new("/proc/self").exists() {
        let ids = ids(&file);
        assert_eq!(ids.len(), 2);
        assert!(soon(|| ids.iter().all(|id| !is_running(id))), "{ids:?}");
    }
}

#[test]
fn what_is_called_off_is_killed_with_its_child() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ids");
    let program = program(&hanging(&file, ""));
    let arguments = program.definition().read("{}").unwrap();
    let grants = Grants::all();
    let ctx = CallContext::new(&grants);
    runtime().block_on(async {
        let running = program.call(&ctx, arguments);
        let started = async {
            while !file.exists() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = running => panic!("it hangs"),
            () = started => {}
        }
    });
    if Path::new("/proc/self").exists() {
        let ids = ids(&file);
        assert!(soon(|| ids.iter().all(|id| !is_running(id))), "{ids:?}");
    }
}

#[test]
fn what_a_program_leaves_behind_does_not_hold_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("id");
    let row = format!(
        "command = [\"sh\", \"-c\", \"echo before; sleep 1000 & echo $! > '{}'\"]\n",
        file.display()
    );
    assert_eq!(text(&row, "{}"), "before\n");
    if Path::new("/proc/self").exists() {
        let ids = ids(&file);
        assert!(soon(|| ids.iter().all(|id| !is_running(id))), "{ids:?}");
    }
}
