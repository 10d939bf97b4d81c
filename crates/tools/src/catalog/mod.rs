//! The tools of an agent. Lives as long as the agent; shared by all its turns, threads and clients.

mod embed;
mod error;
mod source;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use oncue_search::rank::Hybrid;
use oncue_search::{Ranker, Vectors};

pub use embed::{NoStore, VectorStore, vectors_of};
pub use error::{CatalogError, SetAside};
pub(crate) use source::Source;

use crate::{Embedder, Entry, Grants, NameRules, Snapshot, Tool, Tuning};

/// What a catalog is made with; the same for its whole life.
pub struct Options {
    /// Orders what a search finds.
    pub ranker: Arc<dyn Ranker>,
    /// Makes the names by which models call tools.
    pub names: NameRules,
    /// Whether names are looked up without `functions.` in front, as some models send them.
    pub strip_functions_prefix: bool,
    /// When a change is made searchable.
    pub indexing: Indexing,
    /// Tells what tools and queries mean, so that a search also finds what shares no word with it; see [`Catalog::embed`].
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What requests have taught of tools, by the same model.
    pub tuning: Option<Arc<Tuning>>,
}

/// When a change of a catalog is made searchable. Either way a search finds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Indexing {
    /// With the change, so that no search waits for it.
    #[default]
    WithChange,
    /// With the first search after it, so that many changes in a row cost as much as one.
    ///
    /// [`Snapshot::index`] does it ahead of the search, on whichever thread.
    WithSearch,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ranker: Arc::new(Hybrid::default()),
            names: NameRules::DEFAULT,
            strip_functions_prefix: false,
            indexing: Indexing::default(),
            embedder: None,
            tuning: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("ranker", &self.ranker.name())
            .field("names", &self.names)
            .field("strip_functions_prefix", &self.strip_functions_prefix)
            .field("indexing", &self.indexing)
            .field("embedder", &self.embedder.as_ref().map(|embedder| embedder.model()))
            .field("tuning", &self.tuning.as_ref().map(|tuning| tuning.lessons().count()))
            .finish()
    }
}

/// The tools of an agent, from which every turn reads.
///
/// It is shared by reference (or in an [`Arc`]) and never copied.
/// Readers take a [`Snapshot`], without a lock and whatever writers do; writers wait for each other and publish a whole new version each.
/// A source is changed in one step: no reader sees half of it.
///
/// # Costs
///
/// A change costs the tools of the source that changed: their names and, unless [`Options::indexing`] leaves that to the next search, their part of the index.
/// The tools of the other sources cost nothing, apart from the logarithm of their number.
/// [`Catalog::register`] counts as a change of all the program's own tools, so many of them are better registered with one [`Catalog::register_all`].
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use oncue_tools::{Catalog, ToolSearch};
///
/// let catalog = Catalog::new();
/// catalog.register(Arc::new(ToolSearch::new()))?;
/// assert_eq!(catalog.find_all().len(), 1);
/// assert!(catalog.register(Arc::new(ToolSearch::new())).is_err());
/// # Ok::<(), oncue_tools::CatalogError>(())
/// ```
pub struct Catalog {
    /// The version that the next reader gets.
    current: ArcSwap<Snapshot>,
    /// Held while a writer makes the next version.
    writer: Mutex<()>,
}

