//! `oncue run --session`: a conversation that is kept, and what waits in it.

use std::fs;

use serde_json::{Value, json};

use crate::oncue::{Answer, Folder, answer, command, oncue};
use crate::run::{call, cassette, say};

/// A model that drops a table, and one that goes on from there.
struct Waiting {
    folder: Folder,
}

const TOOLS: &str = r#"
[[tool]]
name = "dropTable"
description = "Drops a table"
command = ["sh", "-c", "echo \"$1\" >> log; echo dropped", "drop", "{table}"]
cwd = "."
parameters = { table = "string" }
"#;

impl Waiting {
    fn new() -> Self {
        let first = cassette(&[call("c1", "dropTable", &json!({"table": "orders"}))]);
        let second = cassette(&[say("It is done.")]);
        let folder = Folder::of(&[
            ("tools.toml", TOOLS.as_bytes()),
            ("first.jsonl", first.as_bytes()),
            ("second.jsonl", second.as_bytes()),
        ]);
        Self { folder }
    }

    fn run(&self, model: &str, args: &[&str]) -> Answer {
        let model = format!("replay:{}", self.folder.path(model));
        let (tools, file) = (self.folder.path("tools.toml"), self.folder.path("s.json"));
        let mut all = vec!["run", "--model", &model, "--tools", &tools, "--session", &file];
        all.extend(args);
        oncue(&all)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path("log")).unwrap_or_default()
    }
}

#[test]
fn a_turn_waits_in_its_file_until_it_is_answered() {
    let waiting = Waiting::new();
    let found = waiting.run("first.jsonl", &["Drop orders"]);
    assert_eq!((found.code, found.out.as_str()), (5, ""), "{found:?}");
    let file = waiting.folder.path("s.json");
    let hint = format!("\nhint: answer it: oncue run --session '{file}' --answer 'c1=yes'\n");
    assert!(found.err.ends_with(&hint), "{found:?}");
    assert_eq!(waiting.log(), "");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&file).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    // Who only looks is told the same, and nothing has changed.
    let found = waiting.run("second.jsonl", &[]);
    assert_eq!(found.code, 5);
    assert!(found.err.contains("\nwaits   c1  dropTable\n"), "{found:?}");

    let found = waiting.run("second.jsonl", &["--answer", "c2=yes"]);
    assert_eq!(found.code, 2);
    assert_eq!(
        found.err,
        "error: the session does not wait for an answer about `c2`\n\nhint: it waits for `c1`\n"
    );

    let found = waiting.run("second.jsonl", &["--answer", "c1=yes"]);
    assert_eq!((found.code, found.out.as_str()), (0, "It is done.\n"), "{found:?}");
    assert_eq!(waiting.log(), "orders\n");

    // What was answered does not wait any more, and is not run again.
    let found = waiting.run("second.jsonl", &["--answer", "c1=yes"]);
    assert_eq!(found.code, 2);
    assert!(found.err.ends_with("\nhint: it waits for nothing: say what is to be done\n"));
    assert_eq!(waiting.log(), "orders\n");
}

#[test]
fn who_does_not_agree_may_say_why() {
    let waiting = Waiting::new();
    waiting.run("first.jsonl", &["Drop orders"]);
    let found = waiting.run("second.jsonl", &["--answer", "c1=no:keep it"]);
    assert_eq!((found.code, waiting.log().as_str()), (0, ""));
    let kept = fs::read_to_string(waiting.folder.path("s.json")).expect("the file");
    assert!(kept.contains("The user did not agree to the call of 'dropTable': keep it."), "{kept}");
}

#[test]
fn a_new_task_calls_off_what_waits() {
    let waiting = Waiting::new();
    waiting.run("first.jsonl", &["Drop orders"]);
    let found = waiting.run("second.jsonl", &["Or rather not"]);
    assert_eq!((found.code, found.out.as_str()), (0, "It is done.\n"));
    assert_eq!(waiting.log(), "");
    let found = waiting.run("second.jsonl", &["--answer", "c1=yes"]);
    assert_eq!(found.code, 2);
}

#[test]
fn a_program_sees_what_waits_and_keeps_it() {
    let waiting = Waiting::new();
    let found = waiting.run("first.jsonl", &["--json", "Drop orders"]);
    assert_eq!(found.code, 5);
    let last = found.out.lines().last().expect("a line");
    let last: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(
        last,
        json!({
            "event": "finished", "outcome": "waiting", "exit": 5,
            "questions": [{
                "id": "c1", "tool": {"source": "", "name": "dropTable"}, "name": "dropTable",
                "arguments": r#"{"table":"orders"}"#, "reason": "the tool asks before it acts",
                "description": "Drops a table"
            }]
        })
    );
}

