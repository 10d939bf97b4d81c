//! The items of the input, each for itself.

use serde_json::{Map, Value};

use super::tools;
use crate::limits::RESPONSES_ITEM_ID_CHARS_MAX;
use crate::openai::fault::{self, fault};
use crate::openai::fields::{self, Kind};
use crate::openai::function;
use crate::read;
use crate::shape::join;
use crate::wire::Checked;

/// Every kind of item that the server knows.
const KINDS: &[&str] = &[
    "additional_tools",
    "agent_message",
    "apply_patch_call",
    "apply_patch_call_output",
    "code_interpreter_call",
    "compaction",
    "compaction_trigger",
    "computer_call",
    "computer_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "file_search_call",
    "function_call",
    "function_call_output",
    "image_generation_call",
    "item_reference",
    "local_shell_call",
    "local_shell_call_output",
    "mcp_approval_request",
    "mcp_approval_response",
    "mcp_call",
    "mcp_list_tools",
    "message",
    "multi_agent_call",
    "multi_agent_call_output",
    "program",
    "program_output",
    "reasoning",
    "shell_call",
    "shell_call_output",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
];

const ROLES: &[&str] = &["assistant", "system", "developer", "user"];
const STATUSES: &[&str] = &["in_progress", "completed", "incomplete"];

/// Fields of the kinds that are looked into.
const FIELDS: &[(&str, &[(&str, Kind)])] = &[
    (
        "function_call",
        &[
            ("type", Kind::Any),
            ("id", Kind::Text),
            ("call_id", Kind::Text),
            ("name", Kind::Text),
            ("arguments", Kind::Text),
            ("namespace", Kind::Text),
            ("caller", Kind::Object),
            ("async", Kind::Truth),
            ("status", Kind::Word(STATUSES)),
        ],
    ),
    (
        "function_call_output",
        &[
            ("type", Kind::Any),
            ("id", Kind::Text),
            ("call_id", Kind::Text),
            ("output", Kind::Any),
            ("name", Kind::Text),
            ("namespace", Kind::Text),
            ("caller", Kind::Object),
            ("status", Kind::Word(STATUSES)),
        ],
    ),
    (
        "tool_search_call",
        &[
            ("type", Kind::Any),
            ("id", Kind::Text),
            ("call_id", Kind::Text),
            ("arguments", Kind::Object),
            ("execution", Kind::Word(&["server", "client"])),
            ("status", Kind::Word(STATUSES)),
        ],
    ),
    (
        "tool_search_output",
        &[
            ("type", Kind::Any),
            ("id", Kind::Text),
            ("call_id", Kind::Text),
            ("tools", Kind::Array("an array of tools")),
            ("execution", Kind::Word(&["server", "client"])),
            ("status", Kind::Word(STATUSES)),
        ],
    ),
    (
        "additional_tools",
        &[
            ("type", Kind::Any),
            ("id", Kind::Text),
            ("role", Kind::Any),
            ("tools", Kind::Array("an array of tools")),
        ],
    ),
    (
        "reasoning",
        &[
            ("type", Kind::Any),
            ("id", Kind::Text),
            ("summary", Kind::Array("an array of objects")),
            ("content", Kind::Array("an array of objects")),
            ("encrypted_content", Kind::Text),
            ("status", Kind::Word(STATUSES)),
        ],
    ),
];

/// How the ids of a kind begin.
const PREFIXES: &[(&str, &str)] = &[
    ("function_call", "fc"),
    ("reasoning", "rs"),
    ("tool_search_call", "tsc"),
    ("tool_search_output", "tso"),
    ("message", "msg"),
];

/// Holds each item against the rules.
pub(super) fn check(items: &[Value]) -> Checked {
    for (at, item) in items.iter().enumerate() {
        let path = format!("input[{at}]");
        let Some(item) = item.as_object() else {
            return Err(fault::wrong_type(&path, "an input item", item));
        };
        check_item(item, &path)?;
    }
    Ok(())
}

