//! What a step needs of its tools, whether they can be searched or not.

use std::collections::HashMap;
use std::sync::Arc;

use crate::{Entry, Grants, Registry, Tool, Unresolved, UnresolvedKind, near};

/// The tools of a step.
///
/// A [`Registry`] has tools that are hidden until they are found; [`PlainTools`] has none.
/// Whatever runs steps takes either, and an assembly with a plain list sees nothing of searching.
pub trait ToolSet: Send + Sync {
    /// Returns the tools that the model sees, in order.
    fn visible(&self) -> Vec<Arc<Entry>>;

    /// Returns the tool that a call of `name` means.
    ///
    /// # Errors
    ///
    /// No tool of this name may be called now; the error tells the model what to do.
    fn resolve(&self, name: &str) -> Result<Arc<Entry>, Unresolved>;

    /// Returns what the caller may do; every call of the step is decided by it.
    fn grants(&self) -> &Grants;

    /// Returns what the context of a call carries for the search tool; nothing where there is no search.
    fn registry(&self) -> Option<&Registry<'_>> {
        None
    }
}

/// A list of tools without search: every tool is visible, under its own name, in the given order.
///
/// It lives as long as the agent that is given it and never changes.
#[derive(Clone, Debug)]
pub struct PlainTools {
    entries: Vec<Arc<Entry>>,
    by_name: HashMap<Arc<str>, Arc<Entry>>,
    grants: Grants,
}

impl PlainTools {
    /// A list of those of `tools` that the holder of `grants` may see; of two of one name, the first.
    #[must_use]
    pub fn new(tools: Vec<Arc<dyn Tool>>, grants: &Grants) -> Self {
        let mut plain =
            Self { entries: Vec::new(), by_name: HashMap::new(), grants: grants.clone() };
        for entry in tools.into_iter().map(|tool| Arc::new(Entry::plain(tool))) {
            let fresh = !plain.by_name.contains_key(entry.exposed());
            if fresh && grants.may_see(entry.source(), entry.row()) {
                plain.by_name.insert(entry.exposed_shared(), Arc::clone(&entry));
                plain.entries.push(entry);
            }
        }
        plain
    }
}

impl ToolSet for PlainTools {
    fn grants(&self) -> &Grants {
        &self.grants
    }

    fn visible(&self) -> Vec<Arc<Entry>> {
        self.entries.clone()
    }

    fn resolve(&self, name: &str) -> Result<Arc<Entry>, Unresolved> {
        self.by_name.get(name).cloned().ok_or_else(|| Unresolved {
            name: name.to_owned(),
            kind: UnresolvedKind::Unknown,
            search_tool: None,
            callable: self.entries.iter().map(|entry| entry.exposed_shared()).collect(),
            near: near(
                name,
                self.entries.iter().map(|entry| (entry.exposed_shared(), entry.names())),
            ),
        })
    }
}
