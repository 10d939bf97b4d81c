//! What the tools of a command's catalog mean.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use indicatif::{ProgressBar, ProgressStyle};
use oncue_embed::{KeptVectors, SentenceEncoder};
use oncue_search::Index;
use oncue_tools::{VectorStore, vectors_of};

use super::Catalog;
use crate::models;

/// Work shorter than this is not worth a bar.
const BAR_DELAY: Duration = Duration::from_millis(400);

impl Catalog {
    /// Returns the catalog with what its tools mean, as `encoder` tells; what it has told before is remembered.
    pub(crate) fn with_meaning(self, encoder: &SentenceEncoder) -> Self {
        // Without a folder for state nothing is remembered.
        let kept = models::models().map(|models| models.folder().join(models::VECTORS_FILE));
        let store = KeptVectors::open(kept.unwrap_or_default());
        let total = self.index.len();
        let begun = std::time::Instant::now();
        let mut bar: Option<ProgressBar> = None;
        let mut done = 0;
        let mut index: Index = self.index.clone();
        for (source, documents) in self.index.sources() {
            let mut told = |tools: usize| {
                if begun.elapsed() > BAR_DELAY {
                    bar.get_or_insert_with(|| drawn(total)).set_position((done + tools) as u64);
                }
            };
            // A model in this process answers at once.
            let vectors = vectors_of(encoder, &store, documents, &mut told).now_or_never();
            if let Some(Ok((vectors, _))) = vectors {
                index = index.with_vectors(source, &Arc::new(vectors));
            }
            done += documents.len();
        }
        store.flush();
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        Self { index, ..self }
    }
}

/// A bar that draws on standard error, and nothing where that is no terminal.
fn drawn(total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64).with_message("meaning of tools");
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
        bar.set_style(style);
    }
    bar
}
