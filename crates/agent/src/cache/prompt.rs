//! A prompt as a cache sees it: a row of blocks.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::MissReason;

/// Which part of a prompt a block belongs to, in the order in which caches read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// The definitions of tools.
    Tools,
    /// What the model is told once.
    System,
    /// The conversation, and settings that change only how it is read.
    Messages,
}

/// The smallest piece of a prompt that a cache tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it stands.
    pub tier: Tier,
    /// A hash of its bytes.
    hash: u64,
    /// Its length, in tokens.
    pub tokens: u64,
    /// Whether a kept prefix ends behind it.
    pub cut: bool,
}

/// A prompt: the model and its blocks in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The model; caches of different models have nothing in common.
    pub model: String,
    /// The blocks.
    pub blocks: Vec<Block>,
}

impl Block {
    /// A block of these bytes that is `tokens` long.
    #[must_use]
    pub fn new(tier: Tier, bytes: &[u8], tokens: u64) -> Self {
        Self { tier, hash: hash_of(bytes), tokens, cut: false }
    }

    /// Returns the block with a kept prefix that ends behind it.
    #[must_use]
    pub fn cut(self) -> Self {
        Self { cut: true, ..self }
    }
}

impl Prompt {
    /// A prompt of these blocks.
    #[must_use]
    pub fn new(model: impl Into<String>, blocks: impl IntoIterator<Item = Block>) -> Self {
        Self { model: model.into(), blocks: blocks.into_iter().collect() }
    }

    /// Returns the length of the prompt, in tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.blocks.iter().map(|block| block.tokens).sum()
    }

    /// Returns a hash of each prefix, from the first block on.
    pub(super) fn prefix_hashes(&self) -> Vec<u64> {
        let mut chain = hash_of(self.model.as_bytes());
        let mut hashes = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            chain = hash_of(&(chain, block.tier, block.hash));
            hashes.push(chain);
        }
        hashes
    }

    /// Returns the tokens of each prefix.
    pub(super) fn prefix_tokens(&self) -> Vec<u64> {
        let mut sum = 0;
        let sums = self.blocks.iter().map(|block| {
            sum += block.tokens;
            sum
        });
        sums.collect()
    }

    /// Returns what differs first from the prompt before; `None` where that one is a beginning of this one.
    pub(super) fn first_difference(&self, before: &Self) -> Option<MissReason> {
        if self.model != before.model {
            return Some(MissReason::ModelChanged);
        }
        let same = |(ours, theirs): &(&Block, &Block)| {
            ours.tier == theirs.tier && ours.hash == theirs.hash
        };
        let at = self.blocks.iter().zip(&before.blocks).take_while(same).count();
        let theirs = before.blocks.get(at)?;
        // A list that grew or shrank shows at the first block that is not of it any more.
        let tier = self.blocks.get(at).map_or(theirs.tier, |ours| ours.tier.min(theirs.tier));
        Some(match tier {
            Tier::Tools => MissReason::ToolsChanged,
            Tier::System => MissReason::SystemChanged,
            Tier::Messages => MissReason::MessagesChanged,
        })
    }
}

fn hash_of(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
