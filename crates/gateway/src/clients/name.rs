//! The name under which a client has the gateway. It lives as long as a change.

use std::fmt;
use std::str::FromStr;

use crate::limits::ENTRY_NAME_CHARS_MAX;

/// The name of the entry that leads to the gateway; `oncue` unless somebody wants another.
///
/// Clients make it a part of tools' names, so it has letters, digits, `_` and `-` alone, and [`ENTRY_NAME_CHARS_MAX`] of them at most.
///
/// ```
/// use oncue_gateway::clients::EntryName;
///
/// assert_eq!(EntryName::default().as_str(), "oncue");
/// assert!("tools-2".parse::<EntryName>().is_ok());
/// assert!("my tools".parse::<EntryName>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryName(Box<str>);

/// Why a text is no name of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name has letters, digits, `_` and `-`, from 1 to {ENTRY_NAME_CHARS_MAX} of them")]
pub struct EntryNameFault;

impl EntryName {
    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for EntryName {
    fn default() -> Self {
        Self("oncue".into())
    }
}

impl FromStr for EntryName {
    type Err = EntryNameFault;

    fn from_str(text: &str) -> Result<Self, EntryNameFault> {
        let is_fit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let fits = (1..=ENTRY_NAME_CHARS_MAX).contains(&text.len()) && text.chars().all(is_fit);
        if fits { Ok(Self(text.into())) } else { Err(EntryNameFault) }
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::EntryName;
    use crate::limits::ENTRY_NAME_CHARS_MAX;

    #[test]
    fn a_name_is_plain_and_short() {
        let longest = "x".repeat(ENTRY_NAME_CHARS_MAX);
        for good in ["oncue", "A-b_9", &longest] {
            assert_eq!(good.parse::<EntryName>().map(|name| name.to_string()).as_deref(), Ok(good));
        }
        for bad in ["", " ", "a.b", "é", "a\n", &format!("{longest}x")] {
            assert!(bad.parse::<EntryName>().is_err(), "{bad:?}");
        }
    }
}
