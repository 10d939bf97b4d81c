//! What a provider's cache of prompt prefixes reads and writes: a model of it that knows no vendor.
//!
//! A prompt is a row of [`Block`]s; the vendor's rules are data ([`CacheRules`]).
//! [`PrefixCache`] takes prompts one after the other and says what each would read, write and miss.
//! Nothing expires: a session that pauses longer than a vendor keeps its caches pays once more than this says.
//!
//! ```
//! use oncue_agent::cache::{Block, Breakpoints, CacheRules, CacheUse, MissReason, PrefixCache, Prompt, Tier};
//!
//! let rules = CacheRules {
//!     breakpoints: Breakpoints::Explicit { count_max: 4, look_back_blocks: 20 },
//!     prefix_tokens_min: 100,
//!     write_price: 1.25,
//!     read_price: 0.1,
//! };
//! let tools = |text: &str| Block::new(Tier::Tools, text.as_bytes(), 400).cut();
//! let hello = || Block::new(Tier::Messages, b"hello", 10);
//! let mut cache = PrefixCache::new(rules);
//!
//! let first = cache.send(&Prompt::new("m", [tools("a"), hello()]));
//! assert_eq!((first.read, first.written, first.uncached), (0, 400, 10));
//! let again = cache.send(&Prompt::new("m", [tools("a"), hello()]));
//! assert_eq!((again.read, again.written, again.uncached), (400, 0, 10));
//! let changed = cache.send(&Prompt::new("m", [tools("ab"), hello()]));
//! assert_eq!((changed.read, changed.written), (0, 400));
//! assert_eq!(changed.miss, Some(MissReason::ToolsChanged));
//! ```

mod prompt;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

pub use prompt::{Block, Prompt, Tier};

/// What a vendor's cache does, as data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheRules {
    /// Where prefixes end that are kept.
    pub breakpoints: Breakpoints,
    /// Shortest prefix that is kept, in tokens.
    pub prefix_tokens_min: u64,
    /// Price of a token that is written, in prices of an uncached token.
    pub write_price: f64,
    /// Price of a token that is read, in prices of an uncached token.
    pub read_price: f64,
}

/// Where prefixes end that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breakpoints {
    /// At blocks that the request marks.
    Explicit {
        /// Most marks in one request; the vendor refuses more.
        count_max: usize,
        /// How many blocks before a mark a kept prefix may end and still be read, in blocks.
        look_back_blocks: usize,
    },
    /// At every block, without marks.
    Automatic,
}

/// What one prompt read and wrote, in tokens. The three counts add up to the prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheUse {
    /// Tokens read.
    pub read: u64,
    /// Tokens written.
    pub written: u64,
    /// Tokens that were neither.
    pub uncached: u64,
    /// Why less was read than the prompt before had left in the cache; `None` where nothing was lost.
    pub miss: Option<MissReason>,
    /// Tokens that were in the cache and could not be read.
    pub missed: u64,
}

/// What differed first from the prompt before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissReason {
    /// The model.
    ModelChanged,
    /// The list of tools.
    ToolsChanged,
    /// What the model is told once.
    SystemChanged,
    /// The conversation.
    MessagesChanged,
}

/// The prefixes that a provider keeps. Lives as long as the session that it is a model of.
#[derive(Clone, Debug)]
pub struct PrefixCache {
    rules: CacheRules,
    /// Hashes of kept prefixes, the model included.
    kept: HashSet<u64>,
    /// The prompt before, and how much of it is kept.
    before: Option<(Prompt, u64)>,
}

impl PrefixCache {
    /// An empty cache under these rules.
    #[must_use]
    pub fn new(rules: CacheRules) -> Self {
        Self { rules, kept: HashSet::new(), before: None }
    }

    /// Takes the next prompt of the session and returns what it reads and writes.
    pub fn send(&mut self, prompt: &Prompt) -> CacheUse {
        let hashes = prompt.prefix_hashes();
        let tokens = prompt.prefix_tokens();
        let total = tokens.last().copied().unwrap_or_default();
        let ends = self.ends(prompt, &tokens);
        let read = self.read(&ends, &hashes, &tokens);
        let kept = ends.last().and_then(|&end| tokens.get(end)).copied().unwrap_or_default();
        self.kept.extend(ends.iter().filter_map(|&end| hashes.get(end)));
        // What is read reaches at most to the last end, so this never goes below zero.
        let written = kept.saturating_sub(read);
        let (miss, missed) = self.missed(prompt, read);
        self.before = Some((prompt.clone(), kept));
        CacheUse { read, written, uncached: total - read - written, miss, missed }
    }

    /// Returns the blocks at which kept prefixes end, in order.
    fn ends(&self, prompt: &Prompt, tokens: &[u64]) -> Vec<usize> {
        let is_end = |at: &usize| match self.rules.breakpoints {
            Breakpoints::Explicit { .. } => prompt.blocks.get(*at).is_some_and(|block| block.cut),
            Breakpoints::Automatic => true,
        };
        let is_long = |at: &usize| {
            tokens.get(*at).is_some_and(|&tokens| tokens >= self.rules.prefix_tokens_min)
        };
        (0..prompt.blocks.len()).filter(is_end).filter(is_long).collect()
    }

    /// Returns the tokens of the longest kept prefix that the ends reach.
    fn read(&self, ends: &[usize], hashes: &[u64], tokens: &[u64]) -> u64 {
        let look_back = match self.rules.breakpoints {
            Breakpoints::Explicit { look_back_blocks, .. } => look_back_blocks,
            Breakpoints::Automatic => usize::MAX,
        };
        let reached = ends.iter().filter_map(|&end| {
            let nearest = (end.saturating_sub(look_back)..=end).rev();
            let mut kept =
                nearest.filter(|&at| hashes.get(at).is_some_and(|hash| self.kept.contains(hash)));
            kept.next().and_then(|at| tokens.get(at)).copied()
        });
        reached.max().unwrap_or_default()
    }

    /// Returns why and how much less than before was read.
    fn missed(&self, prompt: &Prompt, read: u64) -> (Option<MissReason>, u64) {
        let Some((before, kept)) = &self.before else { return (None, 0) };
        let missed = kept.saturating_sub(read);
        match missed {
            0 => (None, 0),
            missed => (prompt.first_difference(before), missed),
        }
    }
}

impl CacheUse {
    /// Returns what the prompt costs under `rules`, in uncached tokens.
    ///
    /// The formula is that of the vendors' price lists: uncached + write price · written + read price · read.
    #[must_use]
    pub fn price(&self, rules: &CacheRules) -> f64 {
        self.uncached as f64
            + rules.write_price * self.written as f64
            + rules.read_price * self.read as f64
    }
}
