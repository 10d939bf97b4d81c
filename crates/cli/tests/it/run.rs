//! `oncue run`: an agent whose model says what a recording says.

use std::path::Path;

use serde_json::Value;

use crate::oncue::{Answer, Folder, command, oncue};

/// The path of a file of the repository.
pub(crate) fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    path.into_os_string().into_string().expect("UTF-8")
}

/// A model that looks an order up, finds the tool that pays money back, calls it, and closes the ticket.
pub(crate) fn refund() -> String {
    format!("replay:{}", file("cassettes/run/refund.jsonl"))
}

/// Runs with that model.
fn run(args: &[&str]) -> Answer {
    let model = refund();
    let mut all = vec!["run", "--model", &model];
    all.extend(args);
    steady(oncue(&all))
}

/// Makes times equal.
pub(crate) fn steady(answer: Answer) -> Answer {
    let words = |text: &str| {
        let mut lines = Vec::new();
        for line in text.lines() {
            let mut words: Vec<&str> = line.split(' ').collect();
            for at in 1..words.len() {
                if words[at] == "ms" && words[at - 1].chars().all(|c| c.is_ascii_digit()) {
                    words[at - 1] = "N";
                }
            }
            let mut line = words.join(" ");
            // Where a line is cut depends on the digits of its time.
            if let Some(cut) = line.strip_suffix('…') {
                line = cut.chars().take(90).chain(['…']).collect();
            }
            lines.push(line + "\n");
        }
        lines.concat()
    };
    Answer { err: words(&answer.err), ..answer }
}

/// A model that says `replies`, each a list of parts.
pub(crate) fn cassette(replies: &[Value]) -> String {
    let mut text = r#"{"line":"start","version":1,"model":"scripted"}"#.to_owned() + "\n";
    for parts in replies {
        let usage = serde_json::json!({"uncached": 100, "output": 10});
        let reply = serde_json::json!({"parts": parts, "finish": "done", "usage": usage});
        text += &format!("{}\n", serde_json::json!({"line": "reply", "reply": reply}));
    }
    text
}

/// The parts of a reply that makes one call.
pub(crate) fn call(id: &str, name: &str, arguments: &Value) -> Value {
    let arguments = arguments.to_string();
    serde_json::json!([{"part": "call", "id": id, "name": name, "arguments": arguments}])
}

/// The parts of a reply that says something.
pub(crate) fn say(text: &str) -> Value {
    serde_json::json!([{"part": "text", "text": text}])
}

