//! What tools are called on a wire: the exposed name where the vendor takes it, else one derived from the tool's identity.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use oncue_agent::conversation::Item;
use oncue_agent::{Disclosure, EncodeError, Request};
use oncue_tools::{Entry, Identity, NameRules};

/// The names of one request that differ on the wire, both ways. Lives as long as the request.
///
/// Names that the vendor takes as they are need no row, so the two maps are empty for almost every catalog.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Every tool that the request can name, by exposed name.
    known: HashSet<String>,
    /// The exposed name of the search tool.
    search: Option<String>,
    to_wire: HashMap<String, String>,
    from_wire: HashMap<String, String>,
}

impl Names {
    /// Returns the table of `tools` under a vendor's rules; a function of each tool's identity alone.
    ///
    /// # Errors
    ///
    /// Two tools would have one name.
    pub(crate) fn of<'e>(
        rules: NameRules,
        tools: impl IntoIterator<Item = &'e Arc<Entry>>,
    ) -> Result<Self, EncodeError> {
        let mut names = Self::default();
        for tool in tools {
            names.add(rules, tool.exposed(), tool.identity())?;
        }
        Ok(names)
    }

    /// Returns the table of every tool that a request can name: those that its disclosure lists, and those that its searches have shown.
    ///
    /// # Errors
    ///
    /// Two tools would have one name.
    pub(crate) fn of_request(
        rules: NameRules,
        disclosure: Disclosure,
        request: &Request<'_>,
    ) -> Result<Self, EncodeError> {
        let tools = request.tools;
        let mut names = Self::of(rules, tools.inline.iter().chain(&tools.found))?;
        names.search = tools.search.as_ref().map(|search| search.exposed().to_owned());
        if matches!(disclosure, Disclosure::ByReference | Disclosure::Mask) {
            for tool in tools.hidden.iter() {
                names.add(rules, tool.exposed(), tool.identity())?;
            }
        }
        for item in request.items {
            let Item::Results { results } = item else { continue };
            for tool in results.iter().flat_map(|result| &result.loaded) {
                names.add(rules, &tool.name, &tool.tool)?;
            }
        }
        Ok(names)
    }

    /// Adds a tool that is known by its exposed name and identity.
    ///
    /// # Errors
    ///
    /// Another tool has its wire name.
    pub(crate) fn add(
        &mut self,
        rules: NameRules,
        exposed: &str,
        tool: &Identity,
    ) -> Result<(), EncodeError> {
        if !self.known.insert(exposed.to_owned()) || rules.admits(exposed) {
            return Ok(());
        }
        let wire = rules.name_of(tool);
        if let Some(other) = self.from_wire.get(&wire) {
            return Err(EncodeError::NameCollision {
                name: wire.clone(),
                left: other.clone(),
                right: exposed.to_owned(),
            });
        }
        self.from_wire.insert(wire.clone(), exposed.to_owned());
        self.to_wire.insert(exposed.to_owned(), wire);
        Ok(())
    }

    /// Returns what the tool of this exposed name is called on the wire.
    pub(crate) fn wire<'n>(&'n self, exposed: &'n str) -> &'n str {
        self.to_wire.get(exposed).map_or(exposed, String::as_str)
    }

    /// Returns the exposed name of what is called `wire` there; the same text where the table does not know it.
    pub(crate) fn exposed<'n>(&'n self, wire: &'n str) -> &'n str {
        self.from_wire.get(wire).map_or(wire, String::as_str)
    }

    /// Returns the exposed name of the search tool, which is a kind of its own on some wires.
    pub(crate) fn search(&self) -> Option<&str> {
        self.search.as_deref()
    }

    /// Says whether the request can name a tool of this exposed name.
    pub(crate) fn knows(&self, exposed: &str) -> bool {
        self.known.contains(exposed)
    }
}
