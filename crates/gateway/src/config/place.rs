//! Where something stands in a file, and what is wrong there. Both live as long as the reading they come from.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A place in a file; lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file, as it was named.
    pub file: Arc<Path>,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// The beginning of a file.
    #[must_use]
    pub fn start(file: &Path) -> Self {
        Self { file: file.into(), line: 1, column: 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// Something in a file that cannot be used as it is. It never holds a value of the file, names alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it stands.
    pub place: Place,
    /// What is wrong, as a fragment that begins with what it is about.
    pub what: String,
    /// How to mend it; empty where that is plain.
    pub hint: String,
}

impl Fault {
    pub(crate) fn new(place: &Place, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { place: place.clone(), what: what.into(), hint: hint.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)?;
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

/// Settings that cannot be used, with everything that is wrong with them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("failed to read `{file}`")]
    Unreadable {
        /// The file, as it was named.
        file: String,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// The file is larger than [`CONFIG_BYTES_MAX`](crate::limits::CONFIG_BYTES_MAX).
    #[error("`{file}` is larger than {} bytes", crate::limits::CONFIG_BYTES_MAX)]
    Large {
        /// The file, as it was named.
        file: String,
    },
    /// What the file says is wrong; in the order of the file, never empty.
    #[error("{}", lines(.0))]
    Wrong(Vec<Fault>),
}

impl From<Fault> for ConfigError {
    fn from(fault: Fault) -> Self {
        Self::Wrong(vec![fault])
    }
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n")
}
