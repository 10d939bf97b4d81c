//! Streamed answers: what is heard comes piece by piece, and the last event holds the response.

use std::collections::BTreeMap;

use oncue_agent::{Delta, ModelError, Reply};
use serde_json::{Value, json};

use super::answer::whole;
use super::{error, replay};
use crate::Names;
use crate::wire::{Decode, Event, broken_off, json, malformed};

/// An answer that is being streamed. Lives as long as the stream.
pub(super) struct Stream {
    names: Names,
    /// Items by their index, for servers whose last event does not hold them.
    items: BTreeMap<u64, Value>,
    /// The response, once it has ended.
    response: Option<Value>,
}

impl Stream {
    pub(super) fn new(names: Names) -> Self {
        Self { names, items: BTreeMap::new(), response: None }
    }

    /// Returns the item that an event is about.
    fn item(&mut self, event: &Value) -> Option<&mut Value> {
        self.items.get_mut(&index(event)?)
    }

    fn begin(&self, item: &Value, hear: &mut dyn FnMut(Delta)) {
        let name = match item.get("type").and_then(Value::as_str) {
            Some("function_call") => {
                item.get("name").and_then(Value::as_str).map(|name| self.names.exposed(name))
            }
            Some("tool_search_call") if item.as_object().is_some_and(replay::is_ours) => {
                self.names.search()
            }
            _ => None,
        };
        if let Some(name) = name {
            hear(Delta::Call(name.to_owned()));
        }
    }
}

impl Decode for Stream {
    fn event(&mut self, event: &Event, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let data = event.data.trim();
        if data.is_empty() || data == "[DONE]" {
            return Ok(());
        }
        let mut value = json(event)?;
        let kind = value.get("type").and_then(Value::as_str).unwrap_or(&event.name).to_owned();
        let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default();
        match kind.as_str() {
            "response.output_item.added" | "response.output_item.done" => {
                let (Some(at), Some(item)) = (index(&value), value.get("item")) else {
                    return Err(malformed("an item without an index"));
                };
                if kind.ends_with("added") {
                    self.begin(item, hear);
                }
                self.items.insert(at, item.clone());
            }
            "response.output_text.delta" | "response.refusal.delta" => {
                hear(Delta::Text(text("delta").to_owned()));
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                hear(Delta::Reasoning(text("delta").to_owned()));
            }
            "response.function_call_arguments.done" => {
                let arguments = json!(text("arguments"));
                if let Some(item) = self.item(&value).and_then(Value::as_object_mut) {
                    item.insert("arguments".to_owned(), arguments);
                }
            }
            "response.completed" | "response.incomplete" => {
                self.response = value.get_mut("response").map(Value::take);
            }
            "response.failed" => {
                let failed = value.get("response").and_then(error::of_response);
                return Err(failed.unwrap_or_else(|| error::of_event(&value)));
            }
            "error" => return Err(error::of_event(&value)),
            // What an item holds comes again with its end.
            _ if value.get("error").is_some_and(Value::is_object) => {
                return Err(error::of_event(&value));
            }
            _ => {}
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.response.is_some()
    }

    fn finish(self: Box<Self>) -> Result<Reply, ModelError> {
        let Self { names, items, response } = *self;
        let Some(mut response) = response else {
            return Err(broken_off());
        };
        let has_output =
            response.get("output").and_then(Value::as_array).is_some_and(|items| !items.is_empty());
        if let Some(fields) = response.as_object_mut().filter(|_| !has_output) {
            let items: Vec<Value> = items.into_values().collect();
            fields.insert("output".to_owned(), Value::from(items));
        }
        whole(response, &names)
    }
}

fn index(event: &Value) -> Option<u64> {
    event.get("output_index").and_then(Value::as_u64)
}
