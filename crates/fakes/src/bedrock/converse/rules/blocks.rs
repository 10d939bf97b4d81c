//! The blocks of messages, each for itself.

use serde_json::Value;

use super::top::unknown;
use super::{cache_point, constraint, held, member, object, variant, word};
use crate::anthropic::{Sent, signature};
use crate::bedrock::error::invalid;
use crate::limits::{RUNTIME_NAME_CHARS_MAX, RUNTIME_REFERENCE_CHARS_MAX};
use crate::read;
use crate::shape::{Field, Kind, may, need};
use crate::wire::Checked;

/// Where a block stands.
pub(super) struct Place<'p> {
    /// Which message.
    pub(super) message: usize,
    /// Which block of it.
    pub(super) block: usize,
    /// The role of the message.
    pub(super) role: &'p str,
}

impl Place<'_> {
    /// The path by which the runtime's model names it.
    fn path(&self) -> String {
        member(&format!("{}.content", member("messages", self.message)), self.block)
    }

    /// The path by which errors about meaning name it.
    fn plain(&self) -> String {
        format!("messages.{}.content.{}", self.message, self.block)
    }
}

const MEDIA: [&str; 5] = ["image", "document", "video", "audio", "searchResult"];

pub(super) fn check(block: &Value, place: &Place<'_>, sent: &Sent) -> Checked {
    if place.role == "assistant" && sent.knows(block) {
        return Ok(());
    }
    let path = place.path();
    let (kind, inner) = variant(block, &path)?;
    let at = format!("{path}.{kind}");
    match (kind, place.role) {
        ("text", _) => text(inner, place),
        ("cachePoint", _) => cache_point(inner, &at),
        ("toolUse", "assistant") => call(inner, place, &at),
        ("toolResult", "user") => result(inner, place, &at),
        ("reasoningContent", "assistant") => reasoning(inner, &at),
        ("citationsContent", "assistant") | ("guardContent", "user") => {
            object(inner, &at).map(drop)
        }
        ("toolAddition" | "toolRemoval", "system") => change(inner, &at),
        (kind, "user") if MEDIA.contains(&kind) => object(inner, &at).map(drop),
        ("toolUse" | "toolResult" | "reasoningContent" | "toolAddition" | "toolRemoval", role) => {
            let place = place.plain();
            Err(invalid(format!("The {kind} block at {place} is not allowed for the role {role}.")))
        }
        (kind, _) => Err(unknown(&path, kind)),
    }
}

fn text(inner: &Value, place: &Place<'_>) -> Checked {
    match inner.as_str() {
        None => Err(constraint(&format!("{}.text", place.path()), "Member must be a string")),
        Some(text) if text.trim().is_empty() => Err(invalid(format!(
            "The text field in the ContentBlock object at {} is blank. Add text to the text field, and try again.",
            place.plain()
        ))),
        Some(_) => Ok(()),
    }
}

fn call(inner: &Value, place: &Place<'_>, at: &str) -> Checked {
    let call = object(inner, at)?;
    const CALL: [Field; 4] = [
        need("toolUseId", Kind::Text),
        need("name", Kind::Text),
        need("input", Kind::Any),
        may("type", Kind::Text),
    ];
    held(call, &CALL, at)?;
    let text = |name: &str| read::text(call.get(name));
    word(text("toolUseId"), &format!("{at}.toolUseId"), "_.:-", RUNTIME_NAME_CHARS_MAX)?;
    word(text("name"), &format!("{at}.name"), "_-", RUNTIME_NAME_CHARS_MAX)?;
    match call.get("input") {
        Some(Value::Object(_)) => Ok(()),
        _ => Err(no_object(&format!("{}.toolUse.input", place.plain()))),
    }
}

fn result(inner: &Value, place: &Place<'_>, at: &str) -> Checked {
    let result = object(inner, at)?;
    const RESULT: [Field; 4] = [
        need("toolUseId", Kind::Text),
        need("content", Kind::List),
        may("status", Kind::Text),
        may("type", Kind::Text),
    ];
    held(result, &RESULT, at)?;
    let id = read::text(result.get("toolUseId"));
    word(id, &format!("{at}.toolUseId"), "_.:-", RUNTIME_NAME_CHARS_MAX)?;
    match result.get("status").and_then(Value::as_str) {
        None | Some("success" | "error") => {}
        Some(_) => {
            let rule = "Member must satisfy enum value set: [success, error]";
            return Err(constraint(&format!("{at}.status"), rule));
        }
    }
    for (inner_at, block) in read::list(result.get("content")).iter().enumerate() {
        let path = member(&format!("{at}.content"), inner_at);
        let plain = format!("{}.toolResult.content.{inner_at}", place.plain());
        match variant(block, &path)? {
            ("json", Value::Object(_)) => {}
            ("json", _) => return Err(no_object(&format!("{plain}.json"))),
            ("text", Value::String(text)) if !text.trim().is_empty() => {}
            ("text", _) => {
                return Err(invalid(format!(
                    "The text field in the ToolResultContentBlock object at {plain} is blank. Add text to the text field, and try again."
                )));
            }
            (kind, inner) if MEDIA.contains(&kind) && kind != "audio" => {
                object(inner, &path)?;
            }
            (kind, _) => return Err(unknown(&path, kind)),
        }
    }
    Ok(())
}

fn no_object(plain: &str) -> crate::Refusal {
    invalid(format!(
        "The format of the value at {plain} is invalid. Provide a json object for the field and try again."
    ))
}

fn reasoning(inner: &Value, at: &str) -> Checked {
    let ("reasoningText", thoughts) = variant(inner, at)? else { return Ok(()) };
    let at = format!("{at}.reasoningText");
    held(object(thoughts, &at)?, &[need("text", Kind::Text), may("signature", Kind::Text)], &at)?;
    let text = |name: &str| read::text(thoughts.get(name));
    match signature(text("text")) == text("signature") {
        true => Ok(()),
        false => Err(invalid(
            "The model returned the following errors: Invalid `signature` in `thinking` block",
        )),
    }
}

/// A change refers to a tool; definitions have no place here.
fn change(inner: &Value, at: &str) -> Checked {
    held(object(inner, at)?, &[need("tool", Kind::Object)], at)?;
    let tool = inner.get("tool").unwrap_or(&Value::Null);
    let at = format!("{at}.tool");
    const TOOL: [Field; 3] =
        [may("type", Kind::Text), may("name", Kind::Text), may("serverName", Kind::Text)];
    held(object(tool, &at)?, &TOOL, &at)?;
    let name = read::text(tool.get("name"));
    match name.chars().count() {
        1..=RUNTIME_REFERENCE_CHARS_MAX => Ok(()),
        _ => Err(constraint(
            &format!("{at}.name"),
            &format!("Member must have length between 1 and {RUNTIME_REFERENCE_CHARS_MAX}"),
        )),
    }
}
