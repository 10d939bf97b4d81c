//! What can be wrong with a model.

use std::io;
use std::path::{Path, PathBuf};

/// Why a model cannot be used, or not be installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No model of this name is known.
    #[error("no model is called `{name}`; known are {}", crate::known().map(|model| model.name).collect::<Vec<_>>().join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The model is known, but not installed.
    #[error("model `{name}` is not installed")]
    NotInstalled {
        /// The model.
        name: String,
    },
    /// A file cannot be read.
    #[error("`{}` cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("`{}` cannot be written", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file was written by another version of the program.
    #[error("`{}` is of format `{found}`; install the model again", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The format that it says.
        found: String,
    },
    /// The file is not what was installed.
    #[error("`{}` is damaged ({what}); install the model again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file is no sentence model that can be used.
    #[error("`{}` cannot be used as a sentence model: {what}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// The archive is not the one that the model is made from.
    #[error(
        "SHA-256 of the archive is {found}, where {expected} is wanted; it is another file than `{package}`"
    )]
    OtherArchive {
        /// The package that is wanted.
        package: String,
        /// The digest that was pinned.
        expected: String,
        /// The digest of what was given.
        found: String,
    },
    /// The archive is the right one, but does not hold what is wanted; a fault of the program.
    #[error("the archive does not hold the model: {0}")]
    NotConverted(String),
}

impl ModelError {
    #[cfg(feature = "onnx")]
    pub(crate) fn unusable(path: &Path, what: impl Into<String>) -> Self {
        Self::Unusable { path: path.to_owned(), what: what.into() }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }
}
