//! The founding score, kept exactly: the oracle for every other ranker.

use super::{Hit, Ranker};
use crate::{Candidates, Document, Explanation};

/// The founding keyword score.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keyword;

impl Ranker for Keyword {
    fn name(&self) -> &'static str {
        "keyword"
    }

    fn rank<'a>(&self, text: &str, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        let text = text.to_lowercase().replace(['_', '-'], " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut hits: Vec<Hit<'a>> = candidates
            .iter()
            .map(|mut hit| {
                let share = |field: &str| {
                    let field = field.to_lowercase().replace(['_', '-'], " ");
                    words.iter().filter(|word| field.contains(*word)).count() as f32
                        / words.len().max(1) as f32
                };
                hit.score = 0.5 * share(hit.document.row.name())
                    + 0.35 * share(hit.document.row.description());
                hit
            })
            .filter(|hit| hit.score > 0.0)
            .collect();
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        hits.truncate(max);
        hits
    }

    fn explain(
        &self,
        _text: &str,
        _candidates: &Candidates<'_>,
        _document: &Document,
    ) -> Explanation {
        Explanation::default()
    }
}
