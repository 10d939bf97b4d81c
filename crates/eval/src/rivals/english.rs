//! The crate `bm25` with its English analysis, as Codex and Ratel use it.

use std::hash::Hasher;

use bm25::{Document, Language, SearchEngineBuilder};
use fnv::FnvHasher;

use super::rival::Answers;

/// What becomes of equal scores, which the crate leaves in no order.
#[derive(Clone, Copy)]
pub(super) enum Ties {
    /// They keep the order of the texts.
    InOrder,
    /// Their order is drawn for each request; the same in every run.
    Drawn,
}

/// Answers with the places that stand beside `texts`.
pub(super) fn answers(texts: Vec<(usize, String)>, k1: f32, b: f32, ties: Ties) -> Answers {
    if texts.is_empty() {
        // The crate divides by the mean length.
        return Box::new(|_, _| Vec::new());
    }
    let (places, texts): (Vec<usize>, Vec<String>) = texts.into_iter().unzip();
    let documents: Vec<Document<usize>> =
        texts.into_iter().enumerate().map(|(at, text)| Document::new(at, text)).collect();
    let engine = SearchEngineBuilder::<usize>::with_documents(Language::English, documents)
        .k1(k1)
        .b(b)
        .build();
    Box::new(move |text, max| {
        let rank = |at: usize| match ties {
            Ties::InOrder => 0,
            Ties::Drawn => drawn(text, at),
        };
        let mut found: Vec<(usize, f32)> = engine
            .search(text, None)
            .into_iter()
            .map(|found| (found.document.id, found.score))
            .collect();
        found.sort_by(|(left, first), (right, second)| {
            let by_score = second.total_cmp(first);
            by_score.then_with(|| (rank(*left), left).cmp(&(rank(*right), right)))
        });
        found.iter().take(max).filter_map(|&(at, _)| places.get(at).copied()).collect()
    })
}

fn drawn(text: &str, at: usize) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.write_usize(at);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Ties, answers};

    #[test]
    fn equal_scores_keep_their_order_or_are_drawn_for_each_text() {
        let texts = || (0..8).map(|place| (place, "same text".to_owned())).collect();
        let kept = answers(texts(), 1.2, 0.75, Ties::InOrder);
        assert_eq!(kept("text", 10), [0, 1, 2, 3, 4, 5, 6, 7]);
        let (once, again) =
            (answers(texts(), 1.2, 0.75, Ties::Drawn), answers(texts(), 1.2, 0.75, Ties::Drawn));
        let firsts: Vec<usize> = (0..40).map(|at| once(&format!("text {at}"), 1)[0]).collect();
        // Of eight equal tools each should come first now and then.
        assert!((0..8).all(|place| firsts.contains(&place)), "{firsts:?}");
        assert_eq!(once("text 7", 10), again("text 7", 10));
    }
}
