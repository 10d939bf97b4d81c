//! What the cache sees of a request: tools one by one, then what the model is told first, then items one by one.

use oncue_agent::cache::{Block, Prompt, Tier};
use serde_json::{Value, json};

use crate::{read, tokens};

/// Choices of tools are no part of it, and what a search loaded is part of the item that tells it.
pub(super) fn prompt(body: &Value) -> Prompt {
    let items = |name: &str| read::list(&body[name]);
    let tools = items("tools").iter();
    let mut blocks: Vec<Block> = tools.map(|tool| block(Tier::Tools, &shown(tool))).collect();
    if body["text"]["format"]["type"] == "json_schema" {
        blocks.push(block(Tier::System, &body["text"]["format"]));
    }
    if !body["instructions"].is_null() {
        blocks.push(block(Tier::System, &body["instructions"]));
    }
    if body["input"].is_string() {
        blocks.push(block(Tier::Messages, &body["input"]));
    }
    let input = items("input");
    let is_system = |item: &&Value| item["role"] == "system" || item["role"] == "developer";
    let is_told = |item: &&Value| is_system(item) && item["type"] != "additional_tools";
    let first = input.iter().take_while(is_told).count();
    for (at, item) in input.iter().enumerate() {
        let tier = if at < first { Tier::System } else { Tier::Messages };
        blocks.push(block(tier, item));
    }
    Prompt::new(body["model"].as_str().unwrap_or_default(), blocks)
}

/// Returns what the model sees of a tool at the start: of a deferred function its name and description, of a namespace those and what is not deferred in it.
fn shown(tool: &Value) -> Value {
    if tool["type"] == "namespace" {
        let inner = read::list(&tool["tools"]);
        let inner: Vec<&Value> =
            inner.iter().filter(|tool| tool["defer_loading"] != true).collect();
        return json!({ "type": "namespace", "name": tool["name"], "description": tool["description"], "tools": inner });
    }
    if tool["defer_loading"] == true {
        return json!({ "type": "function", "name": tool["name"], "description": tool["description"] });
    }
    tool.clone()
}

fn block(tier: Tier, value: &Value) -> Block {
    Block::new(tier, value.to_string().as_bytes(), tokens::of_value(value))
}
