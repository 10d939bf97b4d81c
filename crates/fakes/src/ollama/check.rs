//! The rules for a request. Values of a wrong type are refused in the words of the decoder that the server is built with.

use serde_json::{Map, Value};

use crate::shape::join;
use crate::wire::Checked;
use crate::{Refusal, read};

/// What a field holds.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Text,
    Whole,
    Truth,
    Object(&'static str),
    Array(&'static str),
    Any,
}

const FIELDS: &[(&str, Kind)] = &[
    ("model", Kind::Text),
    ("messages", Kind::Array("[]api.Message")),
    ("tools", Kind::Array("api.Tools")),
    ("stream", Kind::Truth),
    ("format", Kind::Any),
    ("options", Kind::Object("map[string]interface {}")),
    ("keep_alive", Kind::Any),
    ("think", Kind::Any),
    ("logprobs", Kind::Truth),
    ("top_logprobs", Kind::Whole),
];

const MESSAGE: &[(&str, Kind)] = &[
    ("role", Kind::Text),
    ("content", Kind::Text),
    ("thinking", Kind::Text),
    ("images", Kind::Array("[]api.ImageData")),
    ("tool_calls", Kind::Array("[]api.ToolCall")),
    ("tool_name", Kind::Text),
];

const CALL: &[(&str, Kind)] = &[("function", Kind::Object("api.ToolCallFunction"))];

const CALLED: &[(&str, Kind)] =
    &[("name", Kind::Text), ("arguments", Kind::Object("api.ToolCallFunctionArguments"))];

const TOOL: &[(&str, Kind)] =
    &[("type", Kind::Text), ("function", Kind::Object("api.ToolFunction"))];

const FUNCTION: &[(&str, Kind)] = &[
    ("name", Kind::Text),
    ("description", Kind::Text),
    ("parameters", Kind::Object("api.ToolFunctionParameters")),
];

const ROLES: [&str; 4] = ["system", "user", "assistant", "tool"];

pub(super) fn check(body: &Value, knows_tools: bool) -> Checked {
    let Some(body) = body.as_object() else {
        let got = described(body);
        return Err(bad(format!(
            "json: cannot unmarshal {got} into Go value of type api.ChatRequest"
        )));
    };
    check_fields(body, "", FIELDS)?;
    let model = read::text(body.get("model"));
    if model.is_empty() {
        return Err(bad("model is required"));
    }
    if !matches!(body.get("think"), None | Some(Value::Null | Value::Bool(_) | Value::String(_))) {
        return Err(bad(
            "think must be a boolean or string (\"high\", \"medium\", \"low\", true, or false)",
        ));
    }
    let tools = read::list(body.get("tools"));
    if !tools.is_empty() && !knows_tools {
        let tag = if model.contains(':') { "" } else { ":latest" };
        return Err(bad(format!("registry.ollama.ai/library/{model}{tag} does not support tools")));
    }
    tools.iter().try_for_each(check_tool)?;
    check_messages(read::list(body.get("messages")))
}

fn check_tool(tool: &Value) -> Checked {
    let tool = object(tool, "tools", "api.Tool")?;
    check_fields(tool, "tools", TOOL)?;
    if tool.get("type").is_none_or(|kind| kind != "function") {
        return Err(strict("`type` of a tool is `function`"));
    }
    let empty = Map::new();
    let function = tool.get("function").and_then(Value::as_object).unwrap_or(&empty);
    check_fields(function, "tools.function", FUNCTION)?;
    if function.get("name").is_none_or(|name| name == "") {
        return Err(strict("a function has a `name`"));
    }
    let Some(parameters) = function.get("parameters").and_then(Value::as_object) else {
        return Ok(());
    };
    // Of the rest of a schema the server keeps little; only what it cannot decode is refused.
    let path = "tools.function.parameters.properties";
    if let Some(properties) = parameters.get("properties") {
        let properties = object(properties, path, "map[string]api.ToolProperty")?;
        for property in properties.values() {
            object(property, path, "api.ToolProperty")?;
        }
    }
    Ok(())
}

fn check_messages(messages: &[Value]) -> Checked {
    if messages.is_empty() {
        return Err(strict("a request without `messages` loads the model and says nothing"));
    }
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        let message = object(message, "messages", "api.Message")?;
        check_fields(message, "messages", MESSAGE)?;
        let role = read::text(message.get("role"));
        if !ROLES.contains(&role) {
            return Err(bad(format!("invalid role: {role:?}")));
        }
        if role == "tool" {
            let name = read::text(message.get("tool_name"));
            let Some(at) = open.iter().position(|other| *other == name) else {
                return Err(strict(&format!(
                    "`tool_name` of a result names a call of the message before that has none yet, and `{name}` does not"
                )));
            };
            open.remove(at);
            continue;
        }
        if let Some(name) = open.first() {
            return Err(strict(&format!("the call of `{name}` has no result right behind it")));
        }
        open = check_calls(message)?;
    }
    match open.first() {
        Some(name) => Err(strict(&format!("the call of `{name}` has no result right behind it"))),
        None => Ok(()),
    }
}

/// Holds the calls of a message against the rules and returns the names of the tools.
fn check_calls(message: &Map<String, Value>) -> Result<Vec<&str>, Refusal> {
    let mut names = Vec::new();
    for call in read::list(message.get("tool_calls")) {
        let path = "messages.tool_calls";
        let call = object(call, path, "api.ToolCall")?;
        check_fields(call, path, CALL)?;
        let path = "messages.tool_calls.function";
        let function = call.get("function").and_then(Value::as_object);
        let function = function.ok_or_else(|| strict("a call has a `function`"))?;
        check_fields(function, path, CALLED)?;
        let name = read::text(function.get("name"));
        if name.is_empty() || !function.contains_key("arguments") {
            return Err(strict("a call has a `name` and `arguments`"));
        }
        names.push(name);
    }
    Ok(names)
}

fn check_fields(object: &Map<String, Value>, path: &str, table: &[(&str, Kind)]) -> Checked {
    for (key, value) in object {
        let path = join(path, key);
        let Some((_, kind)) = table.iter().find(|(known, _)| known == key) else {
            return Err(strict(&format!("the server knows no `{path}` and would read over it")));
        };
        let (is_good, word) = match kind {
            Kind::Any => (true, ""),
            Kind::Text => (value.is_string(), "string"),
            Kind::Whole => (value.is_i64(), "int"),
            Kind::Truth => (value.is_boolean(), "bool"),
            Kind::Object(word) => (value.is_object(), *word),
            Kind::Array(word) => (value.is_array(), *word),
        };
        if !is_good && !value.is_null() {
            return Err(undecodable(value, &path, word));
        }
    }
    Ok(())
}

fn object<'a>(value: &'a Value, path: &str, word: &str) -> Result<&'a Map<String, Value>, Refusal> {
    value.as_object().ok_or_else(|| undecodable(value, path, word))
}

fn undecodable(value: &Value, path: &str, word: &str) -> Refusal {
    let got = described(value);
    bad(format!(
        "json: cannot unmarshal {got} into Go struct field ChatRequest.{path} of type {word}"
    ))
}

fn described(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// What the real server refuses.
fn bad(message: impl Into<String>) -> Refusal {
    Refusal::new(400, "", message)
}

/// What the fake alone refuses.
fn strict(problem: &str) -> Refusal {
    bad(format!("strict fake: {problem}"))
}
