//! From a candidate to a reply; the same for whole answers and for streams, which are put together first.

use oncue_agent::conversation::{Call, Part, Raw};
use oncue_agent::{Finish, ModelError, ModelErrorKind, Reply, Usage};
use oncue_tools::CallId;
use serde_json::{Value, json};

use super::{WIRE, error};
use crate::wire::broken_off;
use crate::{Names, counts};

/// An answer with everything that is needed of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    /// The parts of the candidate.
    pub(super) parts: Vec<Value>,
    /// Why it ended; `None` where it did not.
    pub(super) finish_reason: Option<String>,
    /// What the vendor says about that.
    pub(super) finish_message: String,
    /// Why the prompt was refused, where it was.
    pub(super) block_reason: Option<String>,
    pub(super) usage: Usage,
}

/// Reads a whole answer.
///
/// # Errors
///
/// It is an error, or holds neither a candidate nor a reason why not.
pub(super) fn whole(answer: &Value, names: &Names) -> Result<Reply, ModelError> {
    let mut heard = Heard::default();
    let is_answer = heard.add(answer)?;
    if !is_answer {
        let what = "the answer has no candidate";
        return Err(ModelError::new(ModelErrorKind::Malformed, what));
    }
    heard.finish_reason.get_or_insert_default();
    heard.reply(names)
}

impl Heard {
    /// Takes what an answer or a piece of one says, and says whether it says anything.
    ///
    /// # Errors
    ///
    /// It is an error.
    pub(super) fn add(&mut self, answer: &Value) -> Result<bool, ModelError> {
        if let Some(error) = error::within(answer) {
            return Err(error);
        }
        let text = |place: &str| answer.pointer(place).and_then(Value::as_str).map(str::to_owned);
        if let Some(usage) = usage(answer) {
            self.usage = usage;
        }
        let block_reason = text("/promptFeedback/blockReason");
        let is_answer = block_reason.is_some() || answer.pointer("/candidates/0").is_some();
        self.block_reason = block_reason.or(self.block_reason.take());
        self.finish_reason = text("/candidates/0/finishReason").or(self.finish_reason.take());
        if let Some(message) = text("/candidates/0/finishMessage") {
            self.finish_message = message;
        }
        let parts = answer.pointer("/candidates/0/content/parts").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            self.add_part(part);
        }
        Ok(is_answer)
    }

    /// Adds a part; texts that follow each other are one, but what carries a signature stays as it is.
    fn add_part(&mut self, part: &Value) {
        let is_plain = |part: &Value| {
            part.as_object()
                .is_some_and(|fields| fields.keys().all(|key| key == "text" || key == "thought"))
        };
        if let Some(last) = self.parts.last_mut()
            && is_plain(last)
            && is_plain(part)
            && last.get("thought") == part.get("thought")
            && let (Some(Value::String(known)), Some(more)) =
                (last.get_mut("text"), part.get("text").and_then(Value::as_str))
        {
            known.push_str(more);
        } else {
            self.parts.push(part.clone());
        }
    }

    /// Returns the reply.
    ///
    /// # Errors
    ///
    /// It has not ended, or ended in an error.
    pub(super) fn reply(mut self, names: &Names) -> Result<Reply, ModelError> {
        // A text that is empty and unsigned says nothing, and the vendor does not take it back.
        let is_empty = |part: &Value| {
            part.get("text").is_some_and(|text| text == "")
                && part.get("thoughtSignature").is_none()
        };
        self.parts.retain(|part| !is_empty(part));
        let finish = match (&self.finish_reason, &self.block_reason) {
            (_, Some(_)) => Finish::Refused,
            (Some(reason), None) => self.finish(reason)?,
            (None, None) => {
                return Err(broken_off());
            }
        };
        let parts = self.parts.iter().filter_map(|part| of_part(part, names)).collect();
        let content = json!({"role": "model", "parts": self.parts});
        let raw = (!self.parts.is_empty()).then(|| Raw { wire: WIRE.to_owned(), value: content });
        Ok(Reply { parts, raw, finish, usage: self.usage, ..Reply::default() })
    }

    /// Returns why the reply ended.
    ///
    /// # Errors
    ///
    /// The reason is an error.
    fn finish(&self, reason: &str) -> Result<Finish, ModelError> {
        let kind = match reason {
            "MAX_TOKENS" | "CONTINUATION" => return Ok(Finish::Length),
            "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "MODEL_ARMOR"
            | "ESCALATION" => return Ok(Finish::Refused),
            // The model meant to call and failed; the next try may do better.
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "MALFORMED_RESPONSE" => {
                ModelErrorKind::Malformed
            }
            "OTHER" if self.parts.is_empty() => ModelErrorKind::Malformed,
            "MISSING_THOUGHT_SIGNATURE" => ModelErrorKind::InvalidRequest,
            "PUP_LIMITED_DISABLED" => ModelErrorKind::Permission,
            // `STOP`, whatever may come to be, and nothing.
            _ => return Ok(Finish::Done),
        };
        let message = match self.finish_message.as_str() {
            "" => format!("the reply ended with `{reason}`"),
            message => format!("the reply ended with `{reason}`: {message}"),
        };
        Err(ModelError::new(kind, message))
    }
}

/// Returns what is understood of a part; the rest is replayed and not understood.
fn of_part(part: &Value, names: &Names) -> Option<Part> {
    if let Some(call) = part.get("functionCall") {
        let text = |field: &str| call.get(field).and_then(Value::as_str).unwrap_or_default();
        let name = names.exposed(text("name")).to_owned();
        let arguments = call.get("args").filter(|args| !args.is_null()).map(Value::to_string);
        let arguments = arguments.unwrap_or_default();
        return Some(Part::Call(Call { id: CallId::new(text("id")), name, arguments }));
    }
    let text = part.get("text").and_then(Value::as_str).filter(|text| !text.is_empty())?.to_owned();
    Some(match part.get("thought") {
        Some(Value::Bool(true)) => Part::Reasoning { text },
        _ => Part::Text { text },
    })
}

/// Returns what an answer cost, if it says so. What was read from a cache is counted within the prompt there, and thoughts apart from the rest.
fn usage(answer: &Value) -> Option<Usage> {
    let usage = answer.get("usageMetadata").filter(|usage| usage.is_object())?;
    let count = |field: &str| usage.get(field).and_then(Value::as_u64).unwrap_or_default();
    Some(counts::within(
        count("promptTokenCount") + count("toolUsePromptTokenCount"),
        count("cachedContentTokenCount"),
        0,
        count("candidatesTokenCount") + count("thoughtsTokenCount"),
    ))
}
