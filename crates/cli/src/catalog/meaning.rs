//! What the tools of a command's catalog mean.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use indicatif::ProgressBar;
use oncue_embed::SentenceEncoder;
use oncue_search::Index;
use oncue_tools::{Tuning, VectorStore, vectors_of};

use super::Catalog;
use crate::models;
use crate::progress::bar;

/// Work shorter than this is not worth a bar.
const BAR_DELAY: Duration = Duration::from_millis(400);

impl Catalog {
    /// Returns the catalog with what its tools mean, as `encoder` tells and requests have taught; what it has told before is remembered.
    pub(crate) fn with_meaning(self, encoder: &SentenceEncoder, tuning: Option<&Tuning>) -> Self {
        let store = models::kept();
        let total = self.index.len();
        let begun = std::time::Instant::now();
        let mut drawn: Option<ProgressBar> = None;
        let mut done = 0;
        let mut index: Index = self.index.clone();
        for (source, documents) in self.index.sources() {
            let mut told = |tools: usize| {
                if begun.elapsed() > BAR_DELAY {
                    drawn
                        .get_or_insert_with(|| bar("meaning of tools", total))
                        .set_position((done + tools) as u64);
                }
            };
            // A model in this process answers at once.
            let vectors = vectors_of(encoder, &store, documents, &mut told).now_or_never();
            if let Some(Ok((vectors, _))) = vectors {
                let vectors = match tuning {
                    Some(tuning) => tuning.leaning(source, documents, vectors),
                    None => vectors,
                };
                index = index.with_vectors(source, &Arc::new(vectors));
            }
            done += documents.len();
        }
        store.flush();
        if let Some(bar) = drawn {
            bar.finish_and_clear();
        }
        Self { index, ..self }
    }
}
