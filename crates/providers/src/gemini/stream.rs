//! Streamed answers: each event is a piece of the answer in the form of a whole one.

use oncue_agent::{Delta, ModelError, Reply};
use serde_json::Value;

use super::answer::Heard;
use crate::Names;
use crate::wire::{Decode, Event, json};

/// An answer that is being streamed. Lives as long as the stream.
pub(super) struct Stream {
    names: Names,
    heard: Heard,
}

impl Stream {
    pub(super) fn new(names: Names) -> Self {
        Self { names, heard: Heard::default() }
    }

    fn hear(&self, part: &Value, hear: &mut dyn FnMut(Delta)) {
        if let Some(name) = part.pointer("/functionCall/name").and_then(Value::as_str) {
            hear(Delta::Call(self.names.exposed(name).to_owned()));
        }
        let Some(text) = part.get("text").and_then(Value::as_str) else { return };
        if !text.is_empty() {
            hear(match part.get("thought") {
                Some(Value::Bool(true)) => Delta::Reasoning(text.to_owned()),
                _ => Delta::Text(text.to_owned()),
            });
        }
    }
}

impl Decode for Stream {
    fn event(&mut self, event: &Event, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let data = event.data.trim();
        if data.is_empty() || data == "[DONE]" {
            return Ok(());
        }
        let value = json(event)?;
        self.heard.add(&value)?;
        let parts = value.pointer("/candidates/0/content/parts").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            self.hear(part, hear);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Reply, ModelError> {
        let Self { names, heard } = *self;
        heard.reply(&names)
    }
}
