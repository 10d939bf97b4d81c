//! Why a change of a catalog was refused. For the programmer and the operator; no model reads it.

use crate::limits::{TOOLS_MAX, TOOLS_PER_SOURCE_MAX};
use crate::{Collision, Identity};

/// Why a change of a catalog was refused, or a tool set aside.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// A source has two tools of one name.
    #[error(
        "duplicate tool {tool}: tools {first} and {second} of its list have this name; rename one of them"
    )]
    Duplicate {
        /// The identity that both have.
        tool: Identity,
        /// The place of the one that came first, from 1.
        first: usize,
        /// The place of the other one, from 1.
        second: usize,
    },
    /// Two tools would be called by one name.
    #[error(transparent)]
    Collision(#[from] Collision),
    /// The search tool is declared discoverable, so nothing could find it.
    #[error("the search tool {tool} is discoverable, so nothing could find it: declare it inline")]
    SearchToolHidden {
        /// The search tool.
        tool: Identity,
    },
    /// A source other than the program declares a part of the loop.
    #[error("{tool} is declared part of the loop: only the program's own search tool is")]
    ForeignLoopTool {
        /// The tool.
        tool: Identity,
    },
    /// A second search tool.
    #[error("{second} is declared part of the loop, but {first} is the search tool already")]
    SecondSearchTool {
        /// The search tool.
        first: Identity,
        /// The other one.
        second: Identity,
    },
    /// Discoverable tools that nothing can find.
    #[error(
        "{discoverable} discoverable tools, such as {example}, are out of reach without a search tool: register `ToolSearch`, or make them inline"
    )]
    NoSearchTool {
        /// How many discoverable tools there are.
        discoverable: usize,
        /// One of them.
        example: Identity,
    },
    /// Discoverable tools that these grants leave without the search tool.
    #[error(
        "{discoverable} discoverable tools, such as {example}, are out of reach: the grants do not admit the search tool {search_tool}; grant it, or make the tools inline"
    )]
    SearchToolNotGranted {
        /// The search tool.
        search_tool: Identity,
        /// How many discoverable tools there are.
        discoverable: usize,
        /// One of them.
        example: Identity,
    },
    /// A source has too many tools.
    #[error("source `{source_id}` has {count} tools, at most {TOOLS_PER_SOURCE_MAX} are taken")]
    TooManyOfSource {
        /// The id of the source.
        source_id: String,
        /// How many tools it has.
        count: usize,
    },
    /// The catalog would have too many tools.
    #[error("the catalog would have {count} tools, at most {TOOLS_MAX} are taken")]
    TooMany {
        /// How many tools it would have.
        count: usize,
    },
}

/// A tool of a source that was left out so that its siblings could be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The tool.
    pub tool: Identity,
    /// Why it was left out.
    pub why: CatalogError,
}
