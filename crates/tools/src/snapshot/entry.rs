//! A tool as a snapshot holds it. Lives as long as any snapshot that has it; never changes.

use std::fmt;
use std::sync::Arc;

use oncue_decl::Row;

use crate::{Definition, Identity, NameRules, Tool};

/// A tool with its identity, the name by which models call it and the definition that was registered.
///
/// It is shared between snapshots and never copied.
/// The definition is pinned here: what was shown is what is dispatched.
pub struct Entry {
    /// What the tool is.
    identity: Identity,
    /// What models call it.
    exposed: Arc<str>,
    /// The row and schemas as they were registered.
    definition: Definition,
    /// The code.
    tool: Arc<dyn Tool>,
}

impl Entry {
    pub(crate) fn new(source: &Arc<str>, tool: Arc<dyn Tool>, rules: NameRules) -> Self {
        let identity = Identity::new(Arc::clone(source), tool.definition().name());
        let chosen = tool.definition().exposed().filter(|name| rules.admits(name));
        let exposed = chosen.cloned().unwrap_or_else(|| rules.name_of(&identity).into());
        Self::named(exposed, identity, tool)
    }

    /// An entry whose exposed name is the row's own, for assemblies that have no sources.
    pub(crate) fn plain(tool: Arc<dyn Tool>) -> Self {
        let identity = Identity::own(tool.definition().name());
        Self::named(identity.name().into(), identity, tool)
    }

    fn named(exposed: Arc<str>, identity: Identity, tool: Arc<dyn Tool>) -> Self {
        let definition = tool.definition().clone();
        Self { identity, exposed, definition, tool }
    }

    /// Returns what the tool is: the id of its source and its exact name there.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the id of the source; empty for the program itself.
    #[must_use]
    pub fn source(&self) -> &str {
        self.identity.source()
    }

    /// Returns the name by which models call the tool.
    #[must_use]
    pub fn exposed(&self) -> &str {
        &self.exposed
    }

    /// Returns the row and schemas as they were registered.
    #[must_use]
    pub const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns the row as it was registered.
    #[must_use]
    pub fn row(&self) -> &Row {
        self.definition.row()
    }

    /// Returns the code.
    #[must_use]
    pub fn tool(&self) -> &Arc<dyn Tool> {
        &self.tool
    }

    /// Returns the names that the tool goes by: the exposed one and the one in its source.
    pub(crate) fn names(&self) -> [&str; 2] {
        [&self.exposed, self.identity.name()]
    }

    pub(crate) fn exposed_shared(&self) -> Arc<str> {
        Arc::clone(&self.exposed)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("identity", &self.identity)
            .field("exposed", &self.exposed)
            .finish_non_exhaustive()
    }
}
