//! The founding keyword score, without the rule for names that are spelled out.

use std::sync::Arc;

use oncue_search::rank::Keyword;
use oncue_search::{Admit, Document, Index, Ranker, Settings};

use super::rival::Answers;
use crate::retrieval::LabelledTool;

pub(super) fn index(tools: &[LabelledTool]) -> Answers {
    // One source for all, so that equal scores keep the order of the catalog, as far as the ranker keeps any.
    let documents: Vec<Arc<Document>> =
        tools.iter().map(|tool| Arc::clone(&tool.document)).collect();
    let index = Index::new(Settings::default()).replaced("", documents);
    Box::new(move |text, max| {
        let candidates = index.candidates(Admit::All);
        let hits = Keyword.rank(text.into(), &candidates, max);
        hits.iter().filter_map(|hit| usize::try_from(hit.position).ok()).collect()
    })
}
