//! From the blocks of an answer to a reply; the same for whole answers and for streams.

use oncue_agent::conversation::{Call, Part, Raw};
use oncue_agent::{Finish, ModelError, ModelErrorKind, Reply, Usage};
use oncue_tools::CallId;
use serde_json::{Value, json};

use super::WIRE;
use crate::Names;
use crate::wire::broken_off;

/// What an answer says, gathered.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The blocks in order.
    pub(super) blocks: Vec<Block>,
    /// Why it ended; without a reason it did not.
    pub(super) stop_reason: Option<String>,
    /// What it cost; it comes last.
    pub(super) usage: Option<Usage>,
}

/// A block of an answer.
#[derive(Debug)]
pub(super) struct Block {
    /// The block as it came.
    pub(super) value: Value,
    /// The arguments of a call that are no JSON object, such as those that were cut off.
    pub(super) broken_arguments: Option<String>,
    /// Whether it is complete; thoughts that are not cannot be replayed.
    pub(super) is_complete: bool,
}

/// Reads a whole answer of `model`.
///
/// # Errors
///
/// It is no message.
pub(super) fn whole(mut answer: Value, names: &Names, model: &str) -> Result<Reply, ModelError> {
    let content = answer.pointer_mut("/output/message/content").map(Value::take);
    let Some(Value::Array(content)) = content else {
        let what = "the answer is no message: it has no content";
        return Err(ModelError::new(ModelErrorKind::Malformed, what));
    };
    let block = |value| Block { value, broken_arguments: None, is_complete: true };
    let said = Said {
        blocks: content.into_iter().map(block).collect(),
        stop_reason: answer.get("stopReason").and_then(Value::as_str).map(str::to_owned),
        usage: Some(usage(answer.get("usage"))),
    };
    said.reply(names, model)
}

/// Reads counts of tokens, which do not overlap.
pub(super) fn usage(counts: Option<&Value>) -> Usage {
    let count = |field: &str| counts.and_then(|counts| counts.get(field)?.as_u64());
    let count = |field: &str| count(field).unwrap_or_default();
    Usage {
        uncached: count("inputTokens"),
        cache_read: count("cacheReadInputTokens"),
        cache_write: count("cacheWriteInputTokens"),
        output: count("outputTokens"),
    }
}

impl Said {
    /// Returns the reply of `model`.
    ///
    /// # Errors
    ///
    /// The answer broke off before its end, or the model wrote what its vendor could not read.
    pub(super) fn reply(self, names: &Names, model: &str) -> Result<Reply, ModelError> {
        let (Some(reason), Some(usage)) = (self.stop_reason, self.usage) else {
            return Err(broken_off());
        };
        let finish = match reason.as_str() {
            "max_tokens" => Finish::Length,
            "guardrail_intervened" | "content_filtered" => Finish::Refused,
            "model_context_window_exceeded" => Finish::ContextFull,
            "malformed_tool_use" | "malformed_model_output" => {
                let what = format!("the model wrote what cannot be read ({reason})");
                return Err(ModelError::new(ModelErrorKind::Malformed, what));
            }
            // `end_turn`, `stop_sequence`, `tool_use`, and whatever may come to be.
            _ => Finish::Done,
        };
        let parts = self.blocks.iter().filter_map(|block| block.part(names)).collect();
        let replayed = self.blocks.into_iter().filter(Block::can_be_replayed);
        let content: Vec<Value> = replayed.map(|block| block.value).collect();
        let raw = Raw { wire: WIRE.to_owned(), value: json!({"model": model, "content": content}) };
        Ok(Reply { parts, raw: Some(raw), finish, usage, ..Reply::default() })
    }
}

impl Block {
    fn text(&self, pointer: &str) -> Option<&str> {
        self.value.pointer(pointer)?.as_str().filter(|text| !text.is_empty())
    }

    /// Returns what the loop understands of the block; the rest is replayed and not understood.
    fn part(&self, names: &Names) -> Option<Part> {
        if let Some(text) = self.text("/text") {
            return Some(Part::Text { text: text.to_owned() });
        }
        if let Some(text) = self.text("/reasoningContent/reasoningText/text") {
            return Some(Part::Reasoning { text: text.to_owned() });
        }
        let call = self.value.get("toolUse")?;
        let input = call.get("input").map(Value::to_string);
        let arguments = self.broken_arguments.clone().or(input).unwrap_or_default();
        let name = names.exposed(self.text("/toolUse/name").unwrap_or_default()).to_owned();
        let id = CallId::new(self.text("/toolUse/toolUseId").unwrap_or_default());
        Some(Part::Call(Call { id, name, arguments }))
    }

    fn can_be_replayed(&self) -> bool {
        let is_unsigned = self.value.pointer("/reasoningContent/reasoningText").is_some()
            && self.text("/reasoningContent/reasoningText/signature").is_none();
        self.is_complete || !is_unsigned
    }
}
