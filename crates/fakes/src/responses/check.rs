//! The rules for a request, in the order in which the server reports what breaks them.

use serde_json::{Map, Value};

use super::{choice, items, pairs, tools};
use crate::limits::RESPONSES_OUTPUT_TOKENS_MIN;
use crate::openai::fault::{self, fault};
use crate::openai::fields::{self, Kind};
use crate::openai::model;
use crate::wire::Checked;
use crate::{Refusal, read};

const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const TIERS: &[&str] = &["auto", "default", "fast", "flex", "priority"];
const INCLUDABLE: &[&str] = &[
    "file_search_call.results",
    "web_search_call.results",
    "web_search_call.action.sources",
    "message.input_image.image_url",
    "computer_call_output.output.image_url",
    "code_interpreter_call.outputs",
    "reasoning.encrypted_content",
    "message.output_text.logprobs",
];

/// Every field that is known, in the order in which values are looked at.
const FIELDS: &[(&str, Kind)] = &[
    ("model", Kind::Text),
    ("input", Kind::Any),
    ("previous_response_id", Kind::Text),
    ("conversation", Kind::Any),
    ("prompt", Kind::Object),
    ("include", Kind::Any),
    ("tools", Kind::Array("an array of tools")),
    ("metadata", Kind::Object),
    ("text", Kind::Object),
    ("temperature", Kind::Number(0.0, 2.0)),
    ("top_p", Kind::Number(0.0, 1.0)),
    ("top_logprobs", Kind::Whole(0)),
    ("truncation", Kind::Word(&["auto", "disabled"])),
    ("reasoning", Kind::Object),
    ("max_output_tokens", Kind::Whole(RESPONSES_OUTPUT_TOKENS_MIN)),
    ("max_tool_calls", Kind::Whole(1)),
    ("parallel_tool_calls", Kind::Truth),
    ("tool_choice", Kind::Any),
    ("instructions", Kind::Text),
    ("stream", Kind::Truth),
    ("stream_options", Kind::Object),
    ("store", Kind::Truth),
    ("background", Kind::Truth),
    ("context_management", Kind::Array("an array of objects")),
    ("moderation", Kind::Object),
    ("service_tier", Kind::Word(TIERS)),
    ("prompt_cache_key", Kind::Text),
    ("prompt_cache_options", Kind::Object),
    ("prompt_cache_retention", Kind::Word(&["in_memory", "24h"])),
    ("safety_identifier", Kind::Text),
    ("user", Kind::Text),
];

/// Fields of fields.
const INNER: &[(&str, &[(&str, Kind)])] = &[
    (
        "reasoning",
        &[
            ("effort", Kind::Word(EFFORTS)),
            ("summary", Kind::Word(&["concise", "detailed", "auto"])),
            ("context", Kind::Word(&["auto", "current_turn", "all_turns"])),
            ("mode", Kind::Text),
        ],
    ),
    ("text", &[("format", Kind::Object), ("verbosity", Kind::Word(&["low", "medium", "high"]))]),
    ("stream_options", &[("include_obfuscation", Kind::Truth)]),
    (
        "prompt_cache_options",
        &[
            ("comparison_response_id", Kind::Text),
            ("mode", Kind::Word(&["implicit", "explicit"])),
            ("prewarm", Kind::Truth),
            ("ttl", Kind::Word(&["30m", "12h"])),
        ],
    ),
];

pub(super) fn check(body: &Value) -> Checked {
    let Some(body) = body.as_object() else {
        return Err(fault(None, None, "Invalid body: expected a JSON object.".to_owned()));
    };
    check_model_and_input(body)?;
    fields::check(body, "", FIELDS)?;
    for (name, known) in INNER {
        if let Some(inner) = body.get(*name).and_then(Value::as_object) {
            fields::check(inner, name, known)?;
        }
    }
    check_include(body)?;
    let names = tools::check(body)?;
    choice::check(body, &names)?;
    check_state(body)?;
    pairs::check(read::list(body.get("input")), body.get("store") == Some(&Value::Bool(false)))?;
    check_capabilities(body)
}

