//! What one step sees of a catalog. Lives one step; borrows the catalog, the activation and the grants, and has nothing of its own but what it has asked the grants already.

mod open;
mod toolset;
mod unresolved;

use std::sync::{Arc, OnceLock};

use oncue_decl::Tier;
use oncue_search::{Admission, Admit, Candidates, Meaning, Query, search};

pub use open::{Found, OpenTools};
pub use toolset::{PlainTools, ToolSet};
pub use unresolved::{Unresolved, UnresolvedKind};

use crate::limits::NEAR_BY_RANK_MAX;
use crate::{Activation, Catalog, Entry, Grants, Identity, Snapshot, meaning, near};

/// A read-only view over a catalog, an activation and grants, for one step.
///
/// It pins a version of the catalog, so nothing moves while the step runs; [`Registry::step`] gives the view of the next step, which sees what was registered meanwhile.
/// What a search activates is visible through it at once.
///
/// There is no way to write through it:
///
// founding: A15
/// ```compile_fail,E0599
/// use oncue_tools::{Activation, Catalog, Grants, Registry};
///
/// let (catalog, activation, grants) = (Catalog::new(), Activation::turn(), Grants::all());
/// Registry::new(&catalog, &activation, &grants).remove("", "read_file");
/// ```
///
/// nor to activate by hand:
///
/// ```compile_fail,E0624
/// oncue_tools::Activation::turn().activate(&[]);
/// ```
///
/// # Examples
///
/// ```
/// use oncue_tools::{Activation, Catalog, Grants, Registry, ToolSet};
///
/// let (catalog, activation, grants) = (Catalog::new(), Activation::turn(), Grants::all());
/// let registry = Registry::new(&catalog, &activation, &grants);
/// let error = registry.resolve("startExport").unwrap_err();
/// assert_eq!(error.to_string(), "Tool 'startExport' not in active set.");
/// ```
#[derive(Clone, Debug)]
pub struct Registry<'a> {
    catalog: &'a Catalog,
    activation: &'a Activation,
    grants: &'a Grants,
    /// The version that the step reads.
    pinned: Arc<Snapshot>,
    /// What the grants admit of that version, from the first search on; later steps that read the same version share it.
    admission: Arc<OnceLock<Admission>>,
}

impl<'a> Registry<'a> {
    /// A view for a step that begins now.
    #[must_use]
    pub fn new(catalog: &'a Catalog, activation: &'a Activation, grants: &'a Grants) -> Self {
        Self { catalog, activation, grants, pinned: catalog.snapshot(), admission: Arc::default() }
    }

    /// Returns the view for the next step, which begins now.
    ///
    /// Where the catalog stands still, it knows already which tools the grants admit.
    #[must_use]
    pub fn step(&self) -> Self {
        let next = Self::new(self.catalog, self.activation, self.grants);
        if Arc::ptr_eq(&next.pinned, &self.pinned) { self.clone() } else { next }
    }

