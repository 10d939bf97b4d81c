//! From a message to a reply; the same for whole answers and for streams, which are put together first.

use oncue_agent::conversation::{Call, Part, Raw};
use oncue_agent::{Finish, ModelError, ModelErrorKind, Reply, Usage};
use oncue_tools::CallId;
use serde_json::Value;

use super::{WIRE, error};
use crate::lenient::{self, Ending};
use crate::{Names, counts};

/// What some servers leave in front of a name.
const PREFIX: &str = "functions.";

/// Fields in which thoughts stand; the first that has any counts.
const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

/// Reads replies. Lives as long as the request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'n> {
    pub(super) names: &'n Names,
    /// Whether the text may hold calls.
    pub(super) is_lenient: bool,
}

/// An answer with everything that is needed of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    /// The message of the assistant.
    pub(super) message: Value,
    /// Why it ended; empty where the server does not say.
    pub(super) finish_reason: String,
    /// What it cost.
    pub(super) usage: Usage,
}

/// Reads a whole answer.
///
/// # Errors
///
/// It is an error, or holds no message.
pub(super) fn whole(answer: &Value, reader: &Reader<'_>) -> Result<Reply, ModelError> {
    if let Some(error) = error::within(answer) {
        return Err(error);
    }
    let choice = answer.pointer("/choices/0");
    let Some(message) = choice.and_then(|choice| choice.get("message")).filter(|m| m.is_object())
    else {
        let what = "the answer is no chat completion: it has no message";
        return Err(ModelError::new(ModelErrorKind::Malformed, what));
    };
    let reason = choice.and_then(|choice| choice.get("finish_reason")).and_then(Value::as_str);
    let heard = Heard {
        message: message.clone(),
        finish_reason: reason.unwrap_or_default().to_owned(),
        usage: usage(answer).unwrap_or_default(),
    };
    reader.reply(heard)
}

impl Reader<'_> {
    /// Returns the reply.
    ///
    /// # Errors
    ///
    /// The server gives an error as the reason why it ended.
    pub(super) fn reply(&self, heard: Heard) -> Result<Reply, ModelError> {
        let Heard { message, finish_reason, usage } = heard;
        let mut finish = finish(&finish_reason)?;
        let mut parts = Vec::new();
        let reasoning = reasoning(&message);
        if !reasoning.is_empty() {
            parts.push(Part::Reasoning { text: reasoning });
        }
        let mut text = text(&message);
        if let Some(refusal) = string(&message, "refusal").filter(|refusal| !refusal.is_empty()) {
            finish = Finish::Refused;
            if text.is_empty() {
                refusal.clone_into(&mut text);
            }
        }
        let mut calls = self.calls(&message, finish);
        let mut raw = Some(Raw { wire: WIRE.to_owned(), value: message });
        if self.is_lenient && calls.is_empty() && finish != Finish::Refused {
            let reading = self.read(&text, finish);
            if !reading.calls.is_empty() {
                (text, calls) = (reading.text, reading.calls);
                // What the message says in text would be said twice.
                raw = None;
            }
        }
        if !text.is_empty() {
            parts.push(Part::Text { text });
        }
        parts.extend(calls.into_iter().map(Part::Call));
        Ok(Reply { parts, raw, finish, usage, ..Reply::default() })
    }

    /// Finds calls in what the model wrote.
    pub(super) fn read(&self, text: &str, finish: Finish) -> lenient::Reading {
        let ending = if finish == Finish::Length { Ending::CutOff } else { Ending::Whole };
        let mut reading = lenient::read(text, ending, |name| self.knows(name));
        for call in &mut reading.calls {
            call.name = self.name(&call.name, "");
        }
        reading
    }

    fn calls(&self, message: &Value, finish: Finish) -> Vec<Call> {
        let sent = message.get("tool_calls").and_then(Value::as_array);
        let mut calls: Vec<Call> = Vec::new();
        for sent in sent.into_iter().flatten() {
            let Some(function) = sent.get("function") else { continue };
            self.add_calls(function, string(sent, "id").unwrap_or_default(), finish, &mut calls);
        }
        if let Some(function) = message.get("function_call").filter(|_| sent.is_none()) {
            self.add_calls(function, "", finish, &mut calls);
        }
        calls
    }

    /// Adds a call, or several that a server glued together.
    fn add_calls(&self, function: &Value, id: &str, finish: Finish, calls: &mut Vec<Call>) {
        let name = self.name(string(function, "name").unwrap_or_default(), id);
        if name.is_empty() {
            return;
        }
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            Some(value) => value.to_string(),
        };
        // Of arguments that were cut off nobody knows what they were to be.
        let all = match self.is_lenient && finish != Finish::Length {
            true => lenient::arguments(&arguments),
            false => vec![arguments],
        };
        for (at, arguments) in all.into_iter().enumerate() {
            let id = CallId::new(if at == 0 { id } else { "" });
            calls.push(Call { id, name: name.clone(), arguments });
        }
    }

    /// Returns the exposed name of the tool that is meant by what was sent: without the prefix and the number that some servers leave, and from the id where the name itself is missing.
    pub(super) fn name(&self, sent: &str, id: &str) -> String {
        let (sent, is_id) = match sent.trim() {
            "" => (id.trim(), true),
            name => (name, false),
        };
        if self.knows(sent) {
            return self.names.exposed(sent).to_owned();
        }
        let bare = sent.strip_prefix(PREFIX).unwrap_or(sent);
        let unnumbered = bare.rsplit_once(':').map_or(bare, |(name, number)| {
            if number.bytes().all(|byte| byte.is_ascii_digit()) { name } else { bare }
        });
        match [bare, unnumbered].into_iter().find(|name| self.knows(name)) {
            Some(name) => self.names.exposed(name).to_owned(),
            // An id that names no tool is only an id.
            None if is_id => String::new(),
            None => sent.to_owned(),
        }
    }

    fn knows(&self, sent: &str) -> bool {
        self.names.knows(self.names.exposed(sent))
    }
}

