//! Words of praise and of command, with which a tool puts itself before others.
//!
//! A query may say them ("the best restaurants", "always on"), but they earn a tool nothing: what is best is not for a tool to say.
//! In a tool's own text they stay words like others, so that saying them still makes the text longer.

/// Says whether `word`, an English stem, praises or commands.
pub(crate) fn is_praise(word: &str) -> bool {
    PRAISE.binary_search(&word).is_ok()
}

/// Stems, ascending. Words that also name what a tool does (top, first, recommend), or a program (excel), are not among them, and what is a stop word need not be.
const PRAISE: &[&str] = &[
    "alway", "best", "better", "fastest", "instead", "never", "prefer", "preferr", "reliabl",
    "superior", "ultim",
];

#[cfg(test)]
mod tests {
    use super::{PRAISE, is_praise};
    use crate::text::language::Language;

    #[test]
    fn the_list_is_sorted_and_holds_the_stems_of_words() {
        assert!(PRAISE.is_sorted());
        for word in "always best better instead never prefer preferred reliable ultimate".split(' ')
        {
            assert!(is_praise(&Language::English.stem(word)), "{word}");
        }
        for word in ["top", "first", "recommend", "excel", "test", "bet"] {
            assert!(!is_praise(&Language::English.stem(word)), "{word}");
        }
    }
}