const TRACE: &str = r#"start   scripted:shopkeeper  3 tools, 11 to be found  demo
call    showOrder {"number":"1007"}
  ok    N ms  {"number":"1007","customer":{"id":"C-06","name":"Anouk Visser"},"placed":"20…
search  "give money back" → refundOrder, proposeRefund
search  "support ticket note" → addTicketNote, showTicket, listTickets
say     The order is on its way since October. I look at what the customer wrote.
call    showTicket {"number":"T-33"}
  ok    N ms  {"id":"T-33","order":"1007","opened":"2026-11-14","is_open":true,"subject":"Parcel never arrived","notes":["The carrier has lost track of it since 2026-11-02"]}
call    refundOrder {"order":"1007","reason":"parcel lost by the carrier"}
"#;

#[test]
fn the_answer_is_on_standard_output_and_the_rest_beside_it() {
    let found = run(&["--yes", "Pay it back"]);
    assert_eq!(found.code, 0, "{found:?}");
    assert_eq!(found.out, "Order 1007 is refunded (167.00 EUR), and ticket T-33 is closed.\n");
    let warning = "warning: every call of a gated tool runs without asking (`--yes`)\n";
    let rest = r#"  ok    N ms  Order 1007 is refunded: 167.00 EUR. In the books: parcel lost by the carrier
call    addTicketNote {"ticket":"T-33","note":"Refunded, 167.00 EUR","close":true}
  ok    N ms  Ticket T-33 has 2 notes and is closed.
done    N ms  5 steps  4 calls  2 searches  prompts worth 3,005 uncached  2,275 uncached + 7,300 read + 0 written + 249 out
"#;
    assert_eq!(found.err, format!("{warning}{TRACE}{rest}"));
}

#[test]
fn without_anybody_to_ask_the_turn_waits() {
    let found = run(&["Pay it back"]);
    assert_eq!((found.code, found.out.as_str()), (5, ""), "{found:?}");
    let rest = r#"ask     refundOrder {"order":"1007","reason":"parcel lost by the carrier"}
waits   c5  refundOrder
error: a person must agree to refundOrder

hint: run it at a terminal, keep it with `--session FILE` and answer later, or agree to everything with `--yes`
"#;
    assert_eq!(found.err, format!("{TRACE}{rest}"));
}

#[test]
fn who_denies_everything_is_told_what_was_not_done() {
    let found = run(&["--deny-all", "Pay it back"]);
    assert_eq!(found.code, 0);
    let denied = "\n  fail  'refundOrder' needs the user's consent, and nobody can give it here.";
    assert!(found.err.contains(denied), "{found:?}");
    let found = run(&["--deny-all", "--quiet", "Pay it back"]);
    assert_eq!(found.err, "");
}

#[test]
fn json_has_a_first_and_a_last_line_and_everything_between() {
    let found = run(&["--json", "--yes", "Pay it back"]);
    let lines: Vec<Value> =
        found.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let events: Vec<&str> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!(events.len(), lines.len());
    assert_eq!((events[0], events[events.len() - 1]), ("started", "finished"));
    for event in ["step_started", "replied", "calling", "called", "activated", "ended"] {
        assert!(events.contains(&event), "{event}: {events:?}");
    }
    let last = &lines[lines.len() - 1];
    assert_eq!((&last["outcome"], &last["exit"]), (&"answered".into(), &0.into()));
    assert_eq!(lines[0]["model"], "scripted:shopkeeper");
}

#[test]
fn an_end_without_an_answer_has_its_code_and_its_hint() {
    let found = run(&["--yes", "--steps", "2", "Pay it back"]);
    assert_eq!((found.code, found.out.as_str()), (6, ""));
    assert!(
        found
            .err
            .ends_with("\nerror: the turn used up its steps\n\nhint: allow more with `--steps`\n"),
        "{found:?}"
    );
    let folder = Folder::of(&[
        ("silent.jsonl", cassette(&[say(""), say(" ")]).as_bytes()),
        ("over.jsonl", cassette(&[]).as_bytes()),
    ]);
    let with = |name: &str| {
        let model = format!("replay:{}", folder.path(name));
        oncue(&["run", "--model", &model, "Hello"])
    };
    let silent = with("silent.jsonl");
    assert_eq!(silent.code, 6);
    assert!(silent.err.contains("\nerror: the model ended with nothing\n"), "{silent:?}");
    let over = with("over.jsonl");
    assert_eq!(over.code, 7);
    assert!(
        over.err.contains(
            "\nerror: the model could not be asked: invalid request: the recording is over"
        ),
        "{over:?}"
    );
}

#[test]
fn a_run_without_a_model_or_a_task_says_what_to_type() {
    let found = oncue(&["run", "Hello"]);
    assert_eq!(found.code, 2);
    assert!(found.err.contains("hint: say `--model NAME`, or set ONCUE_MODEL;"), "{found:?}");
    let found = run(&[]);
    assert_eq!(found.code, 2);
    assert_eq!(
        found.err,
        "error: there is no task\n\nhint: say what is to be done, or `-` to read it from standard input\n"
    );
    assert_eq!(run(&[" "]).code, 2);
    let found = oncue(&["run", "--model", "nobody:m", "Hello"]);
    assert_eq!(found.code, 2);
    assert!(found.err.starts_with("error: no vendor is called `nobody`: use one of "), "{found:?}");
}

#[test]
fn the_model_may_be_named_by_the_environment_and_the_task_come_by_a_pipe() {
    let mut command = command(&["run", "--deny-all", "--quiet", "-"]);
    command.env("ONCUE_MODEL", refund());
    let found = crate::oncue::answer(command, "Pay it\nback\n".as_bytes());
    assert_eq!((found.code, found.err.as_str()), (0, ""));
    assert!(found.out.starts_with("Order 1007 is refunded"));
}

#[test]
fn programs_of_a_file_are_run() {
    let tools = r#"
[[tool]]
name = "count"
description = "Counts the bytes of a text"
tier = "silent"
command = ["wc", "-c"]
stdin = "json"
parameters = { text = "string" }
"#;
    let replies = [call("c1", "count", &serde_json::json!({"text": "é"})), say("Done.")];
    let folder = Folder::of(&[
        ("tools.toml", tools.as_bytes()),
        ("model.jsonl", cassette(&replies).as_bytes()),
    ]);
    let model = format!("replay:{}", folder.path("model.jsonl"));
    let tools = folder.path("tools.toml");
    let found = steady(oncue(&["run", "--model", &model, "--tools", &tools, "Count"]));
    assert_eq!((found.code, found.out.as_str()), (0, "Done.\n"));
    // `{"text":"é"}` has 13 bytes; nothing is to be found, so there is no search tool.
    assert!(found.err.starts_with("start   scripted  1 tool  "), "{found:?}");
    assert!(
        found.err.contains("\ncall    count {\"text\":\"é\"}\n  ok    N ms  13\n"),
        "{found:?}"
    );
}

#[cfg(unix)]
#[test]
fn paths_are_taken_from_the_folder_of_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let tools = "[[tool]]\nname = \"where\"\ndescription = \"Says where it is\"\ntier = \"silent\"\n\
                 command = [\"./where.sh\"]\ncwd = \"inner\"\n";
    let replies = [call("c1", "where", &serde_json::json!({})), say("Done.")];
    let folder = Folder::of(&[
        ("sub/tools.toml", tools.as_bytes()),
        ("sub/where.sh", b"#!/bin/sh\npwd\n"),
        ("sub/inner/x", b""),
        ("model.jsonl", cassette(&replies).as_bytes()),
    ]);
    let script = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path("sub/where.sh"), script).expect("made runnable");
    let mut command =
        command(&["run", "--model", "replay:model.jsonl", "--tools", "sub/tools.toml", "Where?"]);
    command.current_dir(folder.path(""));
    let found = crate::oncue::answer(command, b"");
    assert_eq!(found.code, 0);
    assert!(found.err.contains("/sub/inner\ndone "), "{found:?}");
}

