//! The rules for a request: its key, its fields, then its parts.

use serde_json::{Map, Value};

use super::fault;
use super::spelling::snake;
use super::{contents, tools};
use crate::shape::join;
use crate::wire::Checked;
use crate::{Asked, Refusal};

/// What a field holds, as far as it is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    Whole,
    Number,
    Truth,
    Object,
    Array,
    Any,
}

const FIELDS: &[(&str, Kind)] = &[
    ("contents", Kind::Array),
    ("tools", Kind::Array),
    ("toolConfig", Kind::Object),
    ("systemInstruction", Kind::Object),
    ("safetySettings", Kind::Array),
    ("generationConfig", Kind::Object),
    ("cachedContent", Kind::Text),
    ("labels", Kind::Object),
    ("serviceTier", Kind::Text),
    ("store", Kind::Truth),
];

const GENERATION: &[(&str, Kind)] = &[
    ("candidateCount", Kind::Whole),
    ("stopSequences", Kind::Array),
    ("maxOutputTokens", Kind::Whole),
    ("temperature", Kind::Number),
    ("topP", Kind::Number),
    ("topK", Kind::Number),
    ("seed", Kind::Whole),
    ("presencePenalty", Kind::Number),
    ("frequencyPenalty", Kind::Number),
    ("responseLogprobs", Kind::Truth),
    ("logprobs", Kind::Whole),
    ("responseMimeType", Kind::Text),
    ("responseSchema", Kind::Object),
    ("responseJsonSchema", Kind::Any),
    ("responseModalities", Kind::Array),
    ("speechConfig", Kind::Object),
    ("thinkingConfig", Kind::Object),
    ("mediaResolution", Kind::Text),
    ("enableEnhancedCivicAnswers", Kind::Truth),
];

const THINKING: &[(&str, Kind)] = &[
    ("includeThoughts", Kind::Truth),
    ("thinkingBudget", Kind::Whole),
    ("thinkingLevel", Kind::Text),
];

/// Returns the key of a request, from its header or its query.
pub(super) fn key(asked: &Asked) -> Option<&str> {
    let mut queried = asked.query.split('&').filter_map(|pair| pair.strip_prefix("key="));
    asked.header("x-goog-api-key").or_else(|| queried.next()).filter(|key| !key.is_empty())
}

/// Holds a request against the rules; with `signs` the model wants its signatures back.
pub(super) fn check(asked: &Asked, signs: bool) -> Checked {
    if key(asked).is_none() {
        let message = "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
        return Err(Refusal::new(403, fault::status(403), message));
    }
    let is_events = asked.query.split('&').any(|pair| pair == "alt=sse");
    if asked.path.ends_with(":streamGenerateContent") && !is_events {
        // The one rule of the fake itself: the real server would send one JSON array.
        return Err(fault::invalid("the fake streams with `alt=sse` alone"));
    }
    let Some(body) = asked.body.as_object() else {
        return Err(fault::invalid("Invalid JSON payload received."));
    };
    check_fields(body, "", FIELDS)?;
    if let Some(config) = body.get("generationConfig").and_then(Value::as_object) {
        check_fields(config, "generation_config", GENERATION)?;
        if let Some(thinking) = config.get("thinkingConfig").and_then(Value::as_object) {
            check_fields(thinking, "generation_config.thinking_config", THINKING)?;
        }
    }
    let names = tools::check(body)?;
    tools::check_config(body, &names)?;
    if body.get("cachedContent").is_some() {
        let message = "CachedContent not found (or permission denied)";
        return Err(Refusal::new(403, fault::status(403), message));
    }
    if let Some(system) = body.get("systemInstruction") {
        contents::check_system(system)?;
    }
    contents::check(body, signs)
}

/// Refuses every key of `object` that is not in the table, and every value of another type.
pub(super) fn check_fields(
    object: &Map<String, Value>,
    path: &str,
    table: &[(&str, Kind)],
) -> Checked {
    for (key, value) in object {
        let Some((_, kind)) = table.iter().find(|(known, _)| known == key) else {
            return Err(fault::unknown(path, key));
        };
        let path = join(path, &snake(key));
        check_kind(value, &path, *kind)?;
    }
    Ok(())
}

fn check_kind(value: &Value, path: &str, kind: Kind) -> Checked {
    let (is_good, word) = match kind {
        Kind::Any => (true, ""),
        Kind::Text => (value.is_string(), "TYPE_STRING"),
        Kind::Whole => (value.is_i64(), "TYPE_INT32"),
        Kind::Number => (value.is_number(), "TYPE_FLOAT"),
        Kind::Truth => (value.is_boolean(), "TYPE_BOOL"),
        Kind::Object => (value.is_object(), "TYPE_MESSAGE"),
        Kind::Array => (value.is_array(), "TYPE_REPEATED"),
    };
    match is_good || value.is_null() {
        true => Ok(()),
        false => Err(fault::wrong_value(path, word, value)),
    }
}
