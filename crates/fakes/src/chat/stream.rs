//! The answer as chunks.

use oncue_agent::cache::CacheUse;
use serde_json::{Map, Value, json};

use super::answer::{CREATED, usage};
use super::said::{Call, Said};
use crate::{Asked, frame};

/// Returns the chunks; with an error the stream ends in it, right after its first chunk.
pub(super) fn stream(
    asked: &Asked,
    said: &Said,
    error: Option<&Value>,
    used: &CacheUse,
    number: u64,
) -> Vec<Vec<u8>> {
    let mut chunks = Chunks::new(asked, number);
    let begun = said.content.as_ref().map(|_| "");
    chunks.delta(&json!({ "role": "assistant", "content": begun, "refusal": null }));
    if let Some(error) = error {
        chunks.sent.push(frame::data(error));
        return chunks.sent;
    }
    chunks.texts("reasoning_content", said.reasoning.as_deref());
    chunks.texts("content", said.content.as_deref());
    chunks.texts("refusal", said.refusal.as_deref());
    for (index, call) in said.calls.iter().enumerate() {
        chunks.call(index, call);
    }
    if !said.further.is_empty() {
        chunks.delta(&Value::Object(said.further.clone()));
    }
    chunks.chunk(&json!({}), Some(said.finish));
    if chunks.has_usage {
        chunks.usage(usage(asked, said, used));
    }
    chunks.sent.push(b"data: [DONE]\n\n".to_vec());
    chunks.sent
}

/// The chunks so far.
struct Chunks<'a> {
    asked: &'a Asked,
    number: u64,
    has_usage: bool,
    sent: Vec<Vec<u8>>,
}

impl<'a> Chunks<'a> {
    fn new(asked: &'a Asked, number: u64) -> Self {
        let has_usage = asked.body["stream_options"]["include_usage"] == true;
        Self { asked, number, has_usage, sent: Vec::new() }
    }

    fn texts(&mut self, field: &str, text: Option<&str>) {
        for fragment in frame::fragments(text.unwrap_or_default()) {
            self.delta(&json!({ field: fragment }));
        }
    }

    /// The first fragment of a call has its id and name; those behind it have arguments alone.
    fn call(&mut self, index: usize, call: &Call) {
        let Value::Object(fields) = call.value() else { return };
        let mut first = Map::new();
        first.insert("index".to_owned(), json!(index));
        first.extend(fields);
        let Some(text) = call.arguments.as_str() else {
            self.delta(&json!({ "tool_calls": [first] }));
            return;
        };
        first.insert("function".to_owned(), json!({ "name": call.name, "arguments": "" }));
        self.delta(&json!({ "tool_calls": [first] }));
        for fragment in frame::fragments(text) {
            let function = json!({ "arguments": fragment });
            self.delta(&json!({ "tool_calls": [{ "index": index, "function": function }] }));
        }
    }

    fn delta(&mut self, delta: &Value) {
        self.chunk(delta, None);
    }

    fn chunk(&mut self, delta: &Value, finish: Option<&str>) {
        let choice =
            json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish });
        self.send(&json!([choice]), Value::Null);
    }

    fn usage(&mut self, usage: Value) {
        self.send(&json!([]), usage);
    }

    fn send(&mut self, choices: &Value, usage: Value) {
        let mut chunk = json!({
            "id": format!("chatcmpl-{}", self.number),
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": self.asked.body["model"],
            "service_tier": "default",
            "system_fingerprint": null,
            "choices": choices,
        });
        if self.has_usage {
            chunk["usage"] = usage;
        }
        if self.asked.body["stream_options"]["include_obfuscation"] != false {
            chunk["obfuscation"] = json!("x".repeat(1 + self.sent.len() % 5));
        }
        self.sent.push(frame::data(&chunk));
    }
}
