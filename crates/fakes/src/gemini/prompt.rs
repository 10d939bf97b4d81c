//! What the cache sees of a request: tools one by one, then what the model is told once, then contents one by one.

use oncue_agent::cache::{Block, Prompt, Tier};
use serde_json::Value;

use crate::{read, tokens};

/// The choice of functions is no part of it.
pub(super) fn prompt(model: &str, body: &Value) -> Prompt {
    let mut blocks = Vec::new();
    for tool in read::list(&body["tools"]) {
        let declared = read::list(&tool["functionDeclarations"]);
        if declared.is_empty() {
            blocks.push(block(Tier::Tools, tool));
        }
        blocks.extend(declared.iter().map(|declared| block(Tier::Tools, declared)));
    }
    if !body["systemInstruction"].is_null() {
        blocks.push(block(Tier::System, &body["systemInstruction"]));
    }
    let contents = read::list(&body["contents"]).iter();
    blocks.extend(contents.map(|content| block(Tier::Messages, content)));
    Prompt::new(model, blocks)
}

fn block(tier: Tier, value: &Value) -> Block {
    Block::new(tier, value.to_string().as_bytes(), tokens::of_value(value))
}
