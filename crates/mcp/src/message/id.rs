//! The id of a request, exactly as its sender wrote it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The id of a request: a number or a string, and never the one for the other.
///
/// An answer must carry the id of its request with the same type and value, and JSON has numbers that no machine type holds, so a number is kept as it was written.
///
/// ```
/// use oncue_mcp::RequestId;
///
/// let id: RequestId = serde_json::from_str("1")?;
/// assert_ne!(id, serde_json::from_str("\"1\"")?);
/// assert_eq!(serde_json::to_string(&id)?, "1");
/// assert!(serde_json::from_str::<RequestId>("null").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(Id);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Id {
    /// The text of the number.
    Number(Box<str>),
    /// The string, without its quotes and escapes.
    Text(Box<str>),
}

impl RequestId {
    /// The id that is this number.
    #[must_use]
    pub fn number(number: u64) -> Self {
        Self(Id::Number(number.to_string().into()))
    }

    /// The id that is this string.
    #[must_use]
    pub fn text(text: impl Into<Box<str>>) -> Self {
        Self(Id::Text(text.into()))
    }

    /// Returns the natural number that the id is or spells.
    ///
    /// Some servers answer `"5"` to `5`; ids that we gave are natural numbers, so that both mean the same one of them.
    #[must_use]
    pub fn as_given(&self) -> Option<u64> {
        match &self.0 {
            Id::Number(text) | Id::Text(text) => text.parse().ok(),
        }
    }

    /// Reads an id from the text of a JSON value; nothing where that is neither a number nor a string.
    pub(super) fn of(raw: &RawValue) -> Option<Self> {
        let text = raw.get();
        match text.as_bytes().first()? {
            b'"' => serde_json::from_str(text).ok().map(|text| Self(Id::Text(text))),
            b'-' | b'0'..=b'9' => Some(Self(Id::Number(text.into()))),
            _ => None,
        }
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Id::Number(text) => f.write_str(text),
            Id::Text(text) => write!(f, "{text:?}"),
        }
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Id::Number(text) => {
                let raw = RawValue::from_string(text.as_ref().to_owned());
                raw.map_err(serde::ser::Error::custom)?.serialize(serializer)
            }
            Id::Text(text) => text.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::of(&raw).ok_or_else(|| D::Error::custom("an id is a number or a string"))
    }
}
