//! Pieces of a request that a cache tells apart. Live as long as the request is written.

use oncue_agent::cache::{Block, Prompt, Tier};

use crate::tokens;

/// A tool or a message: its JSON, and how long it is for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) json: String,
    /// Its length, in tokens; an estimate.
    pub(crate) tokens: u64,
}

impl Piece {
    /// A piece of this JSON.
    pub(crate) fn new(json: impl Into<String>) -> Self {
        let json = json.into();
        let tokens = tokens::estimate(&json);
        Self { json, tokens }
    }

    /// Returns the piece with pictures in it, whose bytes are not what the model reads.
    pub(crate) fn with_pictures<'b>(self, pictures: impl Iterator<Item = &'b str>) -> Self {
        let (mut bytes, mut tokens) = (0, 0);
        for url in pictures {
            bytes += url.len();
            tokens += tokens::PICTURE;
        }
        let text = self.json.len().saturating_sub(bytes) as u64;
        Self { tokens: text.div_ceil(tokens::BYTES_PER_TOKEN) + tokens, ..self }
    }

    fn block(&self, tier: Tier) -> Block {
        Block::new(tier, self.json.as_bytes(), self.tokens)
    }
}

/// Returns the JSON list of pieces.
pub(crate) fn list(pieces: &[Piece]) -> String {
    let pieces: Vec<&str> = pieces.iter().map(|piece| piece.json.as_str()).collect();
    format!("[{}]", pieces.join(","))
}

/// Returns what a cache sees of a request: tools, then what the model is told once, then the conversation.
pub(crate) fn prompt(
    model: &str,
    tools: &[Piece],
    system: Option<&Piece>,
    messages: &[Piece],
) -> Prompt {
    let tools = tools.iter().map(|piece| piece.block(Tier::Tools));
    let system = system.into_iter().map(|piece| piece.block(Tier::System));
    let messages = messages.iter().map(|piece| piece.block(Tier::Messages));
    Prompt::new(model, tools.chain(system).chain(messages))
}
