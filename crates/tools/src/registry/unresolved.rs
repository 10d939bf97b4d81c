//! Why a name leads to no tool that may be called now, told to the model.

use std::fmt;
use std::sync::Arc;

use crate::excerpt::echo;
use crate::limits::INLINE_NAMES_MAX;

/// Why a name leads to no tool that may be called now.
///
/// `Display` is the model's text; it names the calls that recover.
/// A tool that the caller may not know of gives the same text as a name that no tool has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    pub(super) name: String,
    pub(super) kind: UnresolvedKind,
    /// What the search tool is called, where there is one that may be called.
    pub(super) search_tool: Option<Arc<str>>,
    /// Names that may be called, apart from the search tool's, in the order of the list.
    pub(super) callable: Vec<Arc<str>>,
    /// Names that nearly are the one asked for.
    pub(super) near: Vec<Arc<str>>,
}

/// What is the matter with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnresolvedKind {
    /// No active tool has the name: it was not searched for, does not exist, or must look so.
    NotActive,
    /// A tool of the name was found in this turn or session, and is not offered any more.
    NoLongerOffered,
    /// A tool of the name was found, and what the model saw of it is no longer in the conversation.
    Forgotten,
    /// No tool of a list without search has the name.
    Unknown,
}

impl Unresolved {
    /// Returns what is the matter.
    #[must_use]
    pub const fn kind(&self) -> UnresolvedKind {
        self.kind
    }

    /// Returns the name as it was asked for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names that nearly are the one asked for.
    pub fn near(&self) -> impl Iterator<Item = &str> {
        self.near.iter().map(|name| &**name)
    }
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = echo(&self.name);
        let why = match self.kind {
            UnresolvedKind::NotActive => "not in active set",
            UnresolvedKind::NoLongerOffered => "is no longer offered",
            UnresolvedKind::Forgotten => {
                "is no longer loaded, since the conversation was shortened"
            }
            UnresolvedKind::Unknown => "does not exist",
        };
        write!(f, "Tool '{name}' {why}.")?;
        let (select, purpose) = match self.kind {
            UnresolvedKind::Forgotten => ("select:", "load it again"),
            _ => ("", "discover it"),
        };
        match (&self.search_tool, self.callable.is_empty()) {
            (Some(tool), false) => {
                write!(f, " Call {tool}(query='{select}{name}') to {purpose}, or use one of: ")?;
            }
            (Some(tool), true) => write!(f, " Call {tool}(query='{select}{name}') to {purpose}.")?,
            (None, false) => f.write_str(" Use one of: ")?,
            (None, true) => {}
        }
        write_names(f, &self.callable)?;
        if let Some((first, others)) = self.near.split_first() {
            write!(f, ". Near names: {first}")?;
            others.iter().try_for_each(|name| write!(f, ", {name}"))?;
        }
        Ok(())
    }
}

impl std::error::Error for Unresolved {}

fn write_names(f: &mut fmt::Formatter<'_>, names: &[Arc<str>]) -> fmt::Result {
    for (at, name) in names.iter().take(INLINE_NAMES_MAX).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(f, "{comma}{name}")?;
    }
    match names.len().checked_sub(INLINE_NAMES_MAX) {
        Some(more) if more > 0 => write!(f, ", … {more} more"),
        _ => Ok(()),
    }
}
