//! Texts as they are sent, and how many at once. Pure.

use crate::limits::{EMBEDDING_REQUEST_BYTES_MAX, EMBEDDING_TEXT_BYTES_MAX, EMBEDDING_TEXTS_MAX};

/// Stands for a text of nothing but white space, which servers refuse.
const BLANK: &str = ".";

/// Returns the text as it is sent: cut, with what the model wants in front.
pub(super) fn prepared(prefix: &str, text: &str) -> String {
    let text = text.get(..text.floor_char_boundary(EMBEDDING_TEXT_BYTES_MAX)).unwrap_or_default();
    let text = if text.trim().is_empty() { BLANK } else { text };
    format!("{prefix}{text}")
}

/// Cuts `texts` into what goes in one request each.
pub(super) fn batches(mut texts: &[String]) -> Vec<&[String]> {
    let mut batches = Vec::new();
    while !texts.is_empty() {
        let mut bytes = 0;
        let fit = texts.iter().take(EMBEDDING_TEXTS_MAX).take_while(|text| {
            bytes += text.len();
            bytes <= EMBEDDING_REQUEST_BYTES_MAX
        });
        let (batch, rest) = texts.split_at(fit.count().max(1));
        batches.push(batch);
        texts = rest;
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::{batches, prepared};

    #[test]
    fn a_text_is_cut_between_characters_and_never_empty() {
        assert_eq!(prepared("query: ", "find a tool"), "query: find a tool");
        assert_eq!(prepared("", " \n"), ".");
        assert_eq!(prepared("p ", &"a".repeat(9_000)).len(), 1_502);
        // Characters of 3 bytes: 500 of them are 1,500, and a byte in front makes room for 499.
        assert_eq!(prepared("", &"표".repeat(9_000)).chars().count(), 500);
        assert_eq!(prepared("", &format!("a{}", "표".repeat(9_000))).chars().count(), 500);
    }

    #[test]
    fn requests_are_bounded_by_count_and_by_bytes() {
        let sizes = |texts: &[String]| -> Vec<usize> {
            batches(texts).iter().map(|batch| batch.len()).collect()
        };
        assert_eq!(sizes(&[]), [0_usize; 0]);
        assert_eq!(sizes(&vec!["a".to_owned(); 70]), [32, 32, 6]);
        // 65,536 bytes: four texts of 16,000 fit, the fifth does not.
        assert_eq!(sizes(&vec!["a".repeat(16_000); 9]), [4, 4, 1]);
        assert_eq!(sizes(&["a".repeat(100_000), "b".to_owned()]), [1, 1]);
    }
}
