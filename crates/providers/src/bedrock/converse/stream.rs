//! Streamed answers: events in, a reply out. Only calls have an event for their beginning.

use std::collections::BTreeMap;

use oncue_agent::{Delta, ModelError, Reply};
use serde_json::{Map, Value, json};

use super::answer::{Block, Said, usage};
use crate::Names;
use crate::wire::{Decode, Event, json, malformed};

/// An answer that is being streamed. Lives as long as the stream.
pub(super) struct Stream {
    names: Names,
    model: String,
    said: Said,
    /// Blocks by their index.
    blocks: BTreeMap<u64, Open>,
}

/// A block that is being streamed.
#[derive(Default)]
struct Open {
    /// The block so far.
    value: Value,
    /// The text of its input so far.
    input: String,
    is_complete: bool,
}

impl Stream {
    pub(super) fn new(names: Names, model: String) -> Self {
        Self { names, model, said: Said::default(), blocks: BTreeMap::new() }
    }

    fn block(&mut self, event: &Value) -> Result<&mut Open, ModelError> {
        let index = event.get("contentBlockIndex").and_then(Value::as_u64);
        let index = index.ok_or_else(|| malformed("a block without an index"))?;
        Ok(self.blocks.entry(index).or_default())
    }

    fn start(&mut self, event: &Value, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let start = event.get("start").cloned().unwrap_or_default();
        if let Some(name) = start.pointer("/toolUse/name").and_then(Value::as_str) {
            hear(Delta::Call(self.names.exposed(name).to_owned()));
        }
        self.block(event)?.value = start;
        Ok(())
    }
}

impl Decode for Stream {
    fn event(&mut self, event: &Event, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let value = json(event)?;
        match event.name.as_str() {
            "contentBlockStart" => self.start(&value, hear)?,
            "contentBlockDelta" => {
                if let Some(delta) = value.get("delta").and_then(Value::as_object) {
                    self.block(&value)?.add(delta, hear);
                }
            }
            "contentBlockStop" => self.block(&value)?.is_complete = true,
            "messageStop" => {
                let reason = value.get("stopReason").and_then(Value::as_str);
                self.said.stop_reason = reason.map(str::to_owned);
            }
            "metadata" => self.said.usage = Some(usage(value.get("usage"))),
            // `messageStart`, and whatever may come to be.
            _ => {}
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.said.usage.is_some() && self.said.stop_reason.is_some()
    }

    fn finish(self: Box<Self>) -> Result<Reply, ModelError> {
        let Self { names, model, mut said, blocks } = *self;
        said.blocks = blocks.into_values().map(Open::close).collect();
        said.reply(&names, &model)
    }
}

impl Open {
    /// Adds a piece: inputs of calls are texts of their own; elsewhere texts are appended and anything else replaces, at any depth.
    fn add(&mut self, delta: &Map<String, Value>, hear: &mut dyn FnMut(Delta)) {
        for (field, piece) in delta {
            match (field.as_str(), piece) {
                ("toolUse", call) => {
                    self.input
                        .push_str(call.get("input").and_then(Value::as_str).unwrap_or_default());
                }
                ("text", Value::String(text)) => {
                    hear(Delta::Text(text.clone()));
                    merge(&mut self.value, field, piece);
                }
                ("reasoningContent", _) => self.think(piece, hear),
                _ => merge(&mut self.value, field, piece),
            }
        }
    }

    /// Adds to the thoughts, which are nested deeper in a whole block than in its pieces.
    fn think(&mut self, piece: &Value, hear: &mut dyn FnMut(Delta)) {
        if let Some(text) = piece.get("text").and_then(Value::as_str) {
            hear(Delta::Reasoning(text.to_owned()));
        }
        let is_plain = |field: &str| matches!(field, "text" | "signature");
        for (field, piece) in piece.as_object().into_iter().flatten() {
            let nested = match is_plain(field) {
                true => json!({"reasoningText": {field: piece}}),
                false => json!({field: piece}),
            };
            merge(&mut self.value, "reasoningContent", &nested);
        }
    }

    /// Returns the block as a whole answer would have it.
    fn close(self) -> Block {
        let Self { mut value, input, is_complete } = self;
        let mut broken_arguments = None;
        if let Some(call) = value.get_mut("toolUse").and_then(Value::as_object_mut) {
            let parsed = match input.trim() {
                "" => Ok(Map::new()),
                text => serde_json::from_str(text),
            };
            if parsed.is_err() {
                broken_arguments = Some(input);
            }
            call.insert("input".to_owned(), Value::Object(parsed.unwrap_or_default()));
        }
        Block { value, broken_arguments, is_complete }
    }
}

/// Adds a piece to a field of a block.
fn merge(block: &mut Value, field: &str, piece: &Value) {
    if !block.is_object() {
        *block = json!({});
    }
    let Some(fields) = block.as_object_mut() else { return };
    match (fields.get_mut(field), piece) {
        (Some(Value::String(known)), Value::String(more)) => known.push_str(more),
        (Some(known @ Value::Object(_)), Value::Object(more)) => {
            for (field, piece) in more {
                merge(known, field, piece);
            }
        }
        _ => {
            fields.insert(field.to_owned(), piece.clone());
        }
    }
}
