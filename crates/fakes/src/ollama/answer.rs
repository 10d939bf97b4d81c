//! The answer as one object, and as lines.

use oncue_agent::cache::CacheUse;
use serde_json::{Map, Value, json};

use super::said::Said;
use crate::frame::fragments;
use crate::limits::OLLAMA_CONTEXT_TOKENS_MAX;

/// A time that never passes.
const CREATED: &str = "2026-09-21T12:00:00Z";

/// Nanoseconds of everything that takes time.
const DURATION: u64 = 1_000_000;

pub(super) fn answer(body: &Value, said: &Said, used: &CacheUse) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("content".to_owned(), json!(said.content));
    if let Some(thinking) = &said.thinking {
        message.insert("thinking".to_owned(), json!(thinking));
    }
    if !said.calls.is_empty() {
        message.insert("tool_calls".to_owned(), json!(said.calls));
    }
    message.extend(said.further.clone());
    ended(body, Value::Object(message), said, used)
}

/// Returns the lines: thoughts and texts in pieces, each call whole, and a last one that ends the reply.
pub(super) fn stream(body: &Value, said: &Said, used: &CacheUse) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    let mut send = |fields: Value| {
        let mut message = Map::new();
        message.insert("role".to_owned(), json!("assistant"));
        message.insert("content".to_owned(), json!(""));
        if let Value::Object(fields) = fields {
            message.extend(fields);
        }
        lines.push(line(&frame(body, Value::Object(message), false)));
    };
    for fragment in fragments(said.thinking.as_deref().unwrap_or_default()) {
        send(json!({ "thinking": fragment }));
    }
    for fragment in fragments(&said.content) {
        send(json!({ "content": fragment }));
    }
    for call in &said.calls {
        send(json!({ "tool_calls": [call] }));
    }
    if !said.further.is_empty() {
        send(Value::Object(said.further.clone()));
    }
    let empty = json!({ "role": "assistant", "content": "" });
    lines.push(line(&ended(body, empty, said, used)));
    lines
}

/// Returns a stream that ends in an error behind its first line.
pub(super) fn broken(body: &Value, error: &Value) -> Vec<Vec<u8>> {
    let empty = json!({ "role": "assistant", "content": "" });
    vec![line(&frame(body, empty, false)), line(error)]
}

fn frame(body: &Value, message: Value, is_done: bool) -> Value {
    let mut frame = json!({ "model": body["model"], "created_at": CREATED });
    frame["message"] = message;
    frame["done"] = json!(is_done);
    frame
}

/// What is longer than the context was cut off at its beginning, and only the count tells.
fn ended(body: &Value, message: Value, said: &Said, used: &CacheUse) -> Value {
    let context = body["options"]["num_ctx"].as_u64().unwrap_or(OLLAMA_CONTEXT_TOKENS_MAX);
    let prompt = used.read + used.written + used.uncached;
    let mut ended = frame(body, message, true);
    ended["done_reason"] = json!(said.finish);
    ended["total_duration"] = json!(3 * DURATION);
    ended["load_duration"] = json!(DURATION);
    ended["prompt_eval_count"] = json!(prompt.min(context));
    ended["prompt_eval_duration"] = json!(DURATION);
    ended["eval_count"] = json!(said.tokens);
    ended["eval_duration"] = json!(DURATION);
    ended
}

fn line(value: &Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}