#[test]
fn a_check_tells_what_would_be_run() {
    let found = run(&["--check"]);
    assert_eq!((found.code, found.err.as_str()), (0, ""));
    assert_eq!(
        found.out,
        "model         scripted:shopkeeper\n\
         disclosure    append\n\
         tools         demo\n\
         inline        listOrders, showOrder, findCustomer\n\
         discoverable  listInvoices, showInvoice, listTickets, showTicket, searchProducts, stockLevels, salesReport, addTicketNote, exportOrders, refundOrder, proposeRefund\n\
         gated         refundOrder\n"
    );
    let json = oncue(&["run", "--check", "--json", "--profile", "weak"]).json();
    assert_eq!((&json["version"], &json["model"]), (&1.into(), &Value::Null));
    assert_eq!(json["profile"]["preload"], 5);

    let tools = "[[tool]]\nname = \"x\"\ndescription = \"X\"\ncommand = [\"./not-there\"]\n";
    let folder = Folder::of(&[("tools.toml", tools.as_bytes())]);
    let found = oncue(&["run", "--check", "--tools", &folder.path("tools.toml")]);
    assert_eq!(found.code, 3);
    assert!(found.err.contains("/./not-there` of `x` is not there\n\nhint: "), "{found:?}");
}

#[test]
fn the_system_text_may_come_from_a_file() {
    let folder = Folder::of(&[("system.md", b"You keep a shop.")]);
    let path = format!("@{}", folder.path("system.md"));
    assert_eq!(run(&["--yes", "--quiet", "--system", &path, "Pay it back"]).code, 0);
    let found = run(&["--system", "@not-there", "Pay it back"]);
    assert_eq!(found.code, 3);
    assert!(
        found
            .err
            .starts_with("error: failed to read what the model is told once from `not-there`: "),
        "{found:?}"
    );
}

#[test]
fn a_recording_that_is_none_is_told_with_its_line() {
    let start = r#"{"line":"start","version":1,"model":"m"}"#;
    let cases = [
        ("", "the first line does not say what was recorded"),
        ("{\"line\":\"turn\",\"task\":\"x\"}\n", "the first line does not say what was recorded"),
        (
            "{\"line\":\"start\",\"version\":9,\"model\":\"m\"}\n",
            "it has version 9, and 1 is read here",
        ),
        (&format!("{start}\n\n{{\"line\":\"x\"}}\n"), "line 3: unknown variant `x`"),
    ];
    for (text, expected) in cases {
        let folder = Folder::of(&[("model.jsonl", text.as_bytes())]);
        let path = folder.path("model.jsonl");
        let found = oncue(&["run", "--model", &format!("replay:{path}"), "Hello"]);
        assert_eq!(found.code, 3, "{found:?}");
        let begin = format!("error: failed to read the recording `{path}`: {expected}");
        assert!(found.err.starts_with(&begin), "{found:?}");
    }
}
