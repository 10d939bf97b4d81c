//! The crate `bm25` with its English analysis, as Codex and Ratel use it.

use bm25::{Document, Language, SearchEngineBuilder};

use super::rival::Answers;

/// Answers with the places that stand beside `texts`; equal scores keep the order of `texts`.
pub(super) fn answers(texts: Vec<(usize, String)>, k1: f32, b: f32) -> Answers {
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
        // The crate's own cut is among equals in no order.
        let mut found: Vec<(usize, f32)> = engine
            .search(text, None)
            .into_iter()
            .map(|found| (found.document.id, found.score))
            .collect();
        found.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        found.iter().take(max).filter_map(|&(at, _)| places.get(at).copied()).collect()
    })
}
