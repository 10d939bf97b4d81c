//! Blocks that the server made and will know again: signatures of thoughts, and blocks of kinds that no rule describes.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The blocks of unknown kinds that were sent. Lives as long as the wire.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    blocks: Mutex<HashSet<String>>,
}

impl Sent {
    /// Keeps a block.
    pub(crate) fn keep(&self, block: &Value) {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).insert(block.to_string());
    }

    /// Says whether exactly this block was sent.
    pub(crate) fn knows(&self, block: &Value) -> bool {
        let blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.contains(&block.to_string())
    }
}

/// Returns the signature of thoughts; changed thoughts do not fit theirs any more.
pub(crate) fn signature(thinking: &str) -> String {
    let mut hasher = DefaultHasher::new();
    thinking.hash(&mut hasher);
    format!("sig{:016x}", hasher.finish())
}