    /// Returns the version of the catalog that the step reads.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.pinned
    }

    /// Returns what is active.
    #[must_use]
    pub const fn activation(&self) -> &'a Activation {
        self.activation
    }

    /// Returns what the caller may do.
    #[must_use]
    pub const fn grants(&self) -> &'a Grants {
        self.grants
    }

    /// Returns the search tool, if there is one that the caller may call.
    #[must_use]
    pub fn search_tool(&self) -> Option<&Arc<Entry>> {
        self.pinned.search_tool().filter(|tool| self.admits(tool))
    }

    /// Says whether a call of `name` means the search tool.
    pub(crate) fn is_search_tool(&self, name: &str) -> bool {
        let name = self.pinned.normalised(name);
        self.search_tool().is_some_and(|tool| tool.exposed() == name)
    }

    /// Iterates over the tools that the caller may find, active or not, in the order of the catalog.
    pub fn discoverable(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.pinned.iter().filter(|entry| !entry.row().is_inline() && self.admits(entry))
    }

    /// Returns the tool, if the caller may find it.
    #[must_use]
    pub fn discoverable_tool(&self, tool: &Identity) -> Option<&Arc<Entry>> {
        let entry = self.pinned.tool(tool.source(), tool.name())?;
        (!entry.row().is_inline() && self.admits(entry)).then_some(entry)
    }

    pub(crate) fn admits(&self, entry: &Entry) -> bool {
        self.grants.may_see(entry.source(), entry.row())
    }

    /// Returns the tools that the caller may see.
    pub(crate) fn candidates(&self) -> Candidates<'_> {
        self.admission.get_or_init(|| self.admitted().admission()).candidates()
    }

    /// Returns what `query` means, where a model tells and tools have vectors to hold against it.
    ///
    /// Where the model is away there is no meaning, and the query is ranked by its words.
    pub async fn meaning(&self, query: &str) -> Option<Meaning> {
        let embedder =
            self.pinned.options().embedder.as_ref().filter(|_| self.pinned.embedded() > 0)?;
        let text = match Query::parse(query) {
            Query::Keyword(text) | Query::Required { ranking: text, .. } => text,
            Query::Select(_) => return None,
        };
        if text.is_empty() {
            return None;
        }
        meaning(&**embedder, &text).await.ok()
    }

    /// Asks the grants, with a look at the tools of those sources alone whose tools they tell apart.
    fn admitted(&self) -> Candidates<'_> {
        self.pinned.index().candidates(Admit::Shares {
            share: &|source| self.grants.share(source),
            says: &|source, tool| self.grants.may_see(source, &tool.row),
        })
    }

    /// Returns the names nearest to `name` among the tools that the caller may see: those spelled alike or, where there are none, those whose tools fit the words of the name.
    pub(crate) fn near(&self, name: &str) -> Vec<Arc<str>> {
        let alike = self.pinned.alike(name).filter(|entry| self.admits(entry));
        let near = near(name, alike.map(|entry| (entry.exposed_shared(), entry.names())));
        if !near.is_empty() {
            return near;
        }
        let ranker = &*self.pinned.options().ranker;
        let hits = search(name, &self.candidates(), ranker, NEAR_BY_RANK_MAX + 1);
        let hits = self.pinned.entries(&hits).into_iter();
        let able = hits.filter(|entry| entry.row().tier() != Tier::Loop);
        able.take(NEAR_BY_RANK_MAX).map(|entry| entry.exposed_shared()).collect()
    }

    /// Returns the tool whose exposed name is exactly `name`, where a search may find it.
    pub(crate) fn named_so(&self, name: &str) -> Option<&Arc<Entry>> {
        let entry = self.pinned.exposed(self.pinned.normalised(name))?;
        (entry.row().tier() != Tier::Loop && self.admits(entry)).then_some(entry)
    }

    fn inline(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.pinned.inline().filter(|entry| self.admits(entry))
    }

    fn unresolved(&self, name: &str) -> Unresolved {
        let exists = self.pinned.exposed(name).is_some_and(|entry| self.admits(entry));
        let was_active = self.activation.list().iter().any(|known| *known.exposed == *name);
        let abilities = self.inline().filter(|entry| entry.row().tier() != Tier::Loop);
        Unresolved {
            name: name.to_owned(),
            kind: match was_active {
                true => UnresolvedKind::NoLongerOffered,
                false if exists && self.activation.has_forgotten(name) => UnresolvedKind::Forgotten,
                false => UnresolvedKind::NotActive,
            },
            search_tool: self.search_tool().map(|tool| tool.exposed_shared()),
            callable: abilities.map(|entry| entry.exposed_shared()).collect(),
            near: if exists { Vec::new() } else { self.near(name) },
        }
    }
}

impl ToolSet for Registry<'_> {
    /// Returns the inline tools in declared order, then the active ones in the order in which they were found.
    ///
    /// While the catalog stands still the list only grows at its end, so that what a model vendor has cached of it stays good.
    fn visible(&self) -> Vec<Arc<Entry>> {
        let active = self.activation.list();
        let found = active
            .iter()
            .filter_map(|known| self.pinned.tool(known.tool.source(), known.tool.name()))
            .filter(|entry| !entry.row().is_inline() && self.admits(entry));
        self.inline().chain(found).cloned().collect()
    }

    /// Returns the tool that a call of `name` means, from the pinned version, given what is active now.
    fn resolve(&self, name: &str) -> Result<Arc<Entry>, Unresolved> {
        let name = self.pinned.normalised(name);
        let callable = |entry: &&Arc<Entry>| {
            self.admits(entry)
                && (entry.row().is_inline() || self.activation.is_active(entry.identity()))
        };
        match self.pinned.exposed(name).filter(callable) {
            Some(entry) => Ok(Arc::clone(entry)),
            None => Err(self.unresolved(name)),
        }
    }

    fn grants(&self) -> &Grants {
        self.grants
    }

    fn registry(&self) -> Option<&Registry<'_>> {
        Some(self)
    }
}
