//! What a reply cost, in tokens.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Tokens of one or more requests. The parts do not overlap, whatever the vendor's own fields do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens of the prompt that were neither read from nor written to a cache.
    pub uncached: u64,
    /// Tokens of the prompt that were read from a cache.
    pub cache_read: u64,
    /// Tokens of the prompt that were written to a cache.
    pub cache_write: u64,
    /// Tokens that the model wrote, thoughts included.
    pub output: u64,
}

impl Usage {
    /// Returns the tokens of the prompt.
    #[must_use]
    pub const fn prompt(&self) -> u64 {
        self.uncached + self.cache_read + self.cache_write
    }

    /// Returns the tokens of prompt and output.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.prompt() + self.output
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.uncached += other.uncached;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.output += other.output;
    }
}
