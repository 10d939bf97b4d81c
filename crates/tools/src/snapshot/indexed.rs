//! The searchable form of a snapshot, made with it or when it is first asked for. Lives as long as the snapshot.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use imbl::OrdMap;
use oncue_search::{Document, Index, Settings, Vectors};

use crate::Indexing;
use crate::catalog::Source;

/// The sources of a snapshot by id.
type Sources = OrdMap<Arc<str>, Arc<Source>>;

/// What the tools of sources mean, by id.
type Told = OrdMap<Arc<str>, Arc<Vectors>>;

/// An index, or what it will be made of.
#[derive(Debug, Default)]
pub(super) struct Indexed {
    /// The last index that was made, of this version or of an earlier one.
    base: Index,
    /// The sources that have changed since.
    changed: BTreeSet<Arc<str>>,
    /// The index of this version.
    made: OnceLock<Index>,
}

impl Indexed {
    /// Returns that of the next version, in which `id` has changed; `sources` are those of the next version.
    pub(super) fn changed(
        &self,
        id: Arc<str>,
        sources: &Sources,
        told: &Told,
        indexing: Indexing,
    ) -> Self {
        let (base, mut changed) = match self.made.get() {
            Some(made) => (made.clone(), BTreeSet::new()),
            None => (self.base.clone(), self.changed.clone()),
        };
        changed.insert(id);
        let next = Self { base, changed, made: OnceLock::new() };
        match indexing {
            // What it was made of is not kept.
            Indexing::WithChange => {
                Self { made: OnceLock::from(next.make(sources, told)), ..Self::default() }
            }
            Indexing::WithSearch => next,
        }
    }

    /// Returns that of the next version, in which a model has told what the tools of `source` mean.
    pub(super) fn told(&self, source: &str, vectors: &Arc<Vectors>) -> Self {
        let made = self.made.get().map(|made| made.with_vectors(source, vectors));
        Self {
            base: self.base.with_vectors(source, vectors),
            changed: self.changed.clone(),
            made: made.map_or_else(OnceLock::new, OnceLock::from),
        }
    }

    /// Returns the index.
    pub(super) fn get(&self, sources: &Sources, told: &Told) -> &Index {
        self.made.get_or_init(|| self.make(sources, told))
    }

    /// What was told of a source while it waited to be made searchable is added with it.
    fn make(&self, sources: &Sources, told: &Told) -> Index {
        let index = self.made_of_words(sources);
        let told = self.changed.iter().filter_map(|id| Some((id, told.get(id)?)));
        told.fold(index, |index, (id, vectors)| index.with_vectors(id, vectors))
    }

    fn made_of_words(&self, sources: &Sources) -> Index {
        let documents = |id: &Arc<str>| -> Vec<Arc<Document>> {
            sources.get(id).map(|source| source.documents()).unwrap_or_default()
        };
        // Many at once are quicker than one after another.
        if self.base.is_empty() && self.changed.len() > 1 {
            let all = self.changed.iter().map(|id| (Arc::clone(id), documents(id)));
            return Index::build(Settings::default(), all);
        }
        let next = |index: Index, id: &Arc<str>| index.replaced(id, documents(id));
        self.changed.iter().fold(self.base.clone(), next)
    }
}
