//! The messages: each for itself, then calls and their results.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::limits::{OPENAI_CALL_ID_CHARS_MAX, OPENAI_TOOLS_MAX};
use crate::openai::fault::{self, fault};
use crate::openai::fields::{self, Kind};
use crate::openai::function;
use crate::read;
use crate::shape::join;
use crate::wire::Checked;

const ROLES: &[&str] = &["system", "assistant", "user", "function", "tool", "developer"];

/// Fields that a message of each role may have beside its role.
const FIELDS: &[(&str, &[(&str, Kind)])] = &[
    ("system", &[("role", Kind::Any), ("content", Kind::Any), ("name", Kind::Text)]),
    ("developer", &[("role", Kind::Any), ("content", Kind::Any), ("name", Kind::Text)]),
    ("user", &[("role", Kind::Any), ("content", Kind::Any), ("name", Kind::Text)]),
    ("function", &[("role", Kind::Any), ("content", Kind::Any), ("name", Kind::Text)]),
    ("tool", &[("role", Kind::Any), ("content", Kind::Any), ("tool_call_id", Kind::Text)]),
    (
        "assistant",
        &[
            ("role", Kind::Any),
            ("content", Kind::Any),
            ("name", Kind::Text),
            ("refusal", Kind::Text),
            ("annotations", Kind::Array("an array of objects")),
            ("audio", Kind::Object),
            ("function_call", Kind::Object),
            ("tool_calls", Kind::Array("an array of objects")),
        ],
    ),
];

/// Holds each message against the rules.
pub(super) fn check_each(messages: &[Value], dots: bool) -> Checked {
    for (at, message) in messages.iter().enumerate() {
        let path = format!("messages[{at}]");
        let message = fields::as_object(message, &path)?;
        let role = fields::required_text(message, &path, "role")?;
        let Some((_, known)) = FIELDS.iter().find(|(name, _)| *name == role) else {
            return Err(fault::wrong_value(&join(&path, "role"), role, ROLES));
        };
        fields::check(message, &path, known)?;
        check_content(message, role, &path)?;
        match role {
            "tool" => {
                let id = fields::required_text(message, &path, "tool_call_id")?;
                check_id(id, &join(&path, "tool_call_id"))?;
            }
            "assistant" => check_calls(message, &path, dots)?,
            _ => {}
        }
    }
    Ok(())
}

fn check_content(message: &Map<String, Value>, role: &str, path: &str) -> Checked {
    let parts = match fields::present(message, "content") {
        None if role == "tool" => return Err(fault::missing(&join(path, "content"))),
        None | Some(Value::String(_)) => return Ok(()),
        Some(Value::Array(parts)) => parts,
        Some(other) => {
            let expected = "one of a string or array of objects";
            return Err(fault::wrong_type(&join(path, "content"), expected, other));
        }
    };
    let kinds: &[&str] = match role {
        "user" => &["text", "image_url", "input_audio", "file"],
        "assistant" => &["text", "refusal"],
        _ => &["text"],
    };
    for (at, part) in parts.iter().enumerate() {
        let path = format!("{path}.content[{at}]");
        let part = fields::as_object(part, &path)?;
        let kind = fields::required_text(part, &path, "type")?;
        if !kinds.contains(&kind) {
            return Err(fault::wrong_value(&join(&path, "type"), kind, kinds));
        }
        match kind {
            "text" | "refusal" => drop(fields::required_text(part, &path, kind)?),
            _ => drop(fields::required_object(part, &path, kind)?),
        }
    }
    Ok(())
}

fn check_calls(message: &Map<String, Value>, path: &str, dots: bool) -> Checked {
    if fields::present(message, "tool_calls").is_none() {
        return Ok(());
    }
    let path = join(path, "tool_calls");
    let calls = read::list(message.get("tool_calls"));
    if calls.is_empty() {
        return Err(fault::empty_array(&path));
    }
    if calls.len() > OPENAI_TOOLS_MAX {
        return Err(fault::array_too_long(&path, OPENAI_TOOLS_MAX, calls.len()));
    }
    for (at, call) in calls.iter().enumerate() {
        check_call(call, &format!("{path}[{at}]"), dots)?;
    }
    Ok(())
}

fn check_call(call: &Value, path: &str, dots: bool) -> Checked {
    let call = fields::as_object(call, path)?;
    let id = fields::required_text(call, path, "id")?;
    check_id(id, &join(path, "id"))?;
    let kind = fields::required_text(call, path, "type")?;
    if !["function", "custom"].contains(&kind) {
        let path = join(path, "type");
        return Err(fault::wrong_value(&path, kind, &["function", "custom"]));
    }
    fields::check(call, path, &[("id", Kind::Any), ("type", Kind::Any), (kind, Kind::Any)])?;
    let inner = fields::required_object(call, path, kind)?;
    let path = join(path, kind);
    let text = if kind == "function" { "arguments" } else { "input" };
    fields::check(inner, &path, &[("name", Kind::Text), (text, Kind::Text)])?;
    let name = fields::required_text(inner, &path, "name")?;
    function::check_name(name, &join(&path, "name"), dots)?;
    fields::required_text(inner, &path, text)?;
    Ok(())
}

fn check_id(id: &str, path: &str) -> Checked {
    let length = id.chars().count();
    if length > OPENAI_CALL_ID_CHARS_MAX {
        return Err(fault::string_too_long(path, OPENAI_CALL_ID_CHARS_MAX, length));
    }
    Ok(())
}

/// Holds calls and results against each other: every call has one result, right behind its message.
pub(super) fn check_order(messages: &[Value]) -> Checked {
    let mut seen = BTreeSet::new();
    let mut calls: Vec<&str> = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        if message["role"] == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            check_result(id, at, &calls, &open)?;
            open.retain(|other| *other != id);
            continue;
        }
        check_answered(&open, &format!("messages.[{at}].role"))?;
        let made = read::list(&message["tool_calls"]);
        calls = made.iter().filter_map(|call| call["id"].as_str()).collect();
        for id in &calls {
            if !seen.insert(*id) {
                return Err(duplicate(id, at));
            }
        }
        open.clone_from(&calls);
    }
    check_answered(&open, "messages")
}

fn check_result(id: &str, at: usize, calls: &[&str], open: &[&str]) -> Checked {
    if calls.is_empty() {
        let message = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        return Err(fault(Some(&format!("messages.[{at}].role")), None, message.to_owned()));
    }
    if !calls.contains(&id) {
        let message = format!(
            "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message."
        );
        return Err(fault(Some(&format!("messages.[{at}].tool_call_id")), None, message));
    }
    if !open.contains(&id) {
        return Err(duplicate(id, at));
    }
    Ok(())
}

fn check_answered(open: &[&str], param: &str) -> Checked {
    if open.is_empty() {
        return Ok(());
    }
    let message = format!(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {}",
        open.join(", ")
    );
    Err(fault(Some(param), None, message))
}

/// The words are those of servers beside OpenAI's, which was not seen to name this fault.
fn duplicate(id: &str, at: usize) -> crate::Refusal {
    let message = format!("Duplicate value for 'tool_call_id' of {id} in message[{at}]");
    fault(Some("messages"), None, message)
}
