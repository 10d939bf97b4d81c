//! Calls and their results, and the configuration that both need.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::messages::{content, list};
use crate::bedrock::converse::vendor_row;
use crate::bedrock::error::invalid;
use crate::wire::Checked;
use crate::{Asked, read};

pub(super) fn check(asked: &Asked, body: &Map<String, Value>) -> Checked {
    let messages = list(body);
    let has = |kind: &str| messages.iter().flat_map(content).any(|block| block.get(kind).is_some());
    if (has("toolUse") || has("toolResult")) && !body.contains_key("toolConfig") {
        return Err(invalid(
            "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
        ));
    }
    let mut all = HashSet::new();
    for (at, message) in messages.iter().enumerate() {
        let calls = ids(message, "toolUse");
        if let Some(id) = calls.iter().find(|id| !all.insert(**id)) {
            return Err(invalid(format!(
                "The toolUse blocks at messages.{at}.content contain duplicate Ids: {id}"
            )));
        }
        let before = at.checked_sub(1).and_then(|before| messages.get(before));
        let open = before.map(|before| ids(before, "toolUse")).unwrap_or_default();
        answered(message, at, &open)?;
        mixed(asked, message)?;
    }
    references(body, messages)
}

/// Every call of the message before has its one result here, before anything else.
fn answered(message: &Value, at: usize, open: &[&str]) -> Checked {
    let results = ids(message, "toolResult");
    let leading: Vec<&str> = content(message)
        .iter()
        .map_while(|block| block.get("toolResult"))
        .filter_map(|result| result.get("toolUseId")?.as_str())
        .collect();
    let missing: Vec<&str> = open.iter().filter(|id| !leading.contains(id)).copied().collect();
    if !missing.is_empty() {
        return Err(invalid(format!(
            "Expected toolResult blocks at messages.{at}.content for the following Ids: {}",
            missing.join(", ")
        )));
    }
    let mut seen = HashSet::new();
    if let Some(id) = results.iter().find(|id| open.contains(id) && !seen.insert(**id)) {
        return Err(invalid(format!(
            "The toolResult blocks at messages.{at}.content contain duplicate Ids: {id}"
        )));
    }
    match results.len() > open.len() {
        true => Err(invalid(format!(
            "The number of toolResult blocks at messages.{at}.content exceeds the number of toolUse blocks of previous turn."
        ))),
        false => Ok(()),
    }
}

/// Most models take results and texts in messages of their own.
fn mixed(asked: &Asked, message: &Value) -> Checked {
    let is_result = |block: &&Value| block.get("toolResult").is_some();
    let is_mark = |block: &&Value| block.get("cachePoint").is_some();
    let results = content(message).iter().filter(is_result).count();
    let others =
        content(message).iter().filter(|block| !is_result(block) && !is_mark(block)).count();
    match results > 0 && others > 0 && vendor_row(asked).is_none() {
        true => Err(invalid(
            "Conversation blocks and tool result blocks cannot be provided in the same turn.",
        )),
        false => Ok(()),
    }
}

/// A change refers to a tool of the configuration.
fn references(body: &Map<String, Value>, messages: &[Value]) -> Checked {
    let tools = body.get("toolConfig").and_then(|config| config.get("tools"));
    let names: HashSet<&str> = read::list(tools)
        .iter()
        .filter_map(|tool| tool.get("toolSpec")?.get("name")?.as_str())
        .collect();
    let changes = messages.iter().flat_map(content).filter_map(|block| {
        block.get("toolAddition").or_else(|| block.get("toolRemoval"))?.get("tool")
    });
    for tool in changes {
        let name = read::text(tool.get("name"));
        if !names.contains(name) {
            return Err(invalid(format!(
                "The model returned the following errors: the tool '{name}' is not defined at this position"
            )));
        }
    }
    Ok(())
}

fn ids<'v>(message: &'v Value, kind: &str) -> Vec<&'v str> {
    let all =
        content(message).iter().filter_map(|block| block.get(kind)?.get("toolUseId")?.as_str());
    all.collect()
}
