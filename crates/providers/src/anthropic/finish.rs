//! From the blocks of an answer to a reply; the same for whole answers and for streams.

use oncue_agent::cache::MissReason;
use oncue_agent::conversation::{Call, Part, Raw};
use oncue_agent::{Finish, ModelError, Reply, Usage};
use oncue_tools::CallId;
use serde_json::{Value, json};

use super::WIRE;
use crate::Names;
use crate::wire::broken_off;

/// What an answer says, gathered.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The id of the message.
    pub(super) id: Option<String>,
    /// The blocks that may be replayed, in order.
    pub(super) blocks: Vec<Block>,
    /// Why it ended; without a reason it did not.
    pub(super) stop_reason: Option<String>,
    /// What it cost.
    pub(super) usage: Usage,
    /// Why the cache was missed.
    pub(super) cache_miss: Option<MissReason>,
}

/// A block of an answer.
#[derive(Debug)]
pub(super) struct Block {
    /// The block as it came.
    pub(super) value: Value,
    /// The arguments of a call that are no JSON object, such as those that were cut off.
    pub(super) broken_arguments: Option<String>,
    /// Whether it is complete; what is not cannot always be replayed.
    pub(super) is_complete: bool,
}

impl Said {
    /// Takes what a message says of itself: its id, its cost, why the cache was missed.
    pub(super) fn describe(&mut self, message: &Value) {
        if let Some(id) = message.get("id").and_then(Value::as_str) {
            self.id = Some(id.to_owned());
        }
        if let Some(reason) = message.get("stop_reason").and_then(Value::as_str) {
            self.stop_reason = Some(reason.to_owned());
        }
        if let Some(usage) = message.get("usage") {
            self.count(usage);
        }
        let reason = message.pointer("/diagnostics/cache_miss_reason/type").and_then(Value::as_str);
        self.cache_miss = reason.and_then(miss_reason).or(self.cache_miss);
    }

    /// Takes counts of tokens; each replaces what was known, since the vendor adds up itself.
    pub(super) fn count(&mut self, usage: &Value) {
        let set = |field: &str, count: &mut u64| {
            if let Some(tokens) = usage.get(field).and_then(Value::as_u64) {
                *count = tokens;
            }
        };
        set("input_tokens", &mut self.usage.uncached);
        set("cache_read_input_tokens", &mut self.usage.cache_read);
        set("cache_creation_input_tokens", &mut self.usage.cache_write);
        set("output_tokens", &mut self.usage.output);
    }

    /// Returns the reply of `model`.
    ///
    /// # Errors
    ///
    /// There is no reason why the answer ended, so it did not.
    pub(super) fn reply(self, names: &Names, model: &str) -> Result<Reply, ModelError> {
        let Some(reason) = self.stop_reason else {
            return Err(broken_off());
        };
        let parts = self.blocks.iter().filter_map(|block| block.part(names)).collect();
        let replayed = self.blocks.into_iter().filter(Block::can_be_replayed);
        let content: Vec<Value> = replayed.map(|block| block.value).collect();
        let value = json!({"id": self.id, "model": model, "content": content});
        Ok(Reply {
            losses: Vec::new(),
            parts,
            raw: Some(Raw { wire: WIRE.to_owned(), value }),
            finish: finish(&reason),
            usage: self.usage,
            cache_miss: self.cache_miss,
        })
    }
}

impl Block {
    /// A complete block.
    pub(super) fn new(value: Value) -> Self {
        Self { value, broken_arguments: None, is_complete: true }
    }

    /// Returns the text of a field.
    fn text(&self, field: &str) -> &str {
        self.value.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns what the loop understands of the block; the rest is replayed and not understood.
    fn part(&self, names: &Names) -> Option<Part> {
        match self.text("type") {
            "text" => Some(self.text("text"))
                .filter(|text| !text.is_empty())
                .map(|text| Part::Text { text: text.to_owned() }),
            "thinking" => Some(self.text("thinking"))
                .filter(|text| !text.is_empty())
                .map(|text| Part::Reasoning { text: text.to_owned() }),
            "tool_use" => {
                let input = self.value.get("input").map(Value::to_string);
                let arguments = self.broken_arguments.clone().or(input).unwrap_or_default();
                let name = names.exposed(self.text("name")).to_owned();
                Some(Part::Call(Call { id: CallId::new(self.text("id")), name, arguments }))
            }
            _ => None,
        }
    }

    /// Says whether the vendor takes the block back: thoughts that were cut off lack their signature.
    fn can_be_replayed(&self) -> bool {
        self.is_complete || self.text("type") != "thinking" || !self.text("signature").is_empty()
    }
}

fn finish(reason: &str) -> Finish {
    match reason {
        "max_tokens" => Finish::Length,
        "refusal" => Finish::Refused,
        "pause_turn" => Finish::Paused,
        "model_context_window_exceeded" => Finish::ContextFull,
        // `end_turn`, `stop_sequence`, `tool_use`, and whatever may come to be.
        _ => Finish::Done,
    }
}

fn miss_reason(reason: &str) -> Option<MissReason> {
    match reason {
        "model_changed" => Some(MissReason::ModelChanged),
        "system_changed" => Some(MissReason::SystemChanged),
        "tools_changed" => Some(MissReason::ToolsChanged),
        "messages_changed" => Some(MissReason::MessagesChanged),
        // `previous_message_not_found` and `unavailable` say nothing about the prompt.
        _ => None,
    }
}
