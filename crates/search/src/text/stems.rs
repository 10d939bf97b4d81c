//! English stems that were computed before. Lives as long as one index is being built, or one query is being read.

use std::collections::HashMap;

use fnv::FnvBuildHasher;

use super::language::Language;
use crate::limits::STEMS_MAX;

/// A memory of stems. Stemming costs several times a look-up, and tools share most of their words.
#[derive(Debug, Default)]
pub(crate) struct Stems {
    known: HashMap<Box<str>, Box<str>, FnvBuildHasher>,
    spare: String,
}

impl Stems {
    /// Returns the English stem of `word` (folded).
    pub(crate) fn english<'s>(&'s mut self, word: &str) -> &'s str {
        if !self.known.contains_key(word) {
            let stem = Language::English.stem(word);
            if self.known.len() >= STEMS_MAX {
                self.spare.clear();
                self.spare.push_str(&stem);
                return &self.spare;
            }
            self.known.insert(word.into(), stem.as_ref().into());
        }
        self.known.get(word).map_or("", |stem| stem)
    }
}
