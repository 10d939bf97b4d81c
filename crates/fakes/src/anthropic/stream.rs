//! Replies of the Messages API as events.

use serde_json::{Value, json};

use super::reply::Message;
use super::request::{blocks, text};
use crate::frame;

/// Returns the message as the events in which it is streamed.
pub(super) fn events(message: &Message) -> Vec<Value> {
    let mut events = vec![start(&message.value)];
    let content = blocks(&message.value);
    for (index, block) in content.iter().enumerate() {
        let raw = message.raw_inputs.get(index).and_then(Option::as_deref);
        events.extend(begun(index, block, raw));
        if index == 0 {
            events.insert(events.len().min(2), json!({ "type": "ping" }));
        }
        if !(message.is_cut && index + 1 == content.len()) {
            events.push(json!({ "type": "content_block_stop", "index": index }));
        }
    }
    events.push(delta(&message.value));
    events.push(json!({ "type": "message_stop" }));
    events
}

/// Returns the events of a stream that begins and then fails with this error.
pub(super) fn failing_events(message: &Message, error: Value) -> Vec<Value> {
    let block = json!({ "type": "text", "text": "This reply breaks" });
    let mut events = vec![start(&message.value)];
    events.extend(begun(0, &block, None));
    events.push(error);
    events
}

/// The message as it begins: without content and without an end.
fn start(message: &Value) -> Value {
    let mut message = message.clone();
    if let Some(fields) = message.as_object_mut() {
        fields.insert("content".to_owned(), json!([]));
        fields.insert("stop_reason".to_owned(), Value::Null);
        fields.insert("stop_details".to_owned(), Value::Null);
        if let Some(usage) = fields.get_mut("usage").and_then(Value::as_object_mut) {
            usage.insert("output_tokens".to_owned(), json!(1));
            usage.remove("output_tokens_details");
        }
    }
    json!({ "type": "message_start", "message": message })
}

/// The end of the message, with the counts that are final.
fn delta(message: &Value) -> Value {
    let usage = |name: &str| message.get("usage").and_then(|usage| usage.get(name)).cloned();
    json!({
        "type": "message_delta",
        "delta": {
            "stop_reason": message.get("stop_reason"),
            "stop_sequence": null,
            "stop_details": message.get("stop_details"),
        },
        "usage": {
            "input_tokens": usage("input_tokens"),
            "cache_creation_input_tokens": usage("cache_creation_input_tokens"),
            "cache_read_input_tokens": usage("cache_read_input_tokens"),
            "output_tokens": usage("output_tokens"),
            "output_tokens_details": usage("output_tokens_details"),
        },
    })
}

/// The beginning of a block and its increments.
fn begun(index: usize, block: &Value, raw_input: Option<&str>) -> Vec<Value> {
    let (empty, deltas) = match text(block, "type") {
        "text" => {
            let empty = with(block, &[("text", json!(""))]);
            (empty, fragments("text_delta", "text", text(block, "text")))
        }
        "thinking" => {
            let empty = with(block, &[("thinking", json!("")), ("signature", json!(""))]);
            let mut deltas = fragments("thinking_delta", "thinking", text(block, "thinking"));
            let signature = text(block, "signature");
            deltas.push(json!({ "type": "signature_delta", "signature": signature }));
            (empty, deltas)
        }
        "tool_use" | "server_tool_use" => {
            let input = block.get("input").filter(|input| **input != json!({}));
            let input = input.map(Value::to_string).unwrap_or_default();
            // The first increment of an input is empty, and where there are no arguments it is the only one.
            let mut deltas = vec![json!({ "type": "input_json_delta", "partial_json": "" })];
            deltas.extend(fragments(
                "input_json_delta",
                "partial_json",
                raw_input.unwrap_or(&input),
            ));
            (with(block, &[("input", json!({}))]), deltas)
        }
        _ => (block.clone(), Vec::new()),
    };
    let mut events =
        vec![json!({ "type": "content_block_start", "index": index, "content_block": empty })];
    events.extend(
        deltas
            .into_iter()
            .map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })),
    );
    events
}

/// Returns the block with other values in some fields.
fn with(block: &Value, fields: &[(&str, Value)]) -> Value {
    let mut block = block.clone();
    if let Some(object) = block.as_object_mut() {
        for (name, value) in fields {
            object.insert((*name).to_owned(), value.clone());
        }
    }
    block
}

fn fragments(kind: &str, field: &str, text: &str) -> Vec<Value> {
    let fragments = frame::fragments(text).into_iter();
    fragments.map(|piece| json!({ "type": kind, field: piece })).collect()
}
