//! Tools that need not be found before they are called: what may be seen may be called.

use std::sync::{Arc, LazyLock};

use oncue_search::limits::QUERY_BYTES_MAX;
use oncue_search::{Asked, Meaning};

use super::{Registry, ToolSet, Unresolved};
use crate::search_tool::find::find;
use crate::{Activation, Catalog, Entry, Grants};

/// The tools of a catalog that a caller may see, every one of them callable by its name.
///
/// This is for those who keep no turns, such as a gateway: there a search tells what there is and makes nothing callable.
/// It lives as long as one request, and pins a version of the catalog.
///
/// ```
/// use std::sync::Arc;
///
/// use oncue_decl::Row;
/// use oncue_tools::{Catalog, Grants, NoArguments, OpenTools, ToolSet, tool};
///
/// let catalog = Catalog::new();
/// let row = Row::discoverable("startExport", "Writes a table to a file").with_keywords(["csv"]);
/// catalog.register(Arc::new(tool(row, async |_, _: NoArguments| Ok("rows.csv"))))?;
///
/// let grants = Grants::all();
/// let tools = OpenTools::new(&catalog, &grants);
/// assert_eq!(tools.find("csv", 5).tools[0].exposed(), "startExport");
/// assert!(tools.resolve("startExport").is_ok());
/// assert_eq!(tools.resolve("startExprot").unwrap_err().near().next(), Some("startExport"));
/// # Ok::<(), oncue_tools::CatalogError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenTools<'a> {
    registry: Registry<'a>,
}

/// What a search tells.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The tools that fit, best first or as selected.
    pub tools: Vec<Arc<Entry>>,
    /// Names that nearly fit, or that one selected name could mean.
    pub near: Vec<Arc<str>>,
    /// The first selected name that several tools have.
    pub ambiguous: Option<String>,
}

/// Nothing is ever activated here.
static NOTHING: LazyLock<Activation> = LazyLock::new(Activation::turn);

impl<'a> OpenTools<'a> {
    /// The tools of `catalog` as they are now, for the holder of `grants`.
    #[must_use]
    pub fn new(catalog: &'a Catalog, grants: &'a Grants) -> Self {
        Self { registry: Registry::new(catalog, &NOTHING, grants) }
    }

    /// Returns what `query` means, to be asked together with it; see [`Registry::meaning`].
    pub async fn meaning(&self, query: &str) -> Option<Meaning> {
        self.registry.meaning(query).await
    }

    /// Returns at most `max` tools that fit a query; what is longer than a query may be is cut off.
    #[must_use]
    pub fn find<'q>(&self, asked: impl Into<Asked<'q>>, max: usize) -> Found {
        let Asked { text, meaning, .. } = asked.into();
        let text = text.get(..text.floor_char_boundary(QUERY_BYTES_MAX)).unwrap_or_default();
        let findings = find(&self.registry, Asked::from(text).meaning(meaning), max);
        Found { tools: findings.found, near: findings.near, ambiguous: findings.ambiguous }
    }

    /// Iterates over all tools that the caller may see, in the order of the catalog.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.registry.pinned.iter().filter(|entry| self.registry.admits(entry))
    }
}

impl ToolSet for OpenTools<'_> {
    fn visible(&self) -> Vec<Arc<Entry>> {
        self.all().cloned().collect()
    }

    fn resolve(&self, name: &str) -> Result<Arc<Entry>, Unresolved> {
        let name = self.registry.pinned.normalised(name);
        let entry = self.registry.pinned.exposed(name);
        match entry.filter(|entry| self.registry.admits(entry)) {
            Some(entry) => Ok(Arc::clone(entry)),
            None => Err(self.registry.unresolved(name)),
        }
    }

    fn grants(&self) -> &Grants {
        self.registry.grants
    }
}
