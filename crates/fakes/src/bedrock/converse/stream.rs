//! Replies of Converse as events: the kind of each, and its payload.

use serde_json::{Value, json};

use super::reply::Reply;
use crate::frame::fragments;
use crate::read;

type Event = (&'static str, Value);

/// Returns the reply as the events in which it is streamed.
pub(super) fn events(reply: &Reply) -> Vec<Event> {
    let mut events = vec![start()];
    for (index, (block, input)) in reply.content.iter().zip(&reply.inputs).enumerate() {
        events.extend(of_block(index, block, input));
        if !(reply.is_cut && index + 1 == reply.content.len()) {
            events.push(("contentBlockStop", json!({ "contentBlockIndex": index })));
        }
    }
    events.push(("messageStop", json!({ "stopReason": reply.stop_reason })));
    events.push(("metadata", json!({ "usage": reply.usage, "metrics": { "latencyMs": 1 } })));
    events.into_iter().map(padded).collect()
}

/// Returns the events of a reply that has begun.
pub(super) fn begun() -> Vec<Event> {
    vec![start(), delta(0, &json!({ "text": "This reply breaks" }))]
}

fn start() -> Event {
    ("messageStart", json!({ "role": "assistant" }))
}

/// The real server pads its events, so that their lengths tell nothing.
fn padded((kind, mut event): Event) -> Event {
    if let Some(fields) = event.as_object_mut() {
        fields.insert("p".to_owned(), json!("abcdefgh"));
    }
    (kind, event)
}

fn delta(index: usize, delta: &Value) -> Event {
    ("contentBlockDelta", json!({ "contentBlockIndex": index, "delta": delta }))
}

/// Only calls have an event for their beginning.
fn of_block(index: usize, block: &Value, input: &str) -> Vec<Event> {
    if let Some(text) = block.get("text").and_then(Value::as_str) {
        return fragments(text)
            .into_iter()
            .map(|piece| delta(index, &json!({ "text": piece })))
            .collect();
    }
    if let Some(call) = block.get("toolUse") {
        let start =
            json!({ "toolUse": { "toolUseId": call.get("toolUseId"), "name": call.get("name") } });
        let start = json!({ "contentBlockIndex": index, "start": start });
        let inputs = fragments(input)
            .into_iter()
            .map(|piece| delta(index, &json!({ "toolUse": { "input": piece } })));
        return [("contentBlockStart", start)].into_iter().chain(inputs).collect();
    }
    if let Some(thoughts) = block.get("reasoningContent").and_then(|r| r.get("reasoningText")) {
        let field = |name: &str| read::text(thoughts.get(name));
        let of =
            |name: &str, text: &str| delta(index, &json!({ "reasoningContent": { name: text } }));
        let mut events: Vec<Event> =
            fragments(field("text")).into_iter().map(|piece| of("text", &piece)).collect();
        events.push(of("signature", field("signature")));
        return events;
    }
    vec![delta(index, block)]
}
