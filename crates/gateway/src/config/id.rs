//! The id of an upstream. It lives as long as the settings that name it.

use std::fmt;

use crate::limits::UPSTREAM_ID_CHARS_MAX;

/// The key under which the settings name an upstream; with a tool's exact name it is the tool's identity.
///
/// It is not empty, has at most [`UPSTREAM_ID_CHARS_MAX`] characters, no control characters and no white space at its ends.
///
/// ```
/// use oncue_gateway::config::UpstreamId;
///
/// assert_eq!(UpstreamId::parse("数据库").map(|id| id.to_string()).as_deref(), Ok("数据库"));
/// assert!(UpstreamId::parse("").is_err() && UpstreamId::parse("a\nb").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UpstreamId(Box<str>);

/// Why a text is no id of an upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdFault {
    /// There is nothing.
    #[error("an upstream needs a name")]
    Empty,
    /// It is too long.
    #[error("the name has {0} characters, {UPSTREAM_ID_CHARS_MAX} at most")]
    Long(usize),
    /// It has characters that cannot be seen, or white space at an end.
    #[error("the name has control characters, or white space at an end")]
    Unprintable,
}

impl UpstreamId {
    /// Returns the id that `text` spells.
    ///
    /// # Errors
    ///
    /// The text is empty, too long or not printable.
    pub fn parse(text: &str) -> Result<Self, IdFault> {
        if text.is_empty() {
            return Err(IdFault::Empty);
        }
        let chars = text.chars().count();
        if chars > UPSTREAM_ID_CHARS_MAX {
            return Err(IdFault::Long(chars));
        }
        if text.trim() != text || text.chars().any(char::is_control) {
            return Err(IdFault::Unprintable);
        }
        Ok(Self(text.into()))
    }

    /// Returns the id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UpstreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{IdFault, UpstreamId};
    use crate::limits::UPSTREAM_ID_CHARS_MAX;

    #[test]
    fn an_id_is_a_printable_name() {
        for good in ["github", "a b", "数据库", "😀", "a/b", "A__b"] {
            assert_eq!(UpstreamId::parse(good).unwrap().as_str(), good);
        }
        for bad in [" a", "a ", "a\u{7}b", "\u{85}x", "\t"] {
            assert_eq!(UpstreamId::parse(bad), Err(IdFault::Unprintable), "{bad:?}");
        }
        assert_eq!(UpstreamId::parse(""), Err(IdFault::Empty));
    }

    #[test]
    fn an_id_is_bounded_in_characters() {
        let of = |chars: usize| UpstreamId::parse(&"é".repeat(chars));
        assert!(of(UPSTREAM_ID_CHARS_MAX - 1).is_ok());
        assert!(of(UPSTREAM_ID_CHARS_MAX).is_ok());
        let over = UPSTREAM_ID_CHARS_MAX + 1;
        assert_eq!(of(over), Err(IdFault::Long(over)));
    }
}
