//! What one catalog file lists. A listing lives until its tools are in a catalog or an index.

use std::fmt;

use super::{Oddity, Reason};
use crate::Definition;

/// Where in a file something stands. Both counts begin at 1, as people and editors count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The line of a file with one tool (or one server) a line.
    pub line: Option<usize>,
    /// The position in the list of tools of a message.
    pub tool: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.tool) {
            (Some(line), Some(tool)) => write!(f, "line {line}, tool {tool}"),
            (Some(line), None) => write!(f, "line {line}"),
            (None, Some(tool)) => write!(f, "tool {tool}"),
            (None, None) => f.write_str("whole file"),
        }
    }
}

/// A tool that was read.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The id that the file gives it, such as in a labelled data set; not its identity in a catalog.
    pub id: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// The tool.
    pub definition: Definition,
}

/// The package that a server was listed from, where the file says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Its name in its registry.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence, as its metadata says it.
    pub licence: String,
}

/// The tools of one server.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The server's id.
    pub id: String,
    /// The package, where the file says so.
    pub package: Option<Package>,
    /// What the server says about its use; empty where it says nothing.
    pub instructions: String,
    /// The tools, in the file's order.
    pub tools: Vec<Listed>,
}

/// A tool that was not taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The id of the server it belongs to, as far as that is known.
    pub source: String,
    /// Where it stands.
    pub place: Place,
    /// Its name, as far as it could be read; a long one is cut.
    pub name: Option<String>,
    /// Why.
    pub reason: Reason,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        if let Some(name) = &self.name {
            write!(f, ", `{}`", name.escape_debug())?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// Something odd that cost no tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The id of the server it is about.
    pub source: String,
    /// Where it stands.
    pub place: Place,
    /// The tool it is about, if it is about one.
    pub name: Option<String>,
    /// What is odd.
    pub oddity: Oddity,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        if let Some(name) = &self.name {
            write!(f, ", `{}`", name.escape_debug())?;
        }
        write!(f, ": {}", self.oddity)
    }
}

/// What one file lists: its tools by server, and everything that is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The servers, in the order in which the file first names them.
    pub sources: Vec<Source>,
    /// The tools that were not taken in, in the file's order, at most [`RECORDS_MAX`](super::RECORDS_MAX).
    pub set_aside: Vec<SetAside>,
    /// What is odd but cost no tool, in the file's order, at most [`RECORDS_MAX`](super::RECORDS_MAX).
    pub notes: Vec<Note>,
    /// How many set-aside tools and notes have no record.
    pub unrecorded: usize,
}

impl Listing {
    /// Returns how many tools were read.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sources.iter().map(|source| source.tools.len()).sum()
    }

    /// Says whether no tool was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.iter().all(|source| source.tools.is_empty())
    }

    /// Iterates over the tools with the id of their server.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Listed)> {
        self.sources
            .iter()
            .flat_map(|source| source.tools.iter().map(move |tool| (source.id.as_str(), tool)))
    }
}
