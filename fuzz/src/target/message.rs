//! One message of JSON-RPC.

use oncue_mcp::{Malformed, Members, Message};
use serde_json::Value;

/// Any bytes are a message or an error; a message says what its JSON says, and is the same when it is written and read again.
pub fn message(input: &[u8]) {
    let read = Message::read(input);
    if let Ok(text) = std::str::from_utf8(input)
        && let Ok(value) = serde_json::from_str::<Value>(text)
    {
        against(&read, &value);
    }
    match read {
        Ok(message) => again(&message),
        Err(malformed) => {
            let answer = Message::Response(malformed.answer()).to_bytes();
            // An id may be a number that is too large for any value.
            let answer: Members = serde_json::from_slice(&answer).expect("an error is JSON");
            let error: Value = answer.read("error").expect("an error");
            assert!(error["code"].as_i64().is_some_and(|code| code < 0));
            assert_eq!(answer.read::<String>("jsonrpc").as_deref(), Some("2.0"));
        }
    }
    if let Ok(text) = std::str::from_utf8(input)
        && let Ok(members) = serde_json::from_str::<Members>(text)
    {
        let written = members.to_raw().expect("members are JSON");
        let again: Members = serde_json::from_str(written.get()).expect("they are read again");
        assert_eq!(again.to_raw().expect("members are JSON").get(), written.get());
    }
}

/// Holds what was read against a second look at the same JSON.
fn against(read: &Result<Message, Malformed>, value: &Value) {
    let has = |name: &str| value.get(name).is_some();
    let id = value.get("id");
    let has_id = id.is_some_and(|id| id.is_string() || id.is_number());
    match read {
        Ok(message) => {
            assert_eq!(value["jsonrpc"], "2.0");
            let written: Value = serde_json::from_slice(&message.to_bytes()).expect("JSON");
            // Members of another kind of message mean nothing and are left out.
            let names: &[&str] = match message {
                Message::Response(_) => &["id", "result"],
                _ => &["id", "method", "params"],
            };
            for name in names.iter().copied() {
                let told = written.get(name).filter(|value| !value.is_null());
                assert_eq!(told, value.get(name).filter(|it| !it.is_null()), "{name}");
            }
            match message {
                Message::Request(_) => assert!(has_id && value["method"].is_string()),
                Message::Notification(_) => assert!(!has("id") && value["method"].is_string()),
                Message::Response(_) => {
                    assert!(!has("method") && (has("result") != has("error")));
                }
            }
        }
        Err(Malformed::NotJson { .. }) => panic!("it is JSON: {value}"),
        Err(Malformed::NotMessage { id: told, .. }) => {
            if let Some(told) = told {
                let told = serde_json::to_value(told).expect("JSON");
                assert_eq!(Some(&told), id);
            }
        }
    }
}

fn again(message: &Message) {
    let written = message.to_bytes();
    assert!(!written.contains(&b'\n') && !written.contains(&b'\r'), "it is one line");
    let again = Message::read(&written).expect("what was written is read");
    assert_eq!(again.to_bytes(), written);
}
