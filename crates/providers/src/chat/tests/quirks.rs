//! What servers and weak models really send, one row each.

use oncue_agent::conversation::Part;
use oncue_agent::{Disclosure, Reply};
use serde_json::{Value, json};

use super::super::Chat;
use super::{endpoint, names};
use crate::samples::{call, text};
use crate::wire::Wire;

/// Returns the reply of an endpoint that is read leniently or not.
fn reply(message: &Value, reason: &str, is_lenient: bool) -> Reply {
    let wire = Chat::new(endpoint(Disclosure::Append).with_lenient_calls(is_lenient));
    let answer = json!({"choices": [{"message": message, "finish_reason": reason}]});
    wire.decode(answer, &names()).unwrap()
}

/// A message with these calls: id, name and arguments.
fn calling(calls: &[(Value, Value, Value)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, arguments)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
        .collect();
    json!({"role": "assistant", "content": null, "tool_calls": calls})
}

#[test]
fn odd_calls_are_read_as_they_are_meant() {
    let a = || json!("{\"table\":\"a\"}");
    let read = |id: &str| call(id, "readTable", r#"{"table":"a"}"#);
    let rows: Vec<(&str, Value, Vec<Part>)> = vec![
        ("prefix", calling(&[(json!("c1"), json!("functions.readTable"), a())]), vec![read("c1")]),
        (
            "prefix of nobody",
            calling(&[(json!("c1"), json!("functions.nobody"), a())]),
            vec![call("c1", "functions.nobody", r#"{"table":"a"}"#)],
        ),
        (
            "kimi id",
            calling(&[(json!("functions.readTable:0"), json!("readTable"), a())]),
            vec![read("functions.readTable:0")],
        ),
        (
            "kimi id alone",
            calling(&[(json!("functions.readTable:0"), json!(null), a())]),
            vec![read("functions.readTable:0")],
        ),
        (
            "kimi name",
            calling(&[(json!("c1"), json!("functions.readTable:3"), a())]),
            vec![read("c1")],
        ),
        ("no name", calling(&[(json!("c1"), json!(""), a())]), vec![]),
        (
            "arguments are an object",
            calling(&[(json!("c1"), json!("readTable"), json!({"table": "a"}))]),
            vec![read("c1")],
        ),
        (
            "arguments are empty",
            calling(&[(json!("c1"), json!("readTable"), json!(""))]),
            vec![call("c1", "readTable", "")],
        ),
        (
            "arguments are null",
            calling(&[(json!("c1"), json!("readTable"), json!(null))]),
            vec![call("c1", "readTable", "")],
        ),
        (
            "arguments are malformed",
            calling(&[(json!("c1"), json!("readTable"), json!("{\"table"))]),
            vec![call("c1", "readTable", "{\"table")],
        ),
        (
            "more arguments",
            calling(&[(json!("c1"), json!("readTable"), json!("{\"table\":\"a\",\"x\":1}"))]),
            vec![call("c1", "readTable", r#"{"table":"a","x":1}"#)],
        ),
        ("no id", calling(&[(json!(null), json!("readTable"), a())]), vec![read("")]),
        (
            "same ids",
            calling(&[
                (json!("c"), json!("readTable"), a()),
                (json!("c"), json!("readTable"), a()),
            ]),
            vec![read("c"), read("c")],
        ),
        (
            "name nearly right",
            calling(&[(json!("c1"), json!("read_table"), a())]),
            vec![call("c1", "read_table", r#"{"table":"a"}"#)],
        ),
        (
            "legacy call",
            json!({"content": null, "function_call": {"name": "readTable", "arguments": "{\"table\":\"a\"}"}}),
            vec![read("")],
        ),
        (
            "parts",
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "a"}]}),
            vec![Part::Reasoning { text: "Hm.".to_owned() }, text("a")],
        ),
    ];
    for (row, message, parts) in rows {
        for (reason, is_lenient) in [("tool_calls", false), ("stop", false), ("", false)] {
            assert_eq!(reply(&message, reason, is_lenient).parts, parts, "{row}");
        }
    }
}

#[test]
fn a_lenient_endpoint_reads_text_and_odd_arguments() {
    let fenced = "```json\n{\"name\": \"readTable\", \"arguments\": {\"table\": \"a\"}}\n```";
    let read = |id: &str| call(id, "readTable", r#"{"table":"a"}"#);
    let said = |content: &str| json!({"role": "assistant", "content": content});
    let rows: Vec<(&str, Value, Vec<Part>)> = vec![
        ("fenced", said(fenced), vec![read("")]),
        ("fenced in prose", said(&format!("I read.\n{fenced}")), vec![text("I read."), read("")]),
        (
            "prefix",
            said(r#"{"name": "functions.readTable", "parameters": {"table":"a"}}"#),
            vec![read("")],
        ),
        ("prose", said("I read the table."), vec![text("I read the table.")]),
        (
            "twice encoded",
            calling(&[(json!("c1"), json!("readTable"), json!("\"{\\\"table\\\":\\\"a\\\"}\""))]),
            vec![read("c1")],
        ),
        (
            "echo of the schema",
            calling(&[(
                json!("c1"),
                json!("readTable"),
                json!("{\"type\":\"object\",\"properties\":{\"table\":\"a\"}}"),
            )]),
            vec![read("c1")],
        ),
        (
            "glued",
            calling(&[(
                json!("c1"),
                json!("readTable"),
                json!("{}{\"table\":\"a\"}{\"table\":\"a\"}"),
            )]),
            vec![read("c1"), read("")],
        ),
    ];
    for (row, message, parts) in rows {
        let reply = reply(&message, "stop", true);
        assert_eq!(reply.parts, parts, "{row}");
        // What was found in text is not replayed as text.
        let is_in_text = message.get("tool_calls").is_none()
            && parts.iter().any(|part| matches!(part, Part::Call(_)));
        assert_eq!(reply.raw.is_none(), is_in_text, "{row}");
    }
    let strict = reply(&said(fenced), "stop", false);
    assert_eq!(strict.parts, [text(fenced)]);
}

#[test]
fn what_was_cut_off_is_not_mended() {
    let open = r#"{"name": "readTable", "arguments": {"table": "a"}"#;
    let said = json!({"role": "assistant", "content": open});
    assert_eq!(reply(&said, "length", true).parts, [text(open)]);
    assert_eq!(reply(&said, "stop", true).parts, [call("", "readTable", r#"{"table":"a"}"#)]);
    let cut = calling(&[(json!("c1"), json!("readTable"), json!("{\"table\":\"a\""))]);
    assert_eq!(reply(&cut, "length", true).parts, [call("c1", "readTable", r#"{"table":"a""#)]);
}
