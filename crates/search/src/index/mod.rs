//! The searchable form of a catalog.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Admit, Candidates, Document};

/// How texts are weighed when an index is built.
#[derive(Clone, Debug, Default)]
pub struct Settings {}

/// One immutable version of everything searchable, grouped by source.
///
/// A source is an upstream, or the program itself. Replacing a source makes a new version and leaves the others' work untouched; readers of an older version see nothing move.
#[derive(Clone, Debug, Default)]
pub struct Index {
    sources: BTreeMap<Arc<str>, Arc<[Arc<Document>]>>,
}

impl Index {
    /// An empty index.
    #[must_use]
    pub fn new(_settings: Settings) -> Self {
        Self::default()
    }

    /// Returns the next version, in which `source` holds `documents` and nothing else; with no documents the source is gone.
    #[must_use]
    pub fn replaced(&self, source: &str, documents: Vec<Arc<Document>>) -> Self {
        let mut sources = self.sources.clone();
        if documents.is_empty() {
            sources.remove(source);
        } else {
            sources.insert(source.into(), documents.into());
        }
        Self { sources }
    }

    /// Returns how many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sources.values().map(|documents| documents.len()).sum()
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Iterates over the sources in the order of their ids.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &[Arc<Document>])> {
        self.sources.iter().map(|(id, documents)| (&**id, &**documents))
    }

    /// Returns the tools that a ranker may see.
    #[must_use]
    pub fn candidates(&self, admit: Admit<'_>) -> Candidates<'_> {
        Candidates::new(self, admit)
    }
}
