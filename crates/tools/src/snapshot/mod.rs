//! One immutable version of a catalog. Lives as long as its last reader.

mod entry;
mod indexed;
mod lookup;

use std::collections::HashSet;
use std::sync::Arc;

use imbl::OrdMap;
use oncue_search::{Hit, Index, Vectors};

pub use entry::Entry;
use indexed::Indexed;
pub(crate) use lookup::Named;

use crate::catalog::Source;
use crate::limits::TOOLS_MAX;
use crate::names::Outline;
use crate::{CatalogError, Collision, Grants, Options, SetAside};

/// One immutable version of a [`Catalog`](crate::Catalog): its tools, the names by which they are called, and the index over them.
///
/// A reader holds one and sees nothing move.
/// Versions share everything that did not change between them: the next one costs the tools of the source that changed, and the logarithm of the number of all others.
#[derive(Debug)]
pub struct Snapshot {
    /// Counts the changes of the catalog since it was made.
    generation: u64,
    /// The sources by id; the program's own, the empty id, come first.
    sources: OrdMap<Arc<str>, Arc<Source>>,
    /// Every tool by the name by which it is called.
    names: OrdMap<Arc<str>, Arc<Entry>>,
    /// The inline tools in order, each with its place in its source.
    inline: Arc<[(u32, Arc<Entry>)]>,
    /// What search reads; its sources and positions are those of `sources`.
    index: Indexed,
    /// What the tools of sources mean, by id, where a model has told.
    vectors: OrdMap<Arc<str>, Arc<Vectors>>,
    /// What the catalog was made with.
    options: Arc<Options>,
}

impl Snapshot {
    pub(crate) fn empty(options: Arc<Options>) -> Self {
        Self {
            generation: 0,
            sources: OrdMap::new(),
            names: OrdMap::new(),
            inline: Arc::default(),
            index: Indexed::default(),
            vectors: OrdMap::new(),
            options,
        }
    }

    /// Returns the next version, in which `source` stands in the place of what its id had; a source without tools is gone.
    ///
    /// # Errors
    ///
    /// A tool would be called like one of another source, or there would be too many tools.
    pub(crate) fn replaced(&self, source: Source) -> Result<Self, CatalogError> {
        if let Some((_, fault)) = self.collisions(&source).into_iter().next() {
            return Err(fault.why);
        }
        let before = self.sources.get(&source.id);
        let tools_before = before.map_or(0, |before| before.entries.len());
        let count = self.len() - tools_before + source.entries.len();
        if count > TOOLS_MAX && count > self.len() {
            return Err(CatalogError::TooMany { count });
        }
        let mut names = self.names.clone();
        for entry in before.iter().flat_map(|before| &before.entries) {
            names.remove(entry.exposed());
        }
        for entry in &source.entries {
            names.insert(entry.exposed_shared(), Arc::clone(entry));
        }
        let id = Arc::clone(&source.id);
        let touches_inline =
            before.into_iter().map(|before| &**before).chain([&source]).any(Source::has_inline);
        let mut sources = self.sources.clone();
        if source.entries.is_empty() {
            sources.remove(&source.id);
        } else {
            sources.insert(Arc::clone(&source.id), Arc::new(source));
        }
        let mut vectors = self.vectors.clone();
        vectors.remove(&id);
        let index = self.index.changed(id, &sources, &vectors, self.options.indexing);
        let inline = if touches_inline { inline(&sources) } else { Arc::clone(&self.inline) };
        let (generation, options) = (self.generation + 1, Arc::clone(&self.options));
        Ok(Self { generation, sources, names, inline, index, vectors, options })
    }

    /// Returns the next version, in which `vectors` tell what the tools of `source` mean.
    pub(crate) fn with_vectors(&self, source: &Arc<str>, told: Arc<Vectors>) -> Self {
        let index = self.index.told(source, &told);
        let mut vectors = self.vectors.clone();
        vectors.insert(Arc::clone(source), told);
        Self {
            generation: self.generation + 1,
            sources: self.sources.clone(),
            names: self.names.clone(),
            inline: Arc::clone(&self.inline),
            index,
            vectors,
            options: Arc::clone(&self.options),
        }
    }

    /// Iterates over the sources of which no model has told what their tools mean.
    pub(crate) fn without_vectors(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.sources.values().filter(|source| !self.vectors.contains_key(&source.id))
    }

    /// Returns of how many tools a model has told what they mean.
    #[must_use]
    pub fn embedded(&self) -> usize {
        self.vectors.values().map(|vectors| vectors.len()).sum()
    }

