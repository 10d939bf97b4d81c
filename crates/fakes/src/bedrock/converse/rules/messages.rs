//! The messages: their roles and their order.

use serde_json::{Map, Value};

use super::blocks::{self, Place};
use super::{constraint, held, member, object};
use crate::anthropic::Sent;
use crate::bedrock::converse::vendor_row;
use crate::bedrock::error::invalid;
use crate::shape::{Kind, need};
use crate::wire::Checked;
use crate::{Asked, read};

pub(super) fn check(asked: &Asked, body: &Map<String, Value>, sent: &Sent) -> Checked {
    let messages = list(body);
    for (at, message) in messages.iter().enumerate() {
        let path = member("messages", at);
        let fields = [need("role", Kind::Text), need("content", Kind::List)];
        held(object(message, &path)?, &fields, &path)?;
        let role = role(message);
        if !matches!(role, "user" | "assistant" | "system") {
            let rule = "Member must satisfy enum value set: [user, assistant, system]";
            return Err(constraint(&format!("{path}.role"), rule));
        }
        if content(message).is_empty() {
            return Err(invalid(format!(
                "The content field in the Message object at messages.{at} is empty. Add a ContentBlock object to the content field and try again."
            )));
        }
        for (place, block) in content(message).iter().enumerate() {
            blocks::check(block, &Place { message: at, block: place, role }, sent)?;
        }
    }
    order(asked, messages)
}

/// Users and assistants take turns, a user first; a system message stands between a user's and the answer.
fn order(asked: &Asked, messages: &[Value]) -> Checked {
    let row = vendor_row(asked);
    let takes_system = row.is_some_and(|row| row.takes_system_messages);
    let mut before = None;
    for (at, message) in messages.iter().enumerate() {
        let role = role(message);
        match (role, before) {
            ("system", _) if !takes_system => {
                return Err(invalid(
                    "This model doesn't support the system role in messages. Use the system field instead.",
                ));
            }
            ("system", Some("user" | "system")) | ("user", Some("assistant")) => {}
            ("system", _) => {
                return Err(invalid(format!(
                    "The model returned the following errors: messages.{at}: role 'system' must follow a 'user' message"
                )));
            }
            ("user", None) | ("assistant", Some("user" | "system")) => {}
            (_, None) => {
                return Err(invalid(
                    "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
                ));
            }
            _ => {
                return Err(invalid(
                    "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.",
                ));
            }
        }
        before = Some(role);
    }
    let takes_prefill = row.is_none_or(|row| row.takes_prefill);
    match before {
        None => Err(invalid(
            "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
        )),
        Some("assistant") if !takes_prefill => Err(invalid(
            "The model returned the following errors: This model does not support assistant message prefill. The conversation must end with a user message.",
        )),
        Some(_) => Ok(()),
    }
}

/// Returns the messages of a body.
pub(super) fn list(body: &Map<String, Value>) -> &[Value] {
    read::list(body.get("messages"))
}

/// Returns the blocks of a message.
pub(super) fn content(message: &Value) -> &[Value] {
    read::list(message.get("content"))
}

/// Returns the role of a message.
pub(super) fn role(message: &Value) -> &str {
    read::text(message.get("role"))
}
