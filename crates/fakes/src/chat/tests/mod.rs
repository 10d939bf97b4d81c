//! The fake held against OpenAI's rules, and its answers against each other.

mod accounting;
mod answers;
mod order;
mod quirks;
mod rules;
mod schemas;

use oncue_agent::cache::CacheUse;
use serde_json::{Value, json};

use super::Chat;
use crate::{Asked, Refusal, Scripted, Wire};

/// A request with a key and this body.
fn asked(body: Value) -> Asked {
    let key = ("authorization".to_owned(), "Bearer sk-fake".to_owned());
    Asked { path: "/v1/chat/completions".to_owned(), headers: vec![key], body, ..Asked::default() }
}

/// The smallest request that is accepted, with these fields beside or instead of its own.
fn body(fields: Value) -> Value {
    let mut body =
        json!({ "model": "gpt-4.1", "messages": [{ "role": "user", "content": "hello" }] });
    if let (Value::Object(body), Value::Object(fields)) = (&mut body, fields) {
        body.extend(fields);
    }
    body
}

fn check(fields: Value) -> Result<(), Refusal> {
    Chat::openai().check(&asked(body(fields)))
}

#[track_caller]
fn accepts(fields: Value) {
    let asked = asked(body(fields));
    assert_eq!(Chat::openai().check(&asked), Ok(()), "{}", asked.body);
}

/// Says that a request is refused with this parameter, code and message.
#[track_caller]
fn refuses<'a>(
    fields: Value,
    param: impl Into<Option<&'a str>>,
    code: impl Into<Option<&'a str>>,
    message: &str,
) {
    let asked = asked(body(fields));
    let refusal = Chat::openai().check(&asked).expect_err(&asked.body.to_string());
    let error = Chat::openai().error(&refusal, 1);
    let expected = json!({ "error": {
        "message": message,
        "type": "invalid_request_error",
        "param": param.into(),
        "code": code.into(),
    } });
    assert_eq!((refusal.status, error), (400, expected), "{}", asked.body);
}

fn tool(name: &str) -> Value {
    json!({ "type": "function", "function": { "name": name } })
}

fn answer(server: &Chat, fields: Value, scripted: &Scripted) -> Value {
    server.answer(&asked(body(fields)), scripted, &CacheUse::default(), 7)
}

/// Returns the events of a stream.
fn events(server: &Chat, fields: Value, scripted: &Scripted) -> Vec<Value> {
    let stream = server.stream(&asked(body(fields)), scripted, &CacheUse::default(), 7);
    let text = String::from_utf8(stream.concat()).unwrap();
    assert!(text.ends_with("\n\n"));
    let frames = text.split_terminator("\n\n").map(|frame| frame.strip_prefix("data: ").unwrap());
    frames.map(|data| serde_json::from_str(data).unwrap_or_else(|_| json!(data))).collect()
}