fn check_item(item: &Map<String, Value>, path: &str) -> Checked {
    // Without a kind it is a message.
    let kind = match item.get("type") {
        None => "message",
        Some(kind) => kind.as_str().unwrap_or_default(),
    };
    if !KINDS.contains(&kind) {
        return Err(fault::wrong_value(path, kind, KINDS));
    }
    if kind == "message" {
        check_message(item, path)?;
    }
    if let Some((_, known)) = FIELDS.iter().find(|(known, _)| *known == kind) {
        fields::check(item, path, known)?;
    }
    check_id(item, kind, path)?;
    match kind {
        "function_call" => {
            fields::required_text(item, path, "call_id")?;
            let name = fields::required_text(item, path, "name")?;
            function::check_name(name, &join(path, "name"), false)?;
            fields::required_text(item, path, "arguments").map(drop)
        }
        "function_call_output" => {
            fields::required_text(item, path, "call_id")?;
            check_output(fields::required(item, path, "output")?, &join(path, "output"))
        }
        "tool_search_call" => {
            fields::required(item, path, "arguments")?;
            check_executed(item, path)
        }
        "tool_search_output" => {
            fields::required(item, path, "tools")?;
            check_executed(item, path)?;
            let tools = read::list(item.get("tools"));
            tools::check_each(tools, &join(path, "tools")).map(drop)
        }
        "additional_tools" => check_additional(item, path),
        "reasoning" => fields::required(item, path, "summary").map(drop),
        _ => Ok(()),
    }
}

/// What the client executes is paired by an id; what the server executes has none.
fn check_executed(item: &Map<String, Value>, path: &str) -> Checked {
    if fields::text(item, "execution") == Some("client") {
        fields::required_text(item, path, "call_id")?;
    }
    Ok(())
}

fn check_additional(item: &Map<String, Value>, path: &str) -> Checked {
    let role = fields::required_text(item, path, "role")?;
    if role != "developer" {
        return Err(fault::wrong_value(&join(path, "role"), role, &["developer"]));
    }
    fields::required(item, path, "tools")?;
    let tools = read::list(item.get("tools"));
    tools::check_each(tools, &join(path, "tools")).map(drop)
}

fn check_message(item: &Map<String, Value>, path: &str) -> Checked {
    let role = fields::text(item, "role").unwrap_or_default();
    if !ROLES.contains(&role) {
        return Err(fault::wrong_value(path, role, ROLES));
    }
    let content =
        fields::present(item, "content").ok_or_else(|| fault::missing(&join(path, "content")))?;
    let mut known = vec![
        ("type", Kind::Any),
        ("id", Kind::Text),
        ("role", Kind::Any),
        ("content", Kind::Any),
        ("status", Kind::Word(STATUSES)),
    ];
    if role == "assistant" {
        known.push(("phase", Kind::Word(&["commentary", "final_answer"])));
    }
    fields::check(item, path, &known)?;
    match content {
        Value::String(_) => Ok(()),
        Value::Array(parts) => {
            let kinds: &[&str] = match role {
                "assistant" => &["output_text", "refusal"],
                _ => &["input_text", "input_image", "input_file", "scoped_content", "input_audio"],
            };
            check_parts(parts, &join(path, "content"), kinds)
        }
        other => {
            let expected = "one of a string or array of objects";
            Err(fault::wrong_type(&join(path, "content"), expected, other))
        }
    }
}

fn check_parts(parts: &[Value], path: &str, kinds: &[&str]) -> Checked {
    for (at, part) in parts.iter().enumerate() {
        let path = format!("{path}[{at}]");
        let part = fields::as_object(part, &path)?;
        let kind = fields::text(part, "type").unwrap_or_default();
        if !kinds.contains(&kind) {
            return Err(fault::wrong_value(&path, kind, kinds));
        }
        match kind {
            "input_text" | "output_text" => drop(fields::required_text(part, &path, "text")?),
            "refusal" => drop(fields::required_text(part, &path, "refusal")?),
            _ => {}
        }
    }
    Ok(())
}

fn check_output(output: &Value, path: &str) -> Checked {
    match output {
        Value::String(_) => Ok(()),
        Value::Array(parts) => {
            check_parts(parts, path, &["input_text", "input_image", "input_file"])
        }
        other => Err(fault::wrong_type(path, "one of a string or array of objects", other)),
    }
}

fn check_id(item: &Map<String, Value>, kind: &str, path: &str) -> Checked {
    let Some(id) = fields::text(item, "id") else { return Ok(()) };
    let path = join(path, "id");
    let is_good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !id.chars().all(is_good) {
        let message = format!(
            "Invalid '{path}': '{id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters."
        );
        return Err(fault(Some(&path), Some("invalid_value"), message));
    }
    if id.len() > RESPONSES_ITEM_ID_CHARS_MAX {
        return Err(fault::string_too_long(&path, RESPONSES_ITEM_ID_CHARS_MAX, id.len()));
    }
    // Messages of people may have any id.
    let is_theirs = kind == "message" && fields::text(item, "role") != Some("assistant");
    match PREFIXES.iter().find(|(known, _)| *known == kind && !is_theirs) {
        Some((_, prefix)) if !id.starts_with(prefix) => {
            let message =
                format!("Invalid '{path}': '{id}'. Expected an ID that begins with '{prefix}'.");
            Err(fault(Some(&path), Some("invalid_value"), message))
        }
        _ => Ok(()),
    }
}
