//! The fake held against Google's rules, and its answers against each other.

mod accounting;
mod answers;
mod contents;
mod rules;
mod schemas;

use oncue_agent::cache::CacheUse;
use serde_json::{Value, json};

use super::Gemini;
use crate::{Asked, Refusal, Scripted, Wire};

/// A request with a key to this model, with this body.
fn asked_of(model: &str, body: Value) -> Asked {
    Asked {
        path: format!("/v1beta/models/{model}:generateContent"),
        query: "alt=sse".to_owned(),
        headers: vec![("x-goog-api-key".to_owned(), "fake".to_owned())],
        body,
    }
}

fn asked(body: Value) -> Asked {
    asked_of("gemini-2.5-flash", body)
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "parts": [{ "text": text }] })
}

/// The smallest request that is accepted, with these fields beside or instead of its own.
fn body(fields: Value) -> Value {
    let mut body = json!({ "contents": [user("hello")] });
    if let (Value::Object(body), Value::Object(fields)) = (&mut body, fields) {
        body.extend(fields);
    }
    body
}

fn check(fields: Value) -> Result<(), Refusal> {
    Gemini::new().check(&asked(body(fields)))
}

#[track_caller]
fn accepts(fields: Value) {
    let asked = asked(body(fields));
    assert_eq!(Gemini::new().check(&asked), Ok(()), "{}", asked.body);
}

/// Says that a request is refused with this message.
#[track_caller]
fn refuses(fields: Value, message: &str) {
    let asked = asked(body(fields));
    let refusal = Gemini::new().check(&asked).expect_err(&asked.body.to_string());
    let error = Gemini::new().error(&refusal, 1);
    assert_eq!(refusal.status, 400);
    assert_eq!(error["error"]["message"], message, "{}", asked.body);
    assert_eq!(
        (&error["error"]["code"], &error["error"]["status"]),
        (&json!(400), &json!("INVALID_ARGUMENT"))
    );
}

/// Says that a field of the request breaks a rule.
#[track_caller]
fn breaks(fields: Value, path: &str, problem: &str) {
    refuses(fields, &format!("* GenerateContentRequest.{path}: {problem}\n"));
}

fn answer(model: &str, fields: Value, scripted: &Scripted) -> Value {
    Gemini::new().answer(&asked_of(model, body(fields)), scripted, &CacheUse::default(), 7)
}

/// Returns the chunks of a stream.
fn chunks(model: &str, fields: Value, scripted: &Scripted) -> Vec<Value> {
    let asked = asked_of(model, body(fields));
    let stream = Gemini::new().stream(&asked, scripted, &CacheUse::default(), 7);
    let text = String::from_utf8(stream.concat()).unwrap();
    let frames = text.split_terminator("\n\n").map(|frame| frame.strip_prefix("data: ").unwrap());
    frames.map(|data| serde_json::from_str(data).unwrap()).collect()
}
