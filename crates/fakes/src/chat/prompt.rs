//! What the cache sees of a request: tools one by one, then what the model is told first, then messages one by one.

use oncue_agent::cache::{Block, Prompt, Tier};
use serde_json::Value;

use crate::{read, tokens};

/// Choices of tools are no part of it.
pub(super) fn prompt(body: &Value) -> Prompt {
    let items = |name: &str| read::list(&body[name]);
    let mut blocks: Vec<Block> =
        items("tools").iter().map(|tool| block(Tier::Tools, tool)).collect();
    if body["response_format"]["type"] == "json_schema" {
        blocks.push(block(Tier::System, &body["response_format"]));
    }
    let messages = items("messages");
    let is_system =
        |message: &&Value| message["role"] == "system" || message["role"] == "developer";
    let first = messages.iter().take_while(is_system).count();
    for (at, message) in messages.iter().enumerate() {
        let tier = if at < first { Tier::System } else { Tier::Messages };
        blocks.push(block(tier, message));
    }
    Prompt::new(body["model"].as_str().unwrap_or_default(), blocks)
}

fn block(tier: Tier, value: &Value) -> Block {
    Block::new(tier, value.to_string().as_bytes(), tokens::of_value(value))
}
