//! tantivy as it comes: one text field with its default analysis, and its BM25 with k1 1.2 and b 0.75.
//!
//! The text is name, description and the names and descriptions of the top-level parameters; terms are runs of letters and digits, lowered, and any may occur; one that a request repeats counts once.
//! tantivy keeps the length of a text in one byte, so that lengths above 40 are rounded down.

use std::collections::HashSet;

use super::fastmcp::text_of;
use super::rival::Answers;
use super::terms::{Terms, add, best, saturated};
use crate::retrieval::LabelledTool;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Bytes from which a term is too long to be kept.
const TERM_BYTES: usize = 40;

pub(super) fn index(tools: &[LabelledTool]) -> Answers {
    let terms = Terms::of(tools.iter().map(|tool| cut(&text_of(tool))));
    let (texts, mean) = (terms.texts() as f64, terms.mean_length());
    Box::new(move |text, max| {
        let mut scores = vec![0.0; terms.texts()];
        let mut seen = HashSet::new();
        for term in cut(text).into_iter().filter(|term| seen.insert(term.clone())) {
            let having = terms.having(&term);
            let has = having.len() as f64;
            let rarity = (1.0 + (texts - has + 0.5) / (has + 0.5)).ln();
            for posting in having {
                let (times, length) = (posting.times as f64, rounded(posting.length) as f64);
                add(&mut scores, posting.text, rarity * saturated(times, length, mean, K1, B));
            }
        }
        best(&scores, max)
    })
}

fn cut(text: &str) -> Vec<String> {
    let terms = text.split(|character: char| !character.is_alphanumeric());
    let kept = terms.filter(|term| (1..TERM_BYTES).contains(&term.len()));
    kept.map(str::to_lowercase).collect()
}

/// The length as it is kept: exact up to 40, then what is above 24 by its first four binary digits.
fn rounded(length: usize) -> usize {
    const EXACT: usize = 40;
    const EXACT_PART: usize = 24;
    const DIGITS: u32 = 4;

    if length <= EXACT {
        return length;
    }
    let above = length - EXACT_PART;
    let dropped = above.ilog2() + 1 - DIGITS;
    EXACT_PART + (above >> dropped << dropped)
}

#[cfg(test)]
mod tests {
    use super::{cut, index, rounded};
    use crate::rivals::rival::tests::{check, tools};

    #[test]
    fn lengths_have_the_values_of_the_published_table() {
        let kept =
            [40, 42, 44, 46, 48, 50, 52, 54, 56, 60, 64, 68, 72, 76, 80, 84, 88, 96, 104, 112];
        for pair in kept.windows(2) {
            for length in pair[0]..pair[1] {
                assert_eq!(rounded(length), pair[0], "{length}");
            }
        }
        assert_eq!([0, 1, 39].map(rounded), [0, 1, 39]);
        assert_eq!([151, 152, 167, 168, 184].map(rounded), [144, 152, 152, 168, 184]);
    }

    #[test]
    fn terms_are_lowered_runs_and_none_is_long() {
        assert_eq!(cut("Read_File a 파일"), ["read", "file", "a", "파일"]);
        assert_eq!(cut(&format!("{} {}", "x".repeat(39), "y".repeat(40))).len(), 1);
    }

    #[test]
    fn rare_terms_and_short_texts_win() {
        // 3, 5 and 4 terms, mean 4. `file` is in two of three: ln(1 + 1.5 / 2.5) = 0.470; `mail` in one: ln(1 + 2.5 / 1.5) = 0.981.
        let tools =
            tools(&[("read", "file disk"), ("send", "file by mail now"), ("list", "all the dirs")]);
        check(
            &index(&tools),
            &[
                // 0.470 · 2.2 / (1 + 1.2 · 0.8125) against 0.470 · 2.2 / (1 + 1.2 · 1.1875).
                ("file", &[0, 1]),
                ("File mail", &[1, 0]),
                ("files", &[]),
                // Once each: 0.470 · 2.2 / (1 + 1.2 · 0.8125) = 0.523 against 0.981 · 2.2 / (1 + 1.2 · 1.1875) = 0.890 and more.
                ("file file file mail", &[1, 0]),
            ],
        );
    }
}
