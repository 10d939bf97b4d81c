//! Which tools may be called.

use serde_json::{Map, Value};

use super::tools::Named;
use crate::openai::fault::{self, fault};
use crate::openai::fields::{self, Kind};
use crate::read;
use crate::wire::Checked;

const WORDS: &[&str] = &["none", "auto", "required"];

/// Holds the choice against the rules and the tools of the request; those that a search loaded are not among them.
pub(super) fn check(body: &Map<String, Value>, tools: &[Named<'_>]) -> Checked {
    match fields::present(body, "tool_choice") {
        None => Ok(()),
        Some(Value::String(word))
            if word == "required" && read::list(body.get("tools")).is_empty() =>
        {
            let message = "Tool choice 'required' must be specified with 'tools' parameter.";
            Err(fault(Some("tool_choice"), None, message.to_owned()))
        }
        Some(Value::String(word)) if WORDS.contains(&word.as_str()) => Ok(()),
        Some(Value::String(word)) => Err(fault::wrong_value("tool_choice", word, WORDS)),
        Some(Value::Object(choice)) => check_object(choice, tools),
        Some(other) => {
            let expected = "one of an object or 'none', 'auto', or 'required'";
            Err(fault::wrong_type("tool_choice", expected, other))
        }
    }
}

fn check_object(choice: &Map<String, Value>, tools: &[Named<'_>]) -> Checked {
    let path = "tool_choice";
    if fields::required_text(choice, path, "type")? != "allowed_tools" {
        return check_named(choice, path, tools);
    }
    let known = &[
        ("type", Kind::Any),
        ("mode", Kind::Word(&["auto", "required"])),
        ("tools", Kind::Array("an array of objects")),
    ];
    fields::check(choice, path, known)?;
    fields::required(choice, path, "mode")?;
    fields::required(choice, path, "tools")?;
    let allowed = read::list(choice.get("tools"));
    if allowed.is_empty() {
        return Err(fault::empty_array("tool_choice.tools"));
    }
    for (at, tool) in allowed.iter().enumerate() {
        let path = format!("tool_choice.tools[{at}]");
        check_named(fields::as_object(tool, &path)?, &path, tools)?;
    }
    Ok(())
}

fn check_named(choice: &Map<String, Value>, path: &str, tools: &[Named<'_>]) -> Checked {
    let kind = fields::required_text(choice, path, "type")?;
    let name = match kind {
        "function" | "custom" => fields::required_text(choice, path, "name")?,
        "mcp" => fields::required_text(choice, path, "server_label")?,
        _ => "",
    };
    let known = &[("type", Kind::Any), ("name", Kind::Text), ("server_label", Kind::Text)];
    fields::check(choice, path, known)?;
    if tools.contains(&Named { kind, name }) {
        return Ok(());
    }
    let message = format!("Tool choice '{kind}' not found in 'tools' parameter.");
    Err(fault(Some("tool_choice"), None, message))
}
