//! The answer as events.

use oncue_agent::cache::CacheUse;
use serde_json::{Map, Value, json};

use super::answer::{answer, frame};
use super::output::Output;
use crate::frame as framing;

/// The events so far.
pub(super) struct Events<'a> {
    body: &'a Value,
    /// Whether arguments come in pieces.
    has_deltas: bool,
    number: u64,
    /// The events, framed.
    pub sent: Vec<Vec<u8>>,
}

impl<'a> Events<'a> {
    pub(super) fn new(body: &'a Value, has_deltas: bool, number: u64) -> Self {
        Self { body, has_deltas, number, sent: Vec::new() }
    }

    pub(super) fn begin(&mut self) {
        for kind in ["response.created", "response.in_progress"] {
            self.send(kind, json!({ "response": frame(self.body, self.number) }));
        }
    }

    /// Ends the stream in an error.
    pub(super) fn fail(&mut self, error: &Value) {
        self.send("error", json!({ "error": error }));
        let mut response = frame(self.body, self.number);
        response["status"] = json!("failed");
        let code =
            if error["code"].is_null() { json!("server_error") } else { error["code"].clone() };
        response["error"] = json!({ "code": code, "message": error["message"] });
        self.send("response.failed", json!({ "response": response }));
    }

    /// Sends the whole reply.
    pub(super) fn say(&mut self, output: &Output, used: &CacheUse) {
        for (at, item) in output.items.iter().enumerate() {
            self.item(at, item);
        }
        let response = answer(self.body, output, used, self.number);
        let kind = if output.is_cut { "response.incomplete" } else { "response.completed" };
        self.send(kind, json!({ "response": response }));
    }

    fn item(&mut self, at: usize, item: &Value) {
        self.send("response.output_item.added", json!({ "output_index": at, "item": begun(item) }));
        match item["type"].as_str() {
            Some("message") => self.message(at, item),
            Some("reasoning") => self.reasoning(at, item),
            Some("function_call") => self.arguments(at, item),
            _ => {}
        }
        self.send("response.output_item.done", json!({ "output_index": at, "item": item }));
    }

    fn message(&mut self, at: usize, item: &Value) {
        let part = &item["content"][0];
        let place = json!({ "item_id": item["id"], "output_index": at, "content_index": 0 });
        let (name, text) = match part["type"].as_str() {
            Some("refusal") => ("refusal", "refusal"),
            _ => ("output_text", "text"),
        };
        let mut empty = part.clone();
        empty[text] = json!("");
        self.send_at("response.content_part.added", &place, json!({ "part": empty }));
        let whole = part[text].as_str().unwrap_or_default();
        // Texts have the places of their tokens beside them, refusals have not.
        let with = |mut fields: Value| {
            if text == "text" {
                fields["logprobs"] = json!([]);
            }
            fields
        };
        for fragment in framing::fragments(whole) {
            let delta = self.delta(&fragment);
            self.send_at(&format!("response.{name}.delta"), &place, with(delta));
        }
        self.send_at(&format!("response.{name}.done"), &place, with(json!({ text: whole })));
        self.send_at("response.content_part.done", &place, json!({ "part": part }));
    }

    fn reasoning(&mut self, at: usize, item: &Value) {
        let Some(text) = item["summary"][0]["text"].as_str() else { return };
        let place = json!({ "item_id": item["id"], "output_index": at, "summary_index": 0 });
        let part = |text: &str| json!({ "part": { "type": "summary_text", "text": text } });
        self.send_at("response.reasoning_summary_part.added", &place, part(""));
        for fragment in framing::fragments(text) {
            let delta = self.delta(&fragment);
            self.send_at("response.reasoning_summary_text.delta", &place, delta);
        }
        self.send_at("response.reasoning_summary_text.done", &place, json!({ "text": text }));
        self.send_at("response.reasoning_summary_part.done", &place, part(text));
    }

    fn arguments(&mut self, at: usize, item: &Value) {
        let place = json!({ "item_id": item["id"], "output_index": at });
        let text = item["arguments"].as_str().unwrap_or_default();
        if self.has_deltas {
            for fragment in framing::fragments(text) {
                let delta = self.delta(&fragment);
                self.send_at("response.function_call_arguments.delta", &place, delta);
            }
        }
        let done = json!({ "arguments": text });
        self.send_at("response.function_call_arguments.done", &place, done);
    }

    fn delta(&self, fragment: &str) -> Value {
        let mut delta = json!({ "delta": fragment });
        if self.body["stream_options"]["include_obfuscation"] != false {
            delta["obfuscation"] = json!("x".repeat(1 + self.sent.len() % 5));
        }
        delta
    }

    fn send_at(&mut self, kind: &str, place: &Value, fields: Value) {
        let mut all = place.as_object().cloned().unwrap_or_default();
        if let Value::Object(fields) = fields {
            all.extend(fields);
        }
        self.send(kind, Value::Object(all));
    }

    fn send(&mut self, kind: &str, fields: Value) {
        let mut event = Map::new();
        event.insert("type".to_owned(), json!(kind));
        event.insert("sequence_number".to_owned(), json!(self.sent.len()));
        if let Value::Object(fields) = fields {
            event.extend(fields);
        }
        self.sent.push(framing::event(&Value::Object(event)));
    }
}

/// Returns an item as it is announced: nothing is in it yet.
fn begun(item: &Value) -> Value {
    let mut begun = item.clone();
    match item["type"].as_str() {
        Some("message") => begun["content"] = json!([]),
        Some("reasoning") => begun["summary"] = json!([]),
        Some("function_call") => begun["arguments"] = json!(""),
        Some("tool_search_call") => begun["arguments"] = json!({}),
        _ => return begun,
    }
    if let Some(status) = begun.get_mut("status") {
        *status = json!("in_progress");
    }
    begun
}
