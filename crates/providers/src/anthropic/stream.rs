//! Streamed answers: events in, a reply out.

use std::collections::BTreeMap;

use oncue_agent::{Delta, ModelError, Reply};
use serde_json::{Value, json};

use super::error;
use super::finish::{Block, Said};
use crate::Names;
use crate::wire::{Decode, Event, json, malformed};

/// An answer that is being streamed. Lives as long as the stream.
pub(super) struct Stream {
    names: Names,
    model: String,
    said: Said,
    /// Blocks by their index.
    blocks: BTreeMap<u64, Open>,
    is_complete: bool,
}

/// A block that is being streamed.
struct Open {
    value: Value,
    /// The text of its input so far.
    input: String,
    is_complete: bool,
}

impl Stream {
    pub(super) fn new(names: Names, model: String) -> Self {
        Self { names, model, said: Said::default(), blocks: BTreeMap::new(), is_complete: false }
    }

    fn start(&mut self, event: &Value, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let (Some(index), Some(value)) = (index(event), event.get("content_block")) else {
            return Err(malformed("a block without an index"));
        };
        let text = |field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "tool_use" => hear(Delta::Call(self.names.exposed(text("name")).to_owned())),
            "text" if !text("text").is_empty() => hear(Delta::Text(text("text").to_owned())),
            _ => {}
        }
        let open = Open { value: value.clone(), input: String::new(), is_complete: false };
        self.blocks.insert(index, open);
        Ok(())
    }

    fn block(&mut self, event: &Value) -> Result<&mut Open, ModelError> {
        let block = index(event).and_then(|index| self.blocks.get_mut(&index));
        block.ok_or_else(|| malformed("a piece of a block that has not begun"))
    }
}

impl Decode for Stream {
    fn event(&mut self, event: &Event, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let value = json(event)?;
        match value.get("type").and_then(Value::as_str).unwrap_or(&event.name) {
            "message_start" => {
                if let Some(message) = value.get("message") {
                    self.said.describe(message);
                }
            }
            "content_block_start" => self.start(&value, hear)?,
            "content_block_delta" => {
                if let Some(delta) = value.get("delta") {
                    self.block(&value)?.add(delta, hear);
                }
            }
            "content_block_stop" => self.block(&value)?.is_complete = true,
            "message_delta" => {
                if let Some(delta) = value.get("delta") {
                    self.said.describe(delta);
                }
                self.said.describe(&json!({"usage": value.get("usage")}));
            }
            "message_stop" => self.is_complete = true,
            "error" => {
                return Err(error::of_value(value.get("error").unwrap_or(&Value::Null)));
            }
            // `ping`, and whatever may come to be.
            _ => {}
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn finish(self: Box<Self>) -> Result<Reply, ModelError> {
        let Self { names, model, mut said, blocks, .. } = *self;
        said.blocks = blocks.into_values().map(Open::close).collect();
        said.reply(&names, &model)
    }
}

impl Open {
    /// Adds a piece.
    ///
    /// A piece of a kind that is not known here is added by the rule that all known ones follow: texts are appended, anything else replaces.
    fn add(&mut self, delta: &Value, hear: &mut dyn FnMut(Delta)) {
        let text = |field: &str| delta.get(field).and_then(Value::as_str).unwrap_or_default();
        match delta.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text_delta" => {
                hear(Delta::Text(text("text").to_owned()));
                append(&mut self.value, "text", text("text"));
            }
            "thinking_delta" => {
                hear(Delta::Reasoning(text("thinking").to_owned()));
                append(&mut self.value, "thinking", text("thinking"));
            }
            "input_json_delta" => self.input.push_str(text("partial_json")),
            "citations_delta" => {
                let citation = delta.get("citation").cloned().unwrap_or_default();
                match self.value.get_mut("citations").and_then(Value::as_array_mut) {
                    Some(citations) => citations.push(citation),
                    None => set(&mut self.value, "citations", json!([citation])),
                }
            }
            _ => {
                let fields = delta.as_object().into_iter().flatten();
                for (field, piece) in fields.filter(|(field, _)| *field != "type") {
                    match piece {
                        Value::String(text) => append(&mut self.value, field, text),
                        Value::Null => {}
                        piece => set(&mut self.value, field, piece.clone()),
                    }
                }
            }
        }
    }

    /// Returns the block as a whole answer would have it.
    fn close(self) -> Block {
        let Self { mut value, input, is_complete } = self;
        let mut broken_arguments = None;
        if !input.is_empty() {
            match serde_json::from_str::<Value>(&input) {
                Ok(input) if input.is_object() => set(&mut value, "input", input),
                _ => {
                    set(&mut value, "input", json!({}));
                    broken_arguments = Some(input);
                }
            }
        }
        Block { value, broken_arguments, is_complete }
    }
}

fn index(event: &Value) -> Option<u64> {
    event.get("index").and_then(Value::as_u64)
}

fn append(block: &mut Value, field: &str, text: &str) {
    match block.get_mut(field) {
        Some(Value::String(known)) => known.push_str(text),
        _ => set(block, field, json!(text)),
    }
}

fn set(block: &mut Value, field: &str, value: Value) {
    if let Some(fields) = block.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}
