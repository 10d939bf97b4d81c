//! The fake held against OpenAI's rules, and its answers against each other.

mod accounting;
mod answers;
mod items;
mod pairs;
mod rules;
mod tools;

use oncue_agent::cache::CacheUse;
use serde_json::{Value, json};

use super::Responses;
use crate::{Asked, Refusal, Scripted, Wire};

/// A request with a key and this body.
fn asked(body: Value) -> Asked {
    let key = ("authorization".to_owned(), "Bearer sk-fake".to_owned());
    Asked { path: "/v1/responses".to_owned(), headers: vec![key], body, ..Asked::default() }
}

/// The smallest request that is accepted, with these fields beside or instead of its own.
fn body(fields: Value) -> Value {
    let mut body = json!({ "model": "gpt-5.6-terra", "input": "hello" });
    if let (Value::Object(body), Value::Object(fields)) = (&mut body, fields) {
        body.extend(fields);
    }
    body
}

fn check(fields: Value) -> Result<(), Refusal> {
    Responses::openai().check(&asked(body(fields)))
}

#[track_caller]
fn accepts(fields: Value) {
    let asked = asked(body(fields));
    assert_eq!(Responses::openai().check(&asked), Ok(()), "{}", asked.body);
}

/// Says that a request is refused with this status, parameter, code and message.
#[track_caller]
fn refuses_with<'a>(
    status: u16,
    fields: Value,
    param: impl Into<Option<&'a str>>,
    code: impl Into<Option<&'a str>>,
    message: &str,
) {
    let asked = asked(body(fields));
    let refusal = Responses::openai().check(&asked).expect_err(&asked.body.to_string());
    let error = Responses::openai().error(&refusal, 1);
    let expected = json!({ "error": {
        "message": message,
        "type": "invalid_request_error",
        "param": param.into(),
        "code": code.into(),
    } });
    assert_eq!((refusal.status, error), (status, expected), "{}", asked.body);
}

#[track_caller]
fn refuses<'a>(
    fields: Value,
    param: impl Into<Option<&'a str>>,
    code: impl Into<Option<&'a str>>,
    message: &str,
) {
    refuses_with(400, fields, param, code, message);
}

fn function(name: &str) -> Value {
    json!({ "type": "function", "name": name })
}

fn search() -> Value {
    let parameters = json!({ "type": "object", "properties": { "query": { "type": "string" } } });
    json!({ "type": "tool_search", "execution": "client", "description": "Finds tools.", "parameters": parameters })
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn answer(server: &Responses, fields: Value, scripted: &Scripted) -> Value {
    server.answer(&asked(body(fields)), scripted, &CacheUse::default(), 7)
}

/// Returns the events of a stream, each under the name that its frame has.
fn events(server: &Responses, fields: Value, scripted: &Scripted) -> Vec<Value> {
    let stream = server.stream(&asked(body(fields)), scripted, &CacheUse::default(), 7);
    let text = String::from_utf8(stream.concat()).unwrap();
    let frames = text.split_terminator("\n\n").enumerate().map(|(at, frame)| {
        let (name, data) = frame.split_once('\n').unwrap();
        let event: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(name.strip_prefix("event: "), event["type"].as_str());
        assert_eq!(event["sequence_number"], at);
        event
    });
    frames.collect()
}
