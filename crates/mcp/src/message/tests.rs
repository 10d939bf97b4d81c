//! What is read of bytes, and what is written.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn read(text: &str) -> Message {
    Message::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn written(message: &Message) -> String {
    String::from_utf8(message.to_bytes()).expect("text")
}

// case: C41
#[test]
fn ids_come_back_with_their_type_and_value() {
    for id in ["\"1\"", "1", "\"\"", "\"0001\"", "9007199254740992", "-1", "\"é\"", "1.0", "1e2"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let Message::Request(request) = read(&text) else { panic!("{text}") };
        let answer = Response::new(request.id, Ok(crate::empty()));
        let expected = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        assert_eq!(written(&Message::Response(answer)), expected);
    }
}

#[test]
fn a_number_and_the_text_that_spells_it_are_two_ids_and_one_answer() {
    let id = |text: &str| serde_json::from_str::<RequestId>(text).expect("an id");
    assert_ne!(id("5"), id("\"5\""));
    assert_eq!(id("5").as_given(), Some(5));
    assert_eq!(id("\"5\"").as_given(), Some(5));
    assert_eq!(id("5.0").as_given(), None);
    assert_eq!(id("-5").as_given(), None);
}

#[test]
fn contents_stay_as_they_were_written() {
    let params =
        r#"{"z":1,"a":123456789012345678901234567890,"f":1.50,"s":"\u00e9","n":null,"z":2}"#;
    let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    assert_eq!(written(&read(&text)), text);
}

#[test]
fn a_message_is_one_line_whatever_it_was_written_over() {
    let text = "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\r\n \"a\": \"x\\ny\"}}";
    let line = written(&read(text));
    assert!(!line.contains(['\r', '\n']), "{line}");
    let (before, after): (Value, Value) =
        (serde_json::from_str(text).expect("JSON"), serde_json::from_str(&line).expect("JSON"));
    assert_eq!(before, after);
}

#[test]
fn what_is_no_message_is_told_by_what_is_wrong() {
    let why = |text: &str| match Message::read(text.as_bytes()) {
        Err(Malformed::NotMessage { why, id }) => (why, id.map(|id| id.to_string())),
        other => panic!("{text}: {other:?}"),
    };
    let seven = Some("7".to_owned());
    assert_eq!(why(r#"{"id":7,"method":"m"}"#), ("`jsonrpc` is not \"2.0\"", seven.clone()));
    assert_eq!(why(r#"{"jsonrpc":"1.0","id":7,"method":"m"}"#).1, seven);
    assert_eq!(
        why(r#"{"jsonrpc":"2.0","id":7,"method":3}"#),
        ("`method` is not a string", seven.clone())
    );
    assert_eq!(
        why(r#"{"jsonrpc":"2.0","id":7,"method":"m","params":[1]}"#),
        ("`params` is not an object", seven.clone())
    );
    assert_eq!(
        why(r#"{"jsonrpc":"2.0","id":7}"#),
        ("neither a method nor a result nor an error", seven.clone())
    );
    assert_eq!(
        why(r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":""}}"#),
        ("both a result and an error", seven.clone())
    );
    assert_eq!(
        why(r#"{"jsonrpc":"2.0","id":7,"error":{"message":"x"}}"#),
        ("`error` has no code", seven)
    );
    assert_eq!(
        why(r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#),
        ("the id of a request is null", None)
    );
    assert_eq!(
        why(r#"{"jsonrpc":"2.0","id":{"a":1},"method":"m"}"#),
        ("`id` is neither a number nor a string", None)
    );
    assert_eq!(why(r#"{"jsonrpc":"2.0","result":{}}"#), ("a result without an id", None));
    assert_eq!(
        why(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#),
        ("a member comes twice", None)
    );
    assert_eq!(why("[]").0, "an array of messages is not taken; send each alone");
    assert_eq!(why("12").0, "not an object");
    for text in ["", "ready", "{\"jsonrpc\"", "{} {}", "\u{feff}{}"] {
        let read = Message::read(text.as_bytes());
        assert!(matches!(read, Err(Malformed::NotJson { .. })), "{text}: {read:?}");
    }
    assert!(matches!(Message::read(b"\"\xff\""), Err(Malformed::NotJson { .. })));
}

#[test]
fn a_refusal_names_the_request_where_it_can() {
    let answer = |text: &str| match Message::read(text.as_bytes()) {
        Err(malformed) => written(&Message::Response(malformed.answer())),
        Ok(message) => panic!("{message:?}"),
    };
    assert_eq!(
        answer("{"),
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: not JSON"}}"#
    );
    assert_eq!(
        answer(r#"{"jsonrpc":"2.0","id":"x"}"#),
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32600,"message":"Invalid request: neither a method nor a result nor an error"}}"#
    );
}

#[test]
fn a_result_that_is_null_is_a_result() {
    let Message::Response(response) = read(r#"{"jsonrpc":"2.0","id":1,"result":null}"#) else {
        panic!("a response")
    };
    assert_eq!(response.outcome.expect("a result").get(), "null");
}

#[test]
fn nesting_of_any_depth_is_passed_on() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"x":{deep}}}}}"#);
    assert_eq!(written(&read(&text)), text);
}

#[test]
fn one_member_changes_and_its_siblings_stay() {
    let text = r#"{"name":"a","arguments":{"x":1.0},"_meta":{"k":[1, 2]},"new":true}"#;
    let mut members: Members = serde_json::from_str(text).expect("an object");
    members.set("name", &"b").expect("JSON");
    members.set("extra", &1).expect("JSON");
    assert_eq!(members.take("new").expect("it was there").get(), "true");
    assert!(members.take("new").is_none());
    assert_eq!(
        members.to_raw().expect("JSON").get(),
        r#"{"name":"b","arguments":{"x":1.0},"_meta":{"k":[1, 2]},"extra":1}"#
    );
    assert_eq!(members.read::<String>("name").as_deref(), Some("b"));
    assert_eq!(members.read::<u32>("name"), None);
}

proptest! {
    #[test]
    fn reading_is_total_and_writing_reads_back(text in ".{0,200}") {
        if let Ok(message) = Message::read(text.as_bytes()) {
            let line = written(&message);
            let again = written(&read(&line));
            prop_assert_eq!(line, again);
        }
    }
}
