//! The messages: their roles, their order and what may stand in them.

use serde_json::Value;

use super::{blocks, changes, held};
use crate::anthropic::request::{Request, blocks as blocks_of, invalid, text};
use crate::anthropic::sent::Sent;
use crate::read;
use crate::shape::{Kind, need};
use crate::wire::Checked;

/// The end of both messages about a misplaced system message.
const ANYWHERE: &str =
    "the directive-only form (content: [] with output_config) is accepted at any position";

pub(super) fn check(request: &Request<'_>, sent: &Sent) -> Checked {
    system(request)?;
    let messages = request.messages();
    for (at, message) in messages.iter().enumerate() {
        shape(request, message, at, sent)?;
    }
    for at in 0..messages.len() {
        place_of_system(messages, at)?;
    }
    prefill(request)
}

/// The system prompt is a text or text blocks.
fn system(request: &Request<'_>) -> Checked {
    let Some(Value::Array(parts)) = request.body.get("system") else { return Ok(()) };
    for (at, block) in parts.iter().enumerate() {
        blocks::of_system(block, &format!("system.{at}"))?;
    }
    Ok(())
}

fn shape(request: &Request<'_>, message: &Value, at: usize, sent: &Sent) -> Checked {
    let path = format!("messages.{at}");
    let Some(object) = message.as_object() else {
        return Err(invalid(format!("{path}: Input should be a valid dictionary")));
    };
    held(object, &[need("role", Kind::Text), need("content", Kind::TextOrList)], &path)?;
    let role = text(message, "role");
    match role {
        "user" | "assistant" => {}
        "system" if request.model.takes_system_messages => {}
        "system" => {
            return Err(invalid(
                "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \"system\" as an input message role.",
            ));
        }
        _ => {
            return Err(invalid(format!("{path}.role: Input should be 'user' or 'assistant'")));
        }
    }
    let empty = || {
        invalid(match role {
            "system" => format!("{path}: system content must contain at least one block"),
            _ => format!(
                "{path}: all messages must have non-empty content except for the optional final assistant message"
            ),
        })
    };
    let content = match message.get("content") {
        Some(Value::String(said)) if said.is_empty() => return Err(empty()),
        Some(Value::String(said)) => return blocks::text_is_not_empty(said, "messages"),
        Some(Value::Array(content)) if content.is_empty() => return Err(empty()),
        Some(Value::Array(content)) => content,
        _ => return Ok(()),
    };
    for (place, block) in content.iter().enumerate() {
        let path = format!("{path}.content.{place}");
        match role {
            "assistant" => blocks::of_assistant(block, &path, sent)?,
            "system" => changes::block(request, block, at, &path)?,
            _ => {
                blocks::of_user(block, &path)?;
                let cites = !read::list(block.get("citations")).is_empty();
                if request.is_second_version && cites {
                    let message = format!("{path}.text.citations: Extra inputs are not permitted");
                    return Err(invalid(message));
                }
            }
        }
    }
    Ok(())
}

/// A system message follows a user's message or a server's result, and precedes the assistant or ends the list; neighbours are judged together.
fn place_of_system(messages: &[Value], at: usize) -> Checked {
    let role = |at: usize| messages.get(at).map(|message| text(message, "role"));
    let is_system = |at: usize| role(at) == Some("system");
    let begins = is_system(at) && (at == 0 || !is_system(at - 1));
    if !begins {
        return Ok(());
    }
    let Some(before) = at.checked_sub(1).and_then(|before| messages.get(before)) else {
        return Err(invalid(format!(
            "messages.0: use the top-level 'system' parameter for the initial system prompt; {ANYWHERE}"
        )));
    };
    let end = (at..messages.len()).find(|&next| !is_system(next)).unwrap_or(messages.len());
    if text(before, "role") != "user" && !is_paused(before) {
        return Err(invalid(format!(
            "messages.{at}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; {ANYWHERE}"
        )));
    }
    match role(end) {
        None | Some("assistant") => Ok(()),
        Some(_) => Err(invalid(format!(
            "messages.{at}: role 'system' must precede an 'assistant' message or end the array; {ANYWHERE}"
        ))),
    }
}

/// Says whether an assistant's message ends in the result of one of the vendor's own tools.
pub(super) fn is_paused(message: &Value) -> bool {
    let blocks = blocks_of(message);
    text(message, "role") == "assistant"
        && blocks.last().is_some_and(|block| text(block, "type") == "tool_search_tool_result")
}

/// Newer models want the last word to be the user's.
fn prefill(request: &Request<'_>) -> Checked {
    let Some(last) = request.messages().last() else { return Ok(()) };
    if text(last, "role") != "assistant" || is_paused(last) {
        return Ok(());
    }
    if !request.model.takes_prefill {
        return Err(invalid(
            "This model does not support assistant message prefill. The conversation must end with a user message.",
        ));
    }
    let ending = match last.get("content") {
        Some(Value::String(said)) => said.as_str(),
        Some(Value::Array(parts)) => parts.last().map_or("", |part| text(part, "text")),
        _ => "",
    };
    match ending.ends_with(char::is_whitespace) {
        true => {
            Err(invalid("messages: final assistant content cannot end with trailing whitespace"))
        }
        false => Ok(()),
    }
}
