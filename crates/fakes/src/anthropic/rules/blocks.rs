//! The blocks of messages, each for itself.

use serde_json::Value;

use super::{held, marks};
use crate::anthropic::request::{invalid, text};
use crate::anthropic::sent::{Sent, signature};
use crate::shape::{Field, Kind, may, need};
use crate::wire::Checked;

const TYPE: Field = need("type", Kind::Text);
const MARK: Field = may("cache_control", Kind::Object);

/// The fields of each block type.
const BLOCKS: [(&str, &[Field]); 12] = [
    ("text", &[TYPE, MARK, need("text", Kind::Text), may("citations", Kind::List)]),
    ("image", &[TYPE, MARK, need("source", Kind::Object), may("transformations", Kind::Object)]),
    (
        "document",
        &[
            TYPE,
            MARK,
            need("source", Kind::Object),
            may("citations", Kind::Object),
            may("context", Kind::Text),
            may("title", Kind::Text),
        ],
    ),
    (
        "search_result",
        &[
            TYPE,
            MARK,
            need("content", Kind::List),
            need("source", Kind::Text),
            need("title", Kind::Text),
            may("citations", Kind::Object),
        ],
    ),
    ("thinking", &[TYPE, need("thinking", Kind::Text), need("signature", Kind::Text)]),
    ("redacted_thinking", &[TYPE, need("data", Kind::Text)]),
    (
        "tool_use",
        &[
            TYPE,
            MARK,
            need("id", Kind::Text),
            need("name", Kind::Text),
            need("input", Kind::Object),
            may("caller", Kind::Object),
            may("toolset_name", Kind::Text),
        ],
    ),
    (
        "tool_result",
        &[
            TYPE,
            MARK,
            need("tool_use_id", Kind::Text),
            may("content", Kind::TextOrList),
            may("is_error", Kind::Flag),
            may("toolset_name", Kind::Text),
        ],
    ),
    ("tool_reference", &[TYPE, MARK, need("tool_name", Kind::Text)]),
    (
        "server_tool_use",
        &[
            TYPE,
            MARK,
            need("id", Kind::Text),
            need("name", Kind::Text),
            need("input", Kind::Object),
            may("caller", Kind::Object),
        ],
    ),
    (
        "tool_search_tool_result",
        &[TYPE, MARK, need("tool_use_id", Kind::Text), need("content", Kind::Object)],
    ),
    ("tool_addition", &[TYPE, MARK, need("tool", Kind::Object)]),
];

const USER: &[&str] = &["text", "image", "document", "search_result", "tool_result"];

const ASSISTANT: &[&str] = &[
    "text",
    "thinking",
    "redacted_thinking",
    "tool_use",
    "server_tool_use",
    "tool_search_tool_result",
];

const RESULT: &[&str] = &["text", "image", "document", "search_result", "tool_reference"];

/// Holds a block of a user's message against the rules.
pub(super) fn of_user(block: &Value, at: &str) -> Checked {
    one_of(block, USER, at)
}

/// Holds a block of an assistant's message against the rules; a block of another kind must be one that this server sent.
pub(super) fn of_assistant(block: &Value, at: &str, sent: &Sent) -> Checked {
    if sent.knows(block) {
        return Ok(());
    }
    one_of(block, ASSISTANT, at)
}

/// Holds a text block, the only kind that a system prompt takes, against the rules.
pub(super) fn of_system(block: &Value, at: &str) -> Checked {
    one_of(block, &["text"], at)
}

/// Returns the fields of a kind of block.
pub(super) fn of_kind(kind: &str) -> &'static [Field] {
    BLOCKS.iter().find(|(name, _)| *name == kind).map_or(&[], |(_, fields)| fields)
}

fn one_of(block: &Value, allowed: &[&str], at: &str) -> Checked {
    let Some(object) = block.as_object() else {
        return Err(invalid(format!("{at}: Input should be a valid dictionary")));
    };
    let kind = text(block, "type");
    if !allowed.contains(&kind) {
        let tags: Vec<String> = allowed.iter().map(|tag| format!("'{tag}'")).collect();
        return Err(invalid(format!(
            "{at}: Input tag '{kind}' found using 'type' does not match any of the expected tags: {}",
            tags.join(", ")
        )));
    }
    held(object, of_kind(kind), &format!("{at}.{kind}"))?;
    marks::shape(block, at)?;
    match kind {
        "text" => text_is_not_empty(text(block, "text"), "messages"),
        "thinking" => thinking(block, at),
        "tool_use" => id(text(block, "id"), &format!("{at}.tool_use.id")),
        "server_tool_use" => id(text(block, "id"), &format!("{at}.server_tool_use.id")),
        "tool_result" => result(block, at),
        _ => Ok(()),
    }
}

/// Refuses texts that say nothing.
pub(super) fn text_is_not_empty(text: &str, at: &str) -> Checked {
    if text.is_empty() {
        return Err(invalid(format!("{at}: text content blocks must be non-empty")));
    }
    match text.trim().is_empty() {
        true => Err(invalid(format!("{at}: text content blocks must contain non-whitespace text"))),
        false => Ok(()),
    }
}

fn thinking(block: &Value, at: &str) -> Checked {
    match signature(text(block, "thinking")) == text(block, "signature") {
        true => Ok(()),
        false => Err(invalid(format!("{at}: Invalid `signature` in `thinking` block"))),
    }
}

fn id(id: &str, at: &str) -> Checked {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match !id.is_empty() && id.chars().all(is_legal) {
        true => Ok(()),
        false => Err(invalid(format!("{at}: String should match pattern '^[a-zA-Z0-9_-]+$'"))),
    }
}

/// Holds the content of a result against the rules: references to tools stand alone.
fn result(block: &Value, at: &str) -> Checked {
    let Some(content) = block.get("content").and_then(Value::as_array) else {
        return Ok(());
    };
    for (place, inner) in content.iter().enumerate() {
        one_of(inner, RESULT, &format!("{at}.tool_result.content.{place}"))?;
    }
    let references = content.iter().filter(|inner| text(inner, "type") == "tool_reference").count();
    match references {
        0 => Ok(()),
        all if all == content.len() => Ok(()),
        _ => Err(invalid(
            "Tool definitions/code execution functions cannot be mixed with other content",
        )),
    }
}