fn check_model_and_input(body: &Map<String, Value>) -> Checked {
    match body.get("model") {
        None => return Err(fault::missing("model")),
        Some(Value::String(_)) => {}
        Some(other) => return Err(not_a_text("model", other)),
    }
    if body.contains_key("messages") {
        let message = "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to 'input'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.";
        return Err(fault(None, Some("unsupported_parameter"), message.to_owned()));
    }
    let input = body.get("input").ok_or_else(|| fault::missing("input"))?;
    if let Some(key) = body.keys().find(|key| FIELDS.iter().all(|(name, _)| name != key)) {
        return Err(fault::unknown(key));
    }
    match input {
        Value::String(_) => Ok(()),
        Value::Array(items) => items::check(items),
        Value::Null => Err(not_a_text("input", input)),
        other => {
            let expected = "one of a string or array of input items";
            Err(fault::wrong_type("input", expected, other))
        }
    }
}

/// The server takes a null for an object here.
fn not_a_text(path: &str, value: &Value) -> Refusal {
    match value {
        Value::Null => fault::wrong_type(path, "a string", &Value::Object(Map::new())),
        value => fault::wrong_type(path, "a string", value),
    }
}

fn check_include(body: &Map<String, Value>) -> Checked {
    let Some(include) = fields::present(body, "include") else { return Ok(()) };
    let Some(include) = include.as_array() else {
        let expected = "an array of one of 'fil...lts', 'web...lts', 'web...ces', 'mes...url', 'com...url', 'cod...uts', 'rea...ent', or 'mes...obs'";
        return Err(fault::wrong_type("include", expected, include));
    };
    for (at, word) in include.iter().enumerate() {
        let word = word.as_str().unwrap_or_default();
        if !INCLUDABLE.contains(&word) {
            return Err(fault::wrong_value(&format!("include[{at}]"), word, INCLUDABLE));
        }
    }
    Ok(())
}

/// Nothing is kept, so nothing that the request refers to is there.
fn check_state(body: &Map<String, Value>) -> Checked {
    if let Some(prompt) = fields::present(body, "prompt") {
        let id = prompt["id"].as_str().unwrap_or_default();
        return Err(not_found(&format!("Prompt with id '{id}' not found.")));
    }
    if let Some(conversation) = fields::present(body, "conversation") {
        let id = conversation.as_str().or(conversation["id"].as_str()).unwrap_or_default();
        return Err(not_found(&format!("Conversation with id '{id}' not found.")));
    }
    if let Some(id) = fields::text(body, "previous_response_id") {
        let message = format!("Previous response with id '{id}' not found.");
        let code = "previous_response_not_found";
        return Err(fault(Some("previous_response_id"), Some(code), message));
    }
    let is_empty = match body.get("input") {
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        _ => false,
    };
    if is_empty {
        let message = "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be provided.";
        return Err(fault(None, Some("missing_required_parameter"), message.to_owned()));
    }
    Ok(())
}

fn not_found(message: &str) -> Refusal {
    Refusal { status: 404, ..fault(None, None, message.to_owned()) }
}

fn check_capabilities(body: &Map<String, Value>) -> Checked {
    let model = fields::text(body, "model").unwrap_or_default();
    let effort = body.get("reasoning").and_then(|reasoning| reasoning["effort"].as_str());
    if model::never_reasons(model) && effort.is_some() {
        return Err(fault::unsupported("reasoning.effort", None));
    }
    if !model::reasons(model, effort) {
        return Ok(());
    }
    for name in ["temperature", "top_p"] {
        if fields::present(body, name).is_some_and(|value| value.as_f64() != Some(1.0)) {
            let refusal = fault::unsupported(name, None);
            return Err(fault(Some(name), None, refusal.message));
        }
    }
    if fields::present(body, "top_logprobs").is_some() {
        let message = "logprobs are not supported with reasoning models.".to_owned();
        return Err(fault(Some("top_logprobs"), Some("unsupported_parameter"), message));
    }
    Ok(())
}
