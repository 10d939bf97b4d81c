//! English stems that were computed before. Lives as long as one index is being built, or one query is being read.

use std::collections::HashMap;

use fnv::FnvBuildHasher;

use super::language::Language;
use crate::limits::STEMS_MAX;

/// A memory of stems. Stemming costs several times a look-up, and tools share most of their words.
#[derive(Debug, Default)]
pub(crate) struct Stems {
    known: HashMap<Box<str>, Box<str>, FnvBuildHasher>,
    /// Whether nothing new is remembered.
    is_full: bool,
    spare: String,
}

impl Stems {
    /// Stems that are not remembered: a query has few words, and each once.
    pub(crate) fn forgetful() -> Self {
        Self { is_full: true, ..Self::default() }
    }

    /// Returns the English stem of `word` (folded).
    pub(crate) fn english<'s>(&'s mut self, word: &str) -> &'s str {
        if !self.known.contains_key(word) {
            let stem = Language::English.stem(word);
            self.is_full |= self.known.len() >= STEMS_MAX;
            if self.is_full {
                self.spare.clear();
                self.spare.push_str(&stem);
                return &self.spare;
            }
            self.known.insert(word.into(), stem.as_ref().into());
        }
        self.known.get(word).map_or("", |stem| stem)
    }
}