#[test]
fn a_program_answers_on_standard_input_or_is_refused() {
    let replies = [call("c1", "dropTable", &json!({"table": "orders"})), say("It is done.")];
    let folder = Folder::of(&[
        ("tools.toml", TOOLS.as_bytes()),
        ("model.jsonl", cassette(&replies).as_bytes()),
    ]);
    let model = format!("replay:{}", folder.path("model.jsonl"));
    let tools = folder.path("tools.toml");
    let run = |args: &[&str], input: &str| {
        let mut all = vec!["run", "--json", "--model", &model, "--tools", &tools];
        all.extend(args);
        answer(command(&all), input.as_bytes())
    };
    let log = || fs::read_to_string(folder.path("log")).unwrap_or_default();
    let found = run(&["Drop"], "{\"id\":\"c1\",\"answer\":\"yes\"}\n");
    assert_eq!((found.code, log().as_str()), (0, ""));
    assert!(found.out.contains("needs the user's consent, and nobody can give it here"));

    let found = run(&["--approve", "stdin", "Drop"], "{\"id\":\"c1\",\"answer\":\"yes\"}\n");
    assert_eq!((found.code, log().as_str()), (0, "orders\n"), "{found:?}");
    assert!(found.out.contains(r#"{"event":"answered","id":"c1","answer":"agreed"}"#));

    // A program that says nothing lets it wait.
    let found = run(&["--approve", "stdin", "Drop"], "");
    assert_eq!((found.code, log().as_str()), (5, "orders\n"));

    let found = run(&["--approve", "stdin", "-"], "Drop");
    assert_eq!(found.code, 2);
    assert!(found.err.starts_with("error: standard input cannot give the task and the answers\n"));
}

#[test]
fn what_was_found_stays_callable_from_run_to_run() {
    let folder = Folder::of(&[
        (
            "first.jsonl",
            cassette(&[call("c1", "ToolSearch", &json!({"query": "csv"})), say("Found.")])
                .as_bytes(),
        ),
        (
            "second.jsonl",
            cassette(&[call("c2", "exportOrders", &json!({"status": "refunded"})), say("There.")])
                .as_bytes(),
        ),
    ]);
    let file = folder.path("s.json");
    let run = |model: &str, session: bool| {
        let model = format!("replay:{}", folder.path(model));
        let mut args = vec!["run", "--model", &model, "Export"];
        if session {
            args.extend(["--session", &file]);
        }
        oncue(&args)
    };
    assert_eq!(run("first.jsonl", true).code, 0);
    let found = run("second.jsonl", true);
    assert!(found.err.contains("\n  ok    "), "{found:?}");
    // Without the session it is unknown.
    let found = run("second.jsonl", false);
    assert!(found.err.contains("\n  fail  Tool 'exportOrders' not in active set."), "{found:?}");
}

#[test]
fn a_file_that_is_no_session_is_told() {
    for (text, expected) in [
        ("{", "EOF while parsing"),
        ("{\"version\":9}", "it has version 9, and 1 is read here"),
        ("{\"version\":1,\"model\":\"m\"}", "missing field `session`"),
    ] {
        let waiting = Waiting::new();
        let file = waiting.folder.path("s.json");
        fs::write(&file, text).expect("written");
        let found = waiting.run("first.jsonl", &["Drop orders"]);
        assert_eq!(found.code, 3);
        let begin = format!("error: failed to read the session `{file}`: {expected}");
        assert!(found.err.starts_with(&begin), "{found:?}");
        assert_eq!(fs::read_to_string(&file).expect("still there"), text);
    }
}

#[cfg(unix)]
mod signals {
    use std::path::Path;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    /// Waits until `is_so`, which other processes bring about.
    fn soon(is_so: impl Fn() -> bool) -> bool {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(30) {
            if is_so() {
                return true;
            }
            std::thread::yield_now();
        }
        false
    }

    fn is_running(id: &str) -> bool {
        let Ok(status) = fs::read_to_string(format!("/proc/{id}/stat")) else { return false };
        status.rsplit(')').next().is_some_and(|rest| !rest.trim_start().starts_with('Z'))
    }

    #[test]
    fn a_signal_leaves_no_process_and_a_session_that_goes_on() {
        for signal in [Signal::INT, Signal::TERM] {
            let tools = r#"
[[tool]]
name = "hang"
description = "Hangs"
tier = "silent"
command = ["sh", "-c", "sleep 1000 & echo $$ $! > ids.new; mv ids.new ids; wait"]
cwd = "."
"#;
            let folder = Folder::of(&[
                ("tools.toml", tools.as_bytes()),
                ("model.jsonl", cassette(&[call("c1", "hang", &json!({}))]).as_bytes()),
                ("next.jsonl", cassette(&[say("Here.")]).as_bytes()),
            ]);
            let (tools, file) = (folder.path("tools.toml"), folder.path("s.json"));
            let model = |name: &str| format!("replay:{}", folder.path(name));
            let (first, next) = (model("model.jsonl"), model("next.jsonl"));
            let mut run = command(&["run", "--tools", &tools, "--session", &file]);
            run.args(["--model", &first, "Hang"]);
            run.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let child = run.spawn().expect("it starts");
            let ids = folder.path("ids");
            assert!(soon(|| Path::new(&ids).exists()));
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process");
            kill_process(pid, signal).expect("sent");
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(output.status.code(), Some(130), "{output:?}");
            let ids = fs::read_to_string(&ids).expect("ids");
            if Path::new("/proc/self").exists() {
                let is_gone = || ids.split_whitespace().all(|id| !is_running(id));
                assert!(soon(is_gone), "{ids}");
            }
            let kept = fs::read_to_string(&file).expect("the session");
            assert!(kept.contains("'hang' was called off before it finished"), "{kept}");
            let found = oncue(&[
                "run", "--tools", &tools, "--session", &file, "--model", &next, "Still there?",
            ]);
            assert_eq!((found.code, found.out.as_str()), (0, "Here.\n"), "{found:?}");
        }
    }
}
