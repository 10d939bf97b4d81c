//! Calls and their results: every call has one, in the very next message, before anything else.

use std::collections::HashSet;

use serde_json::Value;

use crate::anthropic::request::{Request, blocks, invalid, text};
use crate::wire::Checked;

pub(super) fn check(request: &Request<'_>) -> Checked {
    let messages = request.messages();
    let mut ids = HashSet::new();
    let mut has_calls = false;
    for (at, message) in messages.iter().enumerate() {
        for (place, block) in blocks(message).iter().enumerate() {
            let is_call = matches!(text(block, "type"), "tool_use" | "server_tool_use");
            if is_call && !ids.insert(text(block, "id")) {
                return Err(invalid(format!(
                    "messages.{at}.content.{place}: `tool_use` ids must be unique"
                )));
            }
        }
        let calls = ids_of(message, "tool_use", "id");
        has_calls |= !calls.is_empty();
        results_fit(messages, at)?;
        let Some(next) = messages.get(at + 1) else {
            // Whether the last message may be the assistant's is a rule of its own.
            continue;
        };
        let open: Vec<&str> =
            calls.into_iter().filter(|id| !leading_results(next).contains(id)).collect();
        if !open.is_empty() {
            return Err(invalid(format!(
                "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
                open.join(", ")
            )));
        }
    }
    if has_calls && request.tools().is_empty() && !defines_tools(messages) {
        return Err(invalid(
            "Requests which include `tool_use` or `tool_result` blocks must define tools",
        ));
    }
    Ok(())
}

/// Each result answers a call of the message before, and no call has two.
fn results_fit(messages: &[Value], at: usize) -> Checked {
    let Some(message) = messages.get(at) else { return Ok(()) };
    let before = at.checked_sub(1).and_then(|before| messages.get(before));
    let calls = before.map(|before| ids_of(before, "tool_use", "id")).unwrap_or_default();
    let mut answered = HashSet::new();
    for (place, block) in blocks(message).iter().enumerate() {
        if text(block, "type") != "tool_result" {
            continue;
        }
        let id = text(block, "tool_use_id");
        if !calls.contains(&id) {
            return Err(invalid(format!(
                "messages.{at}.content.{place}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
            )));
        }
        if !answered.insert(id) {
            return Err(invalid(format!(
                "messages.{at}.content.{place}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}"
            )));
        }
    }
    Ok(())
}

fn ids_of<'v>(message: &'v Value, kind: &str, field: &str) -> Vec<&'v str> {
    let of_kind = blocks(message).iter().filter(|block| text(block, "type") == kind);
    of_kind.map(|block| text(block, field)).collect()
}

/// Returns the calls that the results at the beginning of a message answer; a result behind another block counts for nothing.
fn leading_results(message: &Value) -> Vec<&str> {
    let results = blocks(message).iter().take_while(|block| text(block, "type") == "tool_result");
    results.map(|block| text(block, "tool_use_id")).collect()
}

fn defines_tools(messages: &[Value]) -> bool {
    let mut all = messages.iter().flat_map(blocks);
    all.any(|block| text(block, "type") == "tool_addition")
}
