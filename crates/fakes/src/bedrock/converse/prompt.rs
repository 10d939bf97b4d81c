//! What the cache of Converse sees of a request: tools, system prompt, conversation, with marks as blocks of their own.

use oncue_agent::cache::{Block, Breakpoints, CacheRules, Prompt, Tier};
use serde_json::{Value, json};

use crate::anthropic::{ModelRow, cache_rules};
use crate::bedrock::path::vendor_model;
use crate::tokens::tokens;
use crate::{Asked, read};

/// Shortest prefix that models of other vendors keep, in tokens.
const OTHER_PREFIX_TOKENS: u64 = 1_024;

/// Returns the rules of the cache for a model.
pub(super) fn rules(row: Option<&ModelRow>) -> CacheRules {
    match row {
        Some(row) => cache_rules(row),
        None => CacheRules {
            breakpoints: Breakpoints::Explicit {
                count_max: crate::limits::CACHE_MARKS_MAX,
                look_back_blocks: 20,
            },
            prefix_tokens_min: OTHER_PREFIX_TOKENS,
            write_price: 1.0,
            read_price: 0.25,
        },
    }
}

/// Returns the request as a row of blocks.
pub(super) fn prompt(asked: &Asked) -> Prompt {
    let mut row = Vec::new();
    let config = asked.body.get("toolConfig");
    for tool in read::list(config.and_then(|config| config.get("tools"))) {
        push(&mut row, Tier::Tools, "", tool);
    }
    for block in read::list(asked.body.get("system")) {
        push(&mut row, Tier::System, "", block);
    }
    let settings = json!([
        config.and_then(|config| config.get("toolChoice")),
        asked.body.get("additionalModelRequestFields"),
        asked.body.get("outputConfig"),
    ]);
    // Settings stand before the conversation and are no text of their own.
    let mut unseen = settings.to_string();
    for message in read::list(asked.body.get("messages")) {
        unseen.push_str(read::text(message.get("role")));
        for block in read::list(message.get("content")) {
            if push(&mut row, Tier::Messages, &unseen, block) {
                unseen.clear();
            }
        }
    }
    Prompt::new(vendor_model(&asked.path), row)
}

/// Adds a block, or marks the one before; says whether it added one.
fn push(row: &mut Vec<Block>, tier: Tier, unseen: &str, block: &Value) -> bool {
    if block.get("cachePoint").is_some() {
        if let Some(last) = row.last_mut() {
            *last = last.cut();
        }
        return false;
    }
    let bytes = block.to_string();
    row.push(Block::new(tier, format!("{unseen}{bytes}").as_bytes(), tokens(bytes.len())));
    true
}
