//! ToolHive's optimizer without embeddings: SQLite's FTS5 over name and description, with the Porter stemmer.
//!
//! The words of a request are joined by OR, each a phrase of its own; a request of one word, or with one of 23 words that SQL or schemas use, is one phrase as a whole.
//! FTS5 scores phrases by BM25 with k1 1.2 and b 0.75, and gives those that half of the tools have next to nothing.

use std::collections::HashMap;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::rival::Answers;
use super::terms::{add, best, saturated};
use crate::retrieval::LabelledTool;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The weight of a phrase that is too common to weigh anything.
const RARITY_MIN: f64 = 1e-6;

/// Words with which a request is taken as one phrase.
const PHRASE_WORDS: [&str; 23] = [
    "name", "description", "schema", "input", "output", "type", "properties", "required", "title",
    "id", "tool", "server", "meta", "data", "content", "text", "value", "field", "column", "table",
    "index", "key", "primary",
];

/// Bytes of the terms that are stemmed; shorter and longer ones stay as they are.
const STEMMED: std::ops::RangeInclusive<usize> = 3..=64;

pub(super) fn index(tools: &[LabelledTool]) -> Answers {
    let table = Table::of(tools);
    Box::new(move |text, max| {
        let mut scores = vec![0.0; table.rows.len()];
        for phrase in phrases(text) {
            table.weigh(&table.stemmer.terms(&phrase), &mut scores);
        }
        best(&scores, max)
    })
}

/// The phrases of which any may occur.
fn phrases(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_phrase_word = |word: &&str| PHRASE_WORDS.contains(&word.to_lowercase().as_str());
    if words.len() == 1 || words.iter().any(is_phrase_word) {
        return vec![words.join(" ")];
    }
    words.into_iter().map(str::to_owned).collect()
}

/// The table of the tools, with its index.
struct Table {
    stemmer: Terms,
    /// The terms of each column of each row.
    rows: Vec<[Vec<String>; 2]>,
    /// The rows that have a term.
    having: HashMap<String, Vec<usize>>,
    mean_length: f64,
}

impl Table {
    fn of(tools: &[LabelledTool]) -> Self {
        let stemmer = Terms::new();
        let mut having: HashMap<String, Vec<usize>> = HashMap::new();
        let mut rows = Vec::new();
        for (place, tool) in tools.iter().enumerate() {
            let row = &tool.document.row;
            let columns = [row.name(), row.description()].map(|text| stemmer.terms(text));
            for term in columns.iter().flatten() {
                let rows = having.entry(term.clone()).or_default();
                if rows.last() != Some(&place) {
                    rows.push(place);
                }
            }
            rows.push(columns);
        }
        let terms: usize = rows.iter().map(length).sum();
        let mean_length = terms as f64 / rows.len().max(1) as f64;
        Self { stemmer, rows, having, mean_length }
    }

    /// Adds the weight of a phrase to the score of every row that has it.
    fn weigh(&self, phrase: &[String], scores: &mut [f64]) {
        let having = phrase.first().and_then(|term| self.having.get(term));
        let found: Vec<(usize, usize, usize)> = having
            .into_iter()
            .flatten()
            .filter_map(|&place| {
                let row = self.rows.get(place)?;
                let times = |column: &Vec<String>| {
                    column.windows(phrase.len()).filter(|terms| *terms == phrase).count()
                };
                let times: usize = row.iter().map(times).sum();
                (times > 0).then_some((place, times, length(row)))
            })
            .collect();
        let (rows, has) = (self.rows.len() as f64, found.len() as f64);
        let rarity = ((rows - has + 0.5) / (has + 0.5)).ln();
        let rarity = if rarity > 0.0 { rarity } else { RARITY_MIN };
        for (place, times, length) in found {
            let weight = saturated(times as f64, length as f64, self.mean_length, K1, B);
            add(scores, place, rarity * weight);
        }
    }
}

fn length(row: &[Vec<String>; 2]) -> usize {
    row.iter().map(Vec::len).sum()
}

/// Cuts texts as the tokenizers `unicode61` and `porter` do.
struct Terms(Stemmer);

impl Terms {
    fn new() -> Self {
        Self(Stemmer::new(Algorithm::Porter))
    }

    fn terms(&self, text: &str) -> Vec<String> {
        let text: String = text.nfc().flat_map(char::to_lowercase).map(without_mark).collect();
        text.split(|character: char| !character.is_alphanumeric() && !is_combining_mark(character))
            .map(|term| {
                term.chars().filter(|&letter| !is_combining_mark(letter)).collect::<String>()
            })
            .filter(|term| !term.is_empty())
            .map(|term| match STEMMED.contains(&term.len()) {
                true => self.0.stem(&term).into_owned(),
                false => term,
            })
            .collect()
    }
}

/// A Latin letter without its one accent.
fn without_mark(letter: char) -> char {
    let mut parts = Vec::new();
    decompose_canonical(letter, |part| parts.push(part));
    match parts.as_slice() {
        [base, mark] if base.is_ascii() && is_combining_mark(*mark) => *base,
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::{Terms, index, phrases};
    use crate::rivals::rival::tests::{check, tools};

    #[test]
    fn terms_are_stemmed_and_have_no_accents() {
        let terms = |text: &str| Terms::new().terms(text);
        assert_eq!(terms("Running_jobs, Café v2"), ["run", "job", "cafe", "v2"]);
        assert_eq!(terms("is as 파일을"), ["is", "as", "파일을"]);
    }

    #[test]
    fn some_words_make_the_request_one_phrase() {
        assert_eq!(phrases(" send  a mail "), ["send", "a", "mail"]);
        assert_eq!(phrases("send Text mail"), ["send Text mail"]);
        assert_eq!(phrases("mail"), ["mail"]);
        assert_eq!(phrases(""), [""; 0]);
    }

    #[test]
    fn common_phrases_weigh_next_to_nothing() {
        // 4, 4, 4 and 4 terms. `file` is in three of four: ln(1.5 / 3.5) < 0; `mail` in one: ln(3.5 / 1.5) = 0.847.
        let tools = tools(&[
            ("read_file", "from disk"),
            ("send_file", "by mail"),
            ("list_files", "file names"),
            ("stop", "all the jobs"),
        ]);
        check(
            &index(&tools),
            &[
                // Once in each of the first, and twice in the third: 0.000001 · 2 · 2.2 / 3.2 beats 0.000001.
                ("file", &[2, 0, 1]),
                ("mailing files", &[1, 2, 0]),
                // One phrase, since `names` is none of the words but `name` is.
                ("name read", &[]),
                ("names of files", &[2, 0, 1]),
                // A word of two terms is a phrase too: in the third it runs over two columns.
                ("send-file x", &[1]),
            ],
        );
    }
}
