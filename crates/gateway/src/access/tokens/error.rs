//! What goes wrong with the tokens on disk, and what to do about it.

use std::io;
use std::path::Path;

use crate::limits::{PRINCIPAL_CHARS_MAX, TOKENS_MAX};

/// Why tokens could not be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokensError {
    /// The file cannot be read.
    #[error("cannot read the tokens in `{file}`")]
    Read {
        /// The file.
        file: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The file cannot be written; nothing has changed.
    #[error("cannot write the tokens in `{file}`")]
    Write {
        /// The file.
        file: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The file is not what was written.
    #[error("the tokens in `{file}` are damaged: {why}")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A newer version of oncue has written the file.
    #[error("the tokens in `{file}` have the form {format}, which this version does not know")]
    Newer {
        /// The file.
        file: String,
        /// The version of its form.
        format: u32,
    },
    /// There are as many tokens as there may be.
    #[error("there are {TOKENS_MAX} tokens, and there may not be more")]
    Full,
    /// The name of the principal is too long.
    #[error("a name has at most {PRINCIPAL_CHARS_MAX} characters")]
    Name,
    /// A new token would have expired already.
    #[error("the token would have expired already")]
    Past,
    /// There is no token of this id.
    #[error("there is no token with the id `{id}`")]
    Unknown {
        /// The id.
        id: String,
    },
    /// The system gives no random bytes.
    #[error("the system gives no random bytes")]
    Random(#[from] getrandom::Error),
}

impl TokensError {
    pub(super) fn read(file: &Path, source: io::Error) -> Self {
        Self::Read { file: file.display().to_string(), source }
    }

    pub(super) fn write(file: &Path, source: io::Error) -> Self {
        Self::Write { file: file.display().to_string(), source }
    }

    /// Returns what to do about it; `None` where the error says all.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Read { .. } | Self::Write { .. } => {
                "it must be a file that this user can read and write".to_owned()
            }
            Self::Damaged { file, .. } => format!(
                "nobody is let in meanwhile; restore the file, or take it away (mv '{file}' '{file}.broken') and make the tokens anew: oncue token create NAME"
            ),
            Self::Newer { .. } => {
                "use the version of oncue that wrote it, or a newer one".to_owned()
            }
            Self::Full => {
                format!(
                    "all count, those that let nobody in too; begin a new store: --state-dir DIR ({TOKENS_MAX} tokens each)"
                )
            }
            Self::Unknown { .. } => "see the ids: oncue token list".to_owned(),
            Self::Name | Self::Past | Self::Random(_) => return None,
        };
        Some(hint)
    }
}