fn string<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.get(field).and_then(Value::as_str)
}

/// Returns the text of a message, which some servers give as a list of parts.
fn text(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| string(part, "text")).collect::<Vec<_>>().concat()
        }
        _ => String::new(),
    }
}

/// Returns the thoughts of a message.
fn reasoning(message: &Value) -> String {
    let of_field = REASONING.iter().find_map(|field| {
        string(message, field).filter(|text| !text.is_empty()).map(str::to_owned)
    });
    of_field.unwrap_or_else(|| {
        let parts = message.get("content").and_then(Value::as_array).into_iter().flatten();
        let thoughts = parts.filter(|part| string(part, "type") == Some("thinking"));
        let texts = thoughts.flat_map(|part| part.get("thinking").and_then(Value::as_array));
        texts.flatten().filter_map(|part| string(part, "text")).collect::<Vec<_>>().concat()
    })
}

/// Returns why a reply ended.
///
/// # Errors
///
/// The reason is an error.
pub(super) fn finish(reason: &str) -> Result<Finish, ModelError> {
    let failed = |kind| {
        let what = format!("the reply ended with `{reason}`");
        Err(ModelError::new(kind, what))
    };
    match reason {
        "length" | "max_tokens" | "model_length" => Ok(Finish::Length),
        "content_filter" | "sensitive" | "refusal" => Ok(Finish::Refused),
        "model_context_window_exceeded" => Ok(Finish::ContextFull),
        "insufficient_system_resource" => failed(ModelErrorKind::Overloaded),
        "error" | "network_error" => failed(ModelErrorKind::Interrupted),
        // `stop`, `tool_calls`, whatever may come to be, and nothing.
        _ => Ok(Finish::Done),
    }
}

/// Returns what an answer cost, if it says so. What was read from a cache is counted within the prompt there.
pub(super) fn usage(answer: &Value) -> Option<Usage> {
    let usage = answer.get("usage").filter(|usage| usage.is_object())?;
    let count = |place: &str| usage.pointer(place).and_then(Value::as_u64);
    let prompt = count("/prompt_tokens").unwrap_or_default();
    let cached =
        ["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens", "/cached_tokens"];
    let cached = cached.iter().find_map(|place| count(place));
    let cached = cached.or_else(|| answer.pointer("/timings/cache_n").and_then(Value::as_u64));
    let written = count("/prompt_tokens_details/cache_write_tokens").unwrap_or_default();
    let output = count("/completion_tokens").unwrap_or_default();
    Some(counts::within(prompt, cached.unwrap_or_default(), written, output))
}
