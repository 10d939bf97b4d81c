//! Which texts have which terms: what every ranker that weighs terms starts from.

use std::collections::HashMap;

/// The terms of some texts, read once.
pub(super) struct Terms {
    postings: HashMap<String, Vec<Posting>>,
    lengths: Vec<usize>,
}

/// A text that has a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    /// The place of the text.
    pub(super) text: usize,
    /// How often it has the term.
    pub(super) times: usize,
    /// How many terms it has.
    pub(super) length: usize,
}

impl Terms {
    /// Reads texts that were cut into terms.
    pub(super) fn of(texts: impl IntoIterator<Item = Vec<String>>) -> Self {
        let mut postings: HashMap<String, Vec<Posting>> = HashMap::new();
        let mut lengths = Vec::new();
        for (text, terms) in texts.into_iter().enumerate() {
            let length = terms.len();
            lengths.push(length);
            for term in terms {
                let of_term = postings.entry(term).or_default();
                match of_term.last_mut() {
                    Some(last) if last.text == text => last.times += 1,
                    _ => of_term.push(Posting { text, times: 1, length }),
                }
            }
        }
        Self { postings, lengths }
    }

    /// How many texts there are.
    pub(super) fn texts(&self) -> usize {
        self.lengths.len()
    }

    /// The mean number of terms of a text; 0 without texts.
    pub(super) fn mean_length(&self) -> f64 {
        self.lengths.iter().sum::<usize>() as f64 / self.texts().max(1) as f64
    }

    /// The texts that have `term`, in order.
    pub(super) fn having(&self, term: &str) -> &[Posting] {
        self.postings.get(term).map_or(&[], Vec::as_slice)
    }
}

/// The saturating weight of a term that a text has `times`, as BM25 has it.
pub(super) fn saturated(times: f64, length: f64, mean_length: f64, k1: f64, b: f64) -> f64 {
    times * (k1 + 1.0) / (times + k1 * (1.0 - b + b * length / mean_length))
}

/// Returns the places with a score above 0, best first and equal ones in their order.
pub(super) fn best(scores: &[f64], max: usize) -> Vec<usize> {
    let mut places: Vec<(usize, f64)> =
        scores.iter().copied().enumerate().filter(|&(_, score)| score > 0.0).collect();
    places.sort_by(|(_, left), (_, right)| right.total_cmp(left));
    places.into_iter().take(max).map(|(place, _)| place).collect()
}

/// Adds to the score at `place`.
pub(super) fn add(scores: &mut [f64], place: usize, weight: f64) {
    if let Some(score) = scores.get_mut(place) {
        *score += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::{Posting, Terms, best, saturated};

    #[test]
    fn a_text_is_counted_once_for_each_of_its_terms() {
        let cut = |text: &str| text.split(' ').map(str::to_owned).collect();
        let terms = Terms::of([cut("a b a"), cut("b")]);
        assert_eq!(terms.having("a"), [Posting { text: 0, times: 2, length: 3 }]);
        assert_eq!(terms.having("b").len(), 2);
        assert_eq!(terms.having("c"), []);
        assert_eq!((terms.texts(), terms.mean_length()), (2, 2.0));
        assert_eq!(Terms::of([]).mean_length(), 0.0);
    }

    #[test]
    fn weights_saturate_and_long_texts_count_less() {
        // 2 · 2.5 / (2 + 1.5 · 1) at the mean length, and half that length: 5 / (2 + 1.5 · (0.25 + 0.375)).
        assert!((saturated(2.0, 4.0, 4.0, 1.5, 0.75) - 5.0 / 3.5).abs() < 1e-12);
        assert!((saturated(2.0, 2.0, 4.0, 1.5, 0.75) - 5.0 / 2.9375).abs() < 1e-12);
    }

    #[test]
    fn the_best_come_first_and_equals_keep_their_order() {
        assert_eq!(best(&[0.0, 1.0, 2.0, 1.0], 10), [2, 1, 3]);
        assert_eq!(best(&[0.0, 1.0, 2.0, 1.0], 2), [2, 1]);
    }
}
