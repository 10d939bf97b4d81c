//! Which tools may be called.

use serde_json::{Map, Value};

use crate::openai::fault::{self, fault};
use crate::openai::fields::{self, Kind};
use crate::read;
use crate::shape::join;
use crate::wire::Checked;

const WORDS: &[&str] = &["none", "auto", "required"];

/// Holds the choice against the rules and the names of the tools.
pub(super) fn check(body: &Map<String, Value>, names: &[&str]) -> Checked {
    for name in ["tool_choice", "parallel_tool_calls"] {
        if names.is_empty() && fields::present(body, name).is_some() {
            let message = format!(
                "Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."
            );
            return Err(fault(Some(name), None, message));
        }
    }
    match fields::present(body, "tool_choice") {
        None => Ok(()),
        Some(Value::String(word)) if WORDS.contains(&word.as_str()) => Ok(()),
        Some(Value::String(word)) => Err(fault::wrong_value("tool_choice", word, WORDS)),
        Some(Value::Object(choice)) => check_object(choice, names),
        Some(other) => {
            let expected = "one of one of 'none', 'auto', or 'required' or object";
            Err(fault::wrong_type("tool_choice", expected, other))
        }
    }
}

fn check_object(choice: &Map<String, Value>, names: &[&str]) -> Checked {
    if choice.get("type").and_then(Value::as_str) == Some("allowed_tools") {
        return check_allowed(choice, names);
    }
    let kind = match choice.get("type").and_then(Value::as_str) {
        Some("custom") => "custom",
        _ => "function",
    };
    let inner = fields::required_object(choice, "tool_choice", kind)?;
    fields::check(choice, "tool_choice", &[("type", Kind::Any), (kind, Kind::Any)])?;
    let name = fields::required_text(inner, &format!("tool_choice.{kind}"), "name")?;
    check_named(name, names, "tool_choice")
}

fn check_allowed(choice: &Map<String, Value>, names: &[&str]) -> Checked {
    let known = &[("type", Kind::Any), ("allowed_tools", Kind::Object)];
    fields::check(choice, "tool_choice", known)?;
    let path = "tool_choice.allowed_tools";
    let allowed = fields::required_object(choice, "tool_choice", "allowed_tools")?;
    let known = &[
        ("mode", Kind::Word(&["auto", "required"])),
        ("tools", Kind::Array("an array of objects")),
    ];
    fields::check(allowed, path, known)?;
    fields::required(allowed, path, "mode")?;
    fields::required(allowed, path, "tools")?;
    let tools = read::list(allowed.get("tools"));
    if tools.is_empty() {
        return Err(fault::empty_array(&format!("{path}.tools")));
    }
    for (at, tool) in tools.iter().enumerate() {
        let path = format!("{path}.tools[{at}]");
        let tool = fields::as_object(tool, &path)?;
        let kind = fields::required_text(tool, &path, "type")?;
        let inner = fields::required_object(tool, &path, kind)?;
        let name = fields::required_text(inner, &join(&path, kind), "name")?;
        check_named(name, names, &path)?;
    }
    Ok(())
}

fn check_named(name: &str, names: &[&str], path: &str) -> Checked {
    if names.contains(&name) {
        return Ok(());
    }
    let message = format!(
        "Invalid value for 'tool_choice': no function named '{name}' was specified in the 'tools' parameter."
    );
    Err(fault(Some(path), None, message))
}
