//! The rules for a request, in the order in which the server reports what breaks them.

use serde_json::{Map, Value};

use super::{choice, messages};
use crate::limits::OPENAI_TOOLS_MAX;
use crate::openai::fault::{self, fault};
use crate::openai::fields::{self, Kind};
use crate::openai::{function, model};
use crate::shape::join;
use crate::wire::Checked;
use crate::{Refusal, read};

const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const TIERS: &[&str] = &["auto", "default", "fast", "flex", "priority"];

/// Every field that is known, in the order in which values are looked at.
const FIELDS: &[(&str, Kind)] = &[
    ("model", Kind::Text),
    ("messages", Kind::Array("an array of objects")),
    ("n", Kind::Whole(1)),
    ("max_completion_tokens", Kind::Whole(1)),
    ("max_tokens", Kind::Whole(1)),
    ("stop", Kind::Any),
    ("temperature", Kind::Number(0.0, 2.0)),
    ("top_p", Kind::Number(0.0, 1.0)),
    ("frequency_penalty", Kind::Number(-2.0, 2.0)),
    ("presence_penalty", Kind::Number(-2.0, 2.0)),
    ("logit_bias", Kind::Object),
    ("logprobs", Kind::Truth),
    ("top_logprobs", Kind::Whole(0)),
    ("seed", Kind::Whole(i64::MIN)),
    ("stream", Kind::Truth),
    ("stream_options", Kind::Object),
    ("tools", Kind::Array("an array of objects")),
    ("tool_choice", Kind::Any),
    ("parallel_tool_calls", Kind::Truth),
    ("functions", Kind::Array("an array of objects")),
    ("function_call", Kind::Any),
    ("response_format", Kind::Object),
    ("reasoning_effort", Kind::Word(EFFORTS)),
    ("verbosity", Kind::Word(&["low", "medium", "high"])),
    ("metadata", Kind::Object),
    ("store", Kind::Truth),
    ("user", Kind::Text),
    ("safety_identifier", Kind::Text),
    ("service_tier", Kind::Word(TIERS)),
    ("prompt_cache_key", Kind::Text),
    ("prompt_cache_options", Kind::Object),
    ("prompt_cache_retention", Kind::Word(&["in_memory", "24h"])),
    ("prediction", Kind::Object),
    ("moderation", Kind::Object),
];

/// Parameters that a model takes only while it does not think.
const NOT_WHILE_REASONING: [&str; 3] = ["frequency_penalty", "presence_penalty", "logprobs"];

pub(super) fn check(body: &Value, dots: bool) -> Checked {
    let Some(body) = body.as_object() else {
        let message = "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)";
        return Err(fault(None, None, message.to_owned()));
    };
    if fields::present(body, "model").is_none() {
        return Err(fault(None, None, "you must provide a model parameter".to_owned()));
    }
    fields::required(body, "", "messages")?;
    fields::check(body, "", FIELDS)?;
    if read::list(body.get("messages")).is_empty() {
        return Err(fault::empty_array("messages"));
    }
    messages::check_each(read::list(body.get("messages")), dots)?;
    let names = check_tools(body, dots)?;
    choice::check(body, &names)?;
    check_stream(body)?;
    messages::check_order(read::list(body.get("messages")))?;
    check_model(body)
}

/// Holds the tools against the rules and returns their names.
fn check_tools(body: &Map<String, Value>, dots: bool) -> Result<Vec<&str>, Refusal> {
    if fields::present(body, "tools").is_none() {
        return Ok(Vec::new());
    }
    let tools = read::list(body.get("tools"));
    if tools.is_empty() {
        return Err(fault::empty_array("tools"));
    }
    if tools.len() > OPENAI_TOOLS_MAX {
        return Err(fault::array_too_long("tools", OPENAI_TOOLS_MAX, tools.len()));
    }
    let mut names = Vec::with_capacity(tools.len());
    for (at, tool) in tools.iter().enumerate() {
        names.push(check_tool(tool, &format!("tools[{at}]"), dots)?);
    }
    function::check_unique(&names)?;
    Ok(names)
}

fn check_tool<'a>(tool: &'a Value, path: &str, dots: bool) -> Result<&'a str, Refusal> {
    let tool = fields::as_object(tool, path)?;
    let kind = fields::required_text(tool, path, "type")?;
    if !["function", "custom"].contains(&kind) {
        let path = join(path, "type");
        return Err(fault::wrong_value(&path, kind, &["function", "custom"]));
    }
    fields::check(tool, path, &[("type", Kind::Any), (kind, Kind::Any)])?;
    let inner = fields::required_object(tool, path, kind)?;
    let path = join(path, kind);
    if kind == "custom" {
        let known = &[("name", Kind::Text), ("description", Kind::Text), ("format", Kind::Object)];
        fields::check(inner, &path, known)?;
    } else {
        let known = &[
            ("name", Kind::Text),
            ("description", Kind::Text),
            ("parameters", Kind::Object),
            ("strict", Kind::Truth),
        ];
        fields::check(inner, &path, known)?;
    }
    function::check(inner, &path, dots)
}

fn check_stream(body: &Map<String, Value>) -> Checked {
    let Some(options) = fields::present(body, "stream_options") else { return Ok(()) };
    let options = fields::as_object(options, "stream_options")?;
    let known = &[("include_usage", Kind::Truth), ("include_obfuscation", Kind::Truth)];
    fields::check(options, "stream_options", known)?;
    if body.get("stream") != Some(&Value::Bool(true)) {
        let message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
        return Err(fault(Some("stream_options"), None, message.to_owned()));
    }
    Ok(())
}

fn check_model(body: &Map<String, Value>) -> Checked {
    if let Some(n) = fields::present(body, "n").filter(|n| **n != 1) {
        // The one rule of the fake itself: it answers one choice.
        let message = format!(
            "Invalid 'n': integer above maximum value. Expected a value <= 1, but got {n} instead."
        );
        return Err(fault(Some("n"), Some("integer_above_max_value"), message));
    }
    let text = |name: &str| fields::present(body, name).and_then(Value::as_str);
    let model = text("model").unwrap_or_default();
    if model::never_reasons(model) && text("reasoning_effort").is_some() {
        let message = "Unrecognized request argument supplied: reasoning_effort";
        return Err(fault(None, None, message.to_owned()));
    }
    if !model::reasons(model, Some("low")) {
        return Ok(());
    }
    for (name, instead) in
        [("stop", None), ("max_tokens", Some("max_completion_tokens")), ("logit_bias", None)]
    {
        if fields::present(body, name).is_some() {
            return Err(fault::unsupported(name, instead));
        }
    }
    if !model::reasons(model, text("reasoning_effort")) {
        return Ok(());
    }
    for name in ["temperature", "top_p"] {
        if let Some(value) = fields::present(body, name).filter(|v| v.as_f64() != Some(1.0)) {
            let message = format!(
                "Unsupported value: '{name}' does not support {value} with this model. Only the default (1) value is supported."
            );
            return Err(fault(Some(name), Some("unsupported_value"), message));
        }
    }
    match NOT_WHILE_REASONING.iter().find(|name| fields::present(body, name).is_some()) {
        Some(name) => Err(fault::unsupported(name, None)),
        None => Ok(()),
    }
}