impl Catalog {
    /// An empty catalog with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(Options::default())
    }

    /// An empty catalog with these options.
    #[must_use]
    pub fn with_options(options: Options) -> Self {
        let empty = Snapshot::empty(Arc::new(options));
        Self { current: ArcSwap::from_pointee(empty), writer: Mutex::new(()) }
    }

    /// Adds a tool of the program itself, behind those that it has.
    ///
    /// # Errors
    ///
    /// The name is taken, or the search tool is not inline or not the only one; the catalog is as before.
    pub fn register(&self, tool: Arc<dyn Tool>) -> Result<(), CatalogError> {
        self.register_all(vec![tool])
    }

    /// Adds tools of the program itself, behind those that it has, in one step.
    ///
    /// # Errors
    ///
    /// As for [`Catalog::register`]; then none of them is added.
    pub fn register_all(&self, tools: Vec<Arc<dyn Tool>>) -> Result<(), CatalogError> {
        self.change(|before| {
            let own = match before.source("") {
                Some(own) => own.with(tools, before.options().names)?,
                None => strict(Source::new("", tools, before.options().names)?)?,
            };
            Ok((Some(before.replaced(own)?), ()))
        })
    }

    /// Puts `tools` in the place of all that `source` had, in one step.
    ///
    /// # Errors
    ///
    /// A tool cannot be taken; the catalog is as before.
    pub fn replace(&self, source: &str, tools: Vec<Arc<dyn Tool>>) -> Result<(), CatalogError> {
        self.change(|before| {
            let source = strict(Source::new(source, tools, before.options().names)?)?;
            Ok((Some(before.replaced(source)?), ()))
        })
    }

    /// Puts those of `tools` that can be taken in the place of all that `source` had, in one step, and returns the others with the reason.
    ///
    /// This is for lists from outside, where one bad tool must not cost its siblings.
    /// Of two tools of one name the first is taken.
    ///
    /// # Errors
    ///
    /// There are too many tools; the catalog is as before.
    pub fn replace_healthy(
        &self,
        source: &str,
        tools: Vec<Arc<dyn Tool>>,
    ) -> Result<Vec<SetAside>, CatalogError> {
        self.change(|before| {
            let (source, mut set_aside) = Source::new(source, tools, before.options().names)?;
            let (source, colliding) = before.without_collisions(source);
            set_aside.extend(colliding);
            Ok((Some(before.replaced(source)?), set_aside))
        })
    }

    /// Removes the tool `name` of `source`, by its exact name there, and says whether there was one.
    pub fn remove(&self, source: &str, name: &str) -> bool {
        self.shrink(|before| {
            let source = before.source(source)?;
            source.named(name)?;
            Some(source.retaining(|entry| entry.identity().name() != name))
        })
    }

    /// Removes all tools of `source`, and says whether there were any.
    pub fn remove_source(&self, source: &str) -> bool {
        self.shrink(|before| Some(before.source(source)?.retaining(|_| false)))
    }

    /// Returns the current version; it takes no lock.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Returns at most `max` discoverable tools that fit `text`, best first; nothing is activated.
    #[must_use]
    pub fn search(&self, text: &str, max: usize) -> Vec<Arc<Entry>> {
        self.snapshot().search(text, max)
    }

    /// Returns the discoverable tools of exactly these names, in their order; nothing is activated.
    #[must_use]
    pub fn select<N: AsRef<str>>(&self, names: &[N]) -> Vec<Arc<Entry>> {
        self.snapshot().select(names)
    }

    /// Returns at most `max` discoverable tools whose name contains `required`, ordered by how well they fit `ranking`; nothing is activated.
    #[must_use]
    pub fn search_by_required(&self, required: &str, ranking: &str, max: usize) -> Vec<Arc<Entry>> {
        self.snapshot().search_by_required(required, ranking, max)
    }

    /// Returns the inline tools, in the order in which models see them.
    #[must_use]
    pub fn find_all(&self) -> Vec<Arc<Entry>> {
        self.snapshot().find_all()
    }

    /// Returns the tool that is called `name`, inline or not.
    #[must_use]
    pub fn find_by_name(&self, name: &str) -> Option<Arc<Entry>> {
        self.snapshot().find_by_name(name)
    }

    /// Checks that whoever holds `grants` can reach every discoverable tool that they admit; to be called before a turn is built.
    ///
    /// # Errors
    ///
    /// There are such tools, but no search tool, or none that the grants admit.
    pub fn check(&self, grants: &Grants) -> Result<(), CatalogError> {
        self.snapshot().check(grants)
    }

    /// Takes what the tools of `source` mean, in their order, unless they have changed since `of` was read; says whether it was taken.
    pub(crate) fn learn(&self, of: &Arc<Source>, vectors: Arc<Vectors>) -> bool {
        let learnt = self.change(|before| {
            let stands = before.source(&of.id).is_some_and(|now| Arc::ptr_eq(now, of));
            let next = stands.then(|| before.with_vectors(&of.id, vectors));
            Ok((next, stands))
        });
        // Nothing refuses this.
        learnt.unwrap_or(false)
    }

    fn change<T>(
        &self,
        next: impl FnOnce(&Snapshot) -> Result<(Option<Snapshot>, T), CatalogError>,
    ) -> Result<T, CatalogError> {
        // A writer that panicked has published nothing, so what it left behind is whole.
        let _writing = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let (snapshot, told) = next(&self.snapshot())?;
        if let Some(snapshot) = snapshot {
            self.current.store(Arc::new(snapshot));
        }
        Ok(told)
    }

    /// A change that only takes away.
    fn shrink(&self, rest: impl FnOnce(&Snapshot) -> Option<Source>) -> bool {
        let shrunk = self.change(|before| match rest(before) {
            Some(rest) => Ok((Some(before.replaced(rest)?), true)),
            None => Ok((None, false)),
        });
        // What stood beside each other still does when some of it is gone, so no rule refuses this.
        shrunk.unwrap_or(false)
    }
}

impl Default for Catalog {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog")
            .field("generation", &self.snapshot().generation())
            .field("tools", &self.snapshot().len())
            .finish_non_exhaustive()
    }
}

fn strict((source, set_aside): (Source, Vec<SetAside>)) -> Result<Source, CatalogError> {
    match set_aside.into_iter().next() {
        None => Ok(source),
        Some(fault) => Err(fault.why),
    }
}
