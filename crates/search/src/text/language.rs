//! Which language a text is in, as far as stemming needs to know, and the stemmers.

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

use super::fold::push_folded;

/// Words of a text that are looked at to guess its language.
const WORDS_READ: usize = 48;
/// Function words that must be seen before a text counts as anything but English.
const WORDS_MIN: usize = 2;

/// A language with a stemmer of its own. Tool texts and queries are English unless they show otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Dutch,
    French,
    German,
    Italian,
    Portuguese,
    Spanish,
}

impl Language {
    const ALL: [Self; 7] = [
        Self::English,
        Self::Dutch,
        Self::French,
        Self::German,
        Self::Italian,
        Self::Portuguese,
        Self::Spanish,
    ];

    /// Returns the language whose function words `text` uses most; English where that is not clear.
    pub(crate) fn of(text: &str) -> Self {
        let mut counts = [0usize; Self::ALL.len()];
        let mut folded = String::new();
        for word in
            text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).take(WORDS_READ)
        {
            if word.len() > LONGEST_BYTES {
                continue;
            }
            folded.clear();
            push_folded(word, &mut folded);
            if let Ok(at) = FUNCTION_WORDS.binary_search_by_key(&&*folded, |&(word, _)| word) {
                for &language in FUNCTION_WORDS.get(at).map_or(&[][..], |&(_, languages)| languages)
                {
                    if let Some(count) = counts.get_mut(language as usize) {
                        *count += 1;
                    }
                }
            }
        }
        let [english, others @ ..] = counts;
        let best = others.iter().copied().max().unwrap_or(0);
        if best < WORDS_MIN || best <= english {
            return Self::English;
        }
        let at = others.iter().position(|&count| count == best).map_or(0, |at| at + 1);
        Self::ALL.get(at).copied().unwrap_or(Self::English)
    }

    const fn algorithm(self) -> Algorithm {
        match self {
            Self::English => Algorithm::English,
            Self::Dutch => Algorithm::Dutch,
            Self::French => Algorithm::French,
            Self::German => Algorithm::German,
            Self::Italian => Algorithm::Italian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Spanish => Algorithm::Spanish,
        }
    }

    /// Returns the stem of `word` (folded) by the Snowball algorithm of the language; Cyrillic words are stemmed as Russian.
    pub(crate) fn stem(self, word: &str) -> Cow<'_, str> {
        let algorithm = match word.chars().next() {
            Some('\u{400}'..='\u{4ff}') => Algorithm::Russian,
            _ => self.algorithm(),
        };
        Stemmer::new(algorithm).stem(word)
    }
}

/// Says whether `text` is, as far as its letters and function words show, in another language than English.
pub(crate) fn is_other_language(text: &str) -> bool {
    let is_latin = |letter: &char| *letter <= LATIN_LAST;
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    let (latin, others): (Vec<char>, Vec<char>) = letters.take(LETTERS_READ).partition(is_latin);
    others.len() > latin.len() || Language::of(text) != English
}

/// Letters of a text that are looked at to tell its script.
const LETTERS_READ: usize = 200;
/// The last letter of the Latin script that counts as such (Latin Extended-B).
const LATIN_LAST: char = '\u{24f}';

/// The length of the longest function word below.
const LONGEST_BYTES: usize = 8;

use Language::{Dutch, English, French, German, Italian, Portuguese, Spanish};

/// Frequent function words (folded, sorted) with the languages in which they are frequent.
const FUNCTION_WORDS: &[(&str, &[Language])] = &[
    ("a", &[English, Portuguese, Italian]),
    ("al", &[Spanish]),
    ("alla", &[Italian]),
    ("and", &[English]),
    ("are", &[English]),
    ("au", &[French]),
    ("auf", &[German]),
    ("avec", &[French]),
    ("che", &[Italian]),
    ("com", &[Portuguese]),
    ("con", &[Spanish, Italian]),
    ("da", &[Portuguese, Italian]),
    ("dans", &[French]),
    ("das", &[German]),
    ("de", &[Spanish, French, Portuguese, Dutch]),
    ("del", &[Spanish, Italian]),
    ("della", &[Italian]),
    ("den", &[German]),
    ("der", &[German]),
    ("des", &[French, German]),
    ("di", &[Italian]),
    ("do", &[Portuguese]),
    ("du", &[French]),
    ("een", &[Dutch]),
    ("ein", &[German]),
    ("eine", &[German]),
    ("el", &[Spanish]),
    ("em", &[Portuguese]),
    ("en", &[Spanish, French, Dutch]),
    ("est", &[French]),
    ("et", &[French]),
    ("for", &[English]),
    ("fur", &[German]),
    ("gli", &[Italian]),
    ("het", &[Dutch]),
    ("i", &[English, Italian]),
    ("ich", &[German]),
    ("il", &[Italian, French]),
    ("im", &[German]),
    ("in", &[English, German, Italian, Dutch]),
    ("is", &[English, Dutch]),
    ("ist", &[German]),
    ("je", &[French, Dutch]),
    ("la", &[Spanish, French, Italian]),
    ("las", &[Spanish]),
    ("le", &[French, Italian]),
    ("les", &[French]),
    ("los", &[Spanish]),
    ("me", &[English, Spanish]),
    ("mi", &[Spanish, Italian]),
    ("mit", &[German]),
    ("my", &[English]),
    ("nao", &[Portuguese]),
    ("nel", &[Italian]),
    ("nicht", &[German]),
    ("of", &[English, Dutch]),
    ("on", &[English]),
    ("os", &[Portuguese]),
    ("para", &[Spanish, Portuguese]),
    ("per", &[Italian]),
    ("por", &[Spanish, Portuguese]),
    ("pour", &[French]),
    ("que", &[Spanish, French, Portuguese]),
    ("se", &[Spanish, Portuguese]),
    ("sur", &[French]),
    ("the", &[English]),
    ("to", &[English]),
    ("um", &[Portuguese, German]),
    ("uma", &[Portuguese]),
    ("un", &[Spanish, French, Italian]),
    ("una", &[Spanish, Italian]),
    ("und", &[German]),
    ("une", &[French]),
    ("van", &[Dutch]),
    ("von", &[German]),
    ("voor", &[Dutch]),
    ("with", &[English]),
    ("y", &[Spanish]),
    ("you", &[English]),
    ("zu", &[German]),
];

#[cfg(test)]
mod tests {
    use super::{FUNCTION_WORDS, LONGEST_BYTES, Language};

    #[test]
    fn the_table_is_sorted_and_within_its_bound() {
        assert!(FUNCTION_WORDS.is_sorted_by_key(|&(word, _)| word));
        assert!(FUNCTION_WORDS.iter().all(|(word, _)| word.len() <= LONGEST_BYTES));
    }

    #[test]
    fn a_text_is_english_unless_its_function_words_say_otherwise() {
        let cases = [
            ("Returns the weather of a city", Language::English),
            ("get_weather", Language::English),
            ("", Language::English),
            ("Finde ein Hotel in der Nähe von München", Language::German),
            ("Busca los archivos de la carpeta", Language::Spanish),
            ("Cherche les fichiers dans le dossier", Language::French),
            ("Cerca il file nella cartella del progetto", Language::Italian),
            ("Encontra os arquivos para uma pasta", Language::Portuguese),
            ("Zoek het bestand van een map", Language::Dutch),
        ];
        for (text, expected) in cases {
            assert_eq!(Language::of(text), expected, "{text}");
        }
    }
}