    /// Returns `source` without the tools that would be called like one of another source, and these.
    pub(crate) fn without_collisions(&self, source: Source) -> (Source, Vec<SetAside>) {
        let collisions = self.collisions(&source);
        if collisions.is_empty() {
            return (source, Vec::new());
        }
        let names: HashSet<Arc<str>> =
            collisions.iter().map(|(name, _)| Arc::clone(name)).collect();
        let rest = source.retaining(|entry| !names.contains(entry.exposed()));
        (rest, collisions.into_iter().map(|(_, fault)| fault).collect())
    }

    fn collisions(&self, source: &Source) -> Vec<(Arc<str>, SetAside)> {
        let collision = |entry: &Arc<Entry>| {
            let other = self.names.get(entry.exposed())?;
            (other.source() != &*source.id).then(|| {
                let mut pair = [entry.identity().clone(), other.identity().clone()];
                pair.sort();
                let [left, right] = pair;
                let name = entry.exposed().to_owned();
                let why = CatalogError::Collision(Collision { name, left, right });
                (entry.exposed_shared(), SetAside { tool: entry.identity().clone(), why })
            })
        };
        source.entries.iter().filter_map(collision).collect()
    }

    /// Returns how many changes the catalog had seen when this version was made.
    #[must_use]
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns how many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Iterates over the tools: the program's own first, then source by source in the order of their ids, each in declared order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.sources.values().flat_map(|source| &source.entries)
    }

    /// Iterates over the inline tools, in the same order.
    pub fn inline(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.inline.iter().map(|(_, entry)| entry)
    }

    /// Iterates over the tools whose names may be near to `name`.
    pub(crate) fn alike(&self, name: &str) -> impl Iterator<Item = &Arc<Entry>> {
        let outline = Outline::of(name);
        self.sources.values().flat_map(move |source| source.alike(outline))
    }

    /// Iterates over the ids of the sources in order; the program itself has the empty id.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(|id| &**id)
    }

    /// Returns the tools of a source in declared order.
    #[must_use]
    pub fn tools_of(&self, source: &str) -> &[Arc<Entry>] {
        self.sources.get(source).map_or(&[], |source| source.entries.as_slice())
    }

    /// Returns the tool `name` of `source`, by its exact name there.
    #[must_use]
    pub fn tool(&self, source: &str, name: &str) -> Option<&Arc<Entry>> {
        self.sources.get(source)?.named(name)
    }

    /// Returns the search tool, if the program has registered one.
    #[must_use]
    pub fn search_tool(&self) -> Option<&Arc<Entry>> {
        self.sources.get("")?.search_tool()
    }

    /// Returns the searchable form of this version, which is made now where the options say so and nobody has asked for it yet.
    #[must_use]
    pub fn index(&self) -> &Index {
        self.index.get(&self.sources, &self.vectors)
    }

    /// Returns the tool that a hit of [`Snapshot::index`] stands for.
    #[must_use]
    pub fn entry_of(&self, hit: &Hit<'_>) -> Option<&Arc<Entry>> {
        self.tools_of(hit.source).get(hit.position as usize)
    }

    /// Returns what the catalog was made with.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Checks that whoever holds `grants` can reach every discoverable tool that they admit.
    ///
    /// # Errors
    ///
    /// There are such tools, but no search tool, or none that the grants admit.
    pub fn check(&self, grants: &Grants) -> Result<(), CatalogError> {
        let may_see = |entry: &&Arc<Entry>| grants.may_see(entry.source(), entry.row());
        if self.search_tool().is_some_and(|tool| may_see(&tool)) {
            return Ok(());
        }
        let hidden = |entry: &&Arc<Entry>| !entry.row().is_inline() && may_see(entry);
        let Some(example) = self.iter().find(hidden) else { return Ok(()) };
        let example = example.identity().clone();
        let discoverable = self.iter().filter(hidden).count();
        Err(match self.search_tool() {
            None => CatalogError::NoSearchTool { discoverable, example },
            Some(tool) => {
                let search_tool = tool.identity().clone();
                CatalogError::SearchToolNotGranted { search_tool, discoverable, example }
            }
        })
    }

    pub(crate) fn source(&self, id: &str) -> Option<&Arc<Source>> {
        self.sources.get(id)
    }

    /// Returns the tools of every source that are called exactly `name` there.
    pub(crate) fn namesakes<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Arc<Entry>> {
        self.sources.values().filter_map(move |source| source.named(name))
    }

    pub(crate) fn exposed(&self, name: &str) -> Option<&Arc<Entry>> {
        self.names.get(name)
    }
}

fn inline(sources: &OrdMap<Arc<str>, Arc<Source>>) -> Arc<[(u32, Arc<Entry>)]> {
    let inline = sources.values().flat_map(|source| source.inline());
    inline.map(|(at, entry)| (at, Arc::clone(entry))).collect()
}
