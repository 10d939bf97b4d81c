//! Words that stand for one another, as a list knows them: what is there without a model.

use std::collections::BTreeMap;

use super::words::{Word, words};

/// Groups of words that people use for one another, one group a line. Written from general knowledge of English, not taken from any data set.
const SYNONYMS: &str = include_str!("synonyms.txt");

/// The groups of a word, by its stem.
pub(super) struct Synonyms(BTreeMap<String, Vec<Word>>);

impl Synonyms {
    pub(super) fn new() -> Self {
        let mut synonyms: BTreeMap<String, Vec<Word>> = BTreeMap::new();
        for group in SYNONYMS.lines().map(words) {
            for word in &group {
                let known = synonyms.entry(word.stem.clone()).or_default();
                for other in group.iter().filter(|other| other.stem != word.stem) {
                    if !known.contains(other) {
                        known.push(other.clone());
                    }
                }
            }
        }
        Self(synonyms)
    }

    /// Returns what people say for the word with this stem.
    pub(super) fn of(&self, stem: &str) -> &[Word] {
        self.0.get(stem).map_or(&[], Vec::as_slice)
    }

    /// Iterates over all words.
    pub(super) fn all(&self) -> impl Iterator<Item = &Word> {
        self.0.values().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::{SYNONYMS, Synonyms};
    use crate::lint::suggest::words::words;

    #[test]
    fn a_word_has_what_stands_for_it_from_every_group() {
        let synonyms = Synonyms::new();
        let typed = |word: &str| -> Vec<String> {
            let stem = &words(word)[0].stem;
            synonyms.of(stem).iter().map(|word| word.typed.clone()).collect()
        };
        assert_eq!(typed("vouchers"), ["coupon"]);
        assert_eq!(typed("vacation"), ["holiday"]);
        // Of `currency money` and `money cash funds`.
        assert_eq!(typed("money"), ["currency", "cash", "funds"]);
        assert!(typed("nothing").is_empty());
    }

    #[test]
    fn every_group_has_several_words_in_one_line() {
        assert!(SYNONYMS.lines().all(|group| group.split(' ').count() > 1));
        assert!(SYNONYMS.lines().is_sorted());
    }
}
