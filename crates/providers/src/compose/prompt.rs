//! What a cache sees of the blocks of a request. Lives as long as the request is written.

use oncue_agent::cache::{self, Prompt, Tier};

use crate::blocks::Block;
use crate::tokens;

/// Returns a block with pictures in it, whose bytes, of these lengths, are not what the model reads.
pub(crate) fn pictured(block: Block, pictures: &[usize]) -> Block {
    if pictures.is_empty() {
        return block;
    }
    let bytes: usize = pictures.iter().sum();
    let text = block.json().len().saturating_sub(bytes) as u64;
    let pictures = pictures.len() as u64 * tokens::PICTURE;
    let tokens = text.div_ceil(tokens::BYTES_PER_TOKEN) + pictures;
    block.with_tokens(tokens)
}

/// Returns the JSON list of blocks.
pub(crate) fn list(blocks: &[Block]) -> String {
    let blocks: Vec<&str> = blocks.iter().map(Block::json).collect();
    format!("[{}]", blocks.join(","))
}

/// Returns what a cache sees of a request: tools, then what the model is told once, then the conversation.
pub(crate) fn prompt(
    model: &str,
    tools: &[Block],
    system: Option<&Block>,
    messages: &[Block],
) -> Prompt {
    let of =
        |tier: Tier| move |block: &Block| cache::Block::new(tier, &block.bytes(""), block.tokens);
    let tools = tools.iter().map(of(Tier::Tools));
    let system = system.into_iter().map(of(Tier::System));
    let messages = messages.iter().map(of(Tier::Messages));
    Prompt::new(model, tools.chain(system).chain(messages))
}
