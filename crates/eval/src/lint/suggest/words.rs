//! Texts to words, and the words of everyday.

use oncue_search::text::{Sort, analyze};

/// Words that people use every day, most of them for things. Written from general knowledge of English, not taken from any data set.
const EVERYDAY: &str = include_str!("everyday.txt");

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The form in which texts are compared.
    pub(super) stem: String,
    /// In lower case, as it was written.
    pub(super) typed: String,
    /// Whether it is a verb that a search takes for others anyway.
    pub(super) is_verb: bool,
}

/// Returns the words of everyday.
pub(super) fn everyday() -> Vec<Word> {
    words(EVERYDAY)
}

/// Returns the words of a text, in order, each part of an identifier by itself. Numbers and scripts without spaces have none.
pub(super) fn words(text: &str) -> Vec<Word> {
    let analysis = analyze(&spaced(text));
    let mut words = Vec::new();
    for terms in analysis.terms.chunk_by(|left, right| left.stretch == right.stretch) {
        let Some(first) = terms.iter().find(|term| term.sort == Sort::Word) else { continue };
        let typed = analysis.stretches.get(first.stretch);
        let Some(typed) = typed.filter(|typed| typed.chars().all(char::is_alphabetic)) else {
            continue;
        };
        let is_verb = terms.iter().any(|term| term.sort == Sort::Verbs);
        words.push(Word { stem: first.text.clone(), typed: typed.to_lowercase(), is_verb });
    }
    words
}

/// Puts spaces in the place of marks, and between the parts of identifiers.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for character in text.chars() {
        if character.is_uppercase() && (before.is_lowercase() || before.is_numeric()) {
            spaced.push(' ');
        }
        let is_mark = !character.is_alphanumeric() && !matches!(character, '\'' | '’');
        spaced.push(if is_mark { ' ' } else { character });
        before = character;
    }
    spaced
}

/// The share of the shorter of two words from which on they are look-alikes, in tenths, where they begin alike.
const LOOK_ALIKE_TENTHS: usize = 7;

/// The letters that look-alikes begin with together, at least.
const LOOK_ALIKE_LETTERS: usize = 3;

/// Says whether two words begin so alike that a model takes one for the other whatever they mean (close, closet).
pub(super) fn are_look_alikes(left: &str, right: &str) -> bool {
    let shared = left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count();
    let shorter = left.chars().count().min(right.chars().count());
    shared >= LOOK_ALIKE_LETTERS && shared * 10 >= shorter * LOOK_ALIKE_TENTHS
}

#[cfg(test)]
mod tests {
    use super::{are_look_alikes, everyday, words};

    #[test]
    fn identifiers_are_words_and_verbs_are_told() {
        let found: Vec<(String, bool)> = words("getHTTPPage_by-id: the red Pages2 of 날씨")
            .into_iter()
            .map(|word| (word.typed, word.is_verb))
            .collect();
        let expected = [("get", true), ("httppage", false), ("id", false), ("red", false)];
        assert_eq!(found, expected.map(|(word, is_verb)| (word.to_owned(), is_verb)));
    }

    #[test]
    fn look_alikes_begin_alike() {
        for (left, right, alike) in [
            ("close", "closet", true),
            ("math", "mathematics", true),
            ("car", "cargo", true),
            ("photo", "phone", false),
            ("film", "movie", false),
        ] {
            assert_eq!(are_look_alikes(left, right), alike, "{left} {right}");
        }
    }

    #[test]
    fn everyday_has_hundreds_of_words() {
        assert!(everyday().len() > 1_000);
    }
}
