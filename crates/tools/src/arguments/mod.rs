//! The arguments of one call: from the text that a model wrote to a JSON object, once.

use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::excerpt::excerpt;
use crate::limits::{ARGUMENTS_BYTES_MAX, BREAK_CHARS_MAX};

/// The arguments of one call: a JSON object, read and verbatim.
///
/// Both are the same object. What JSON values cannot hold (integers beyond 64 bits, the spelling of numbers) is in the text alone, so what passes arguments on passes [`raw`](Self::raw) on.
#[derive(Clone, Debug)]
pub struct Arguments {
    object: Map<String, Value>,
    raw: Box<RawValue>,
}

impl Arguments {
    /// Reads the text that a model wrote; an empty text and `null` mean no arguments.
    ///
    /// # Errors
    ///
    /// Where the text is too long, not JSON, not an object, or names a key twice in one object.
    ///
    /// ```
    /// use oncue_tools::{Arguments, ArgumentsFault};
    ///
    /// let arguments = Arguments::parse(r#" {"id": 123456789012345678901} "#)?;
    /// assert_eq!(arguments.raw().get(), r#"{"id": 123456789012345678901}"#);
    /// assert!(matches!(Arguments::parse("[1]"), Err(ArgumentsFault::NotObject { found: "a list" })));
    /// # Ok::<(), ArgumentsFault>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ArgumentsFault> {
        if text.len() > ARGUMENTS_BYTES_MAX {
            return Err(ArgumentsFault::TooLong { bytes: text.len() });
        }
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        refuse_duplicates(text)?;
        match serde_json::from_str(text) {
            Ok(Value::Object(object)) => {
                let raw = RawValue::from_string(text.to_owned());
                Ok(Self { object, raw: raw.map_err(|error| not_json(text, &error))? })
            }
            Ok(Value::Null) => Ok(Self::default()),
            Ok(other) => Err(ArgumentsFault::NotObject { found: form(&other) }),
            Err(error) => Err(not_json(text, &error)),
        }
    }

    /// Returns the object.
    #[must_use]
    pub fn object(&self) -> &Map<String, Value> {
        &self.object
    }

    /// Returns the text that the model wrote, byte for byte except for white space around it.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }

    /// Reads the arguments as a type of one's own, from the text, so that nothing is lost on the way.
    ///
    /// # Errors
    ///
    /// Where they do not fit the type.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.raw.get())
    }
}

impl Default for Arguments {
    /// Returns the empty object.
    fn default() -> Self {
        Self::from(Map::new())
    }
}

impl From<Map<String, Value>> for Arguments {
    fn from(object: Map<String, Value>) -> Self {
        let text = Value::Object(object.clone()).to_string();
        #[expect(clippy::expect_used, reason = "a JSON object prints as JSON")]
        let raw = RawValue::from_string(text).expect("a JSON object prints as JSON");
        Self { object, raw }
    }
}

/// Why a text is no arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentsFault {
    /// The text is longer than any arguments may be.
    #[error(
        "they are {bytes} bytes long, and at most {ARGUMENTS_BYTES_MAX} are read; send less, or in several calls"
    )]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The text ends before its object does.
    #[error(
        "the JSON breaks off after {bytes} bytes; send the whole object, with every string and bracket closed"
    )]
    BrokenOff {
        /// Its length.
        bytes: usize,
    },
    /// The text is not JSON.
    #[error("they are not JSON: {what}, near `{near}`; {fix}")]
    NotJson {
        /// What is wrong, and where.
        what: String,
        /// What stands there.
        near: String,
        /// What to do about it.
        fix: &'static str,
    },
    /// The text is JSON of another form.
    #[error("they are {found}, not an object; send one object with a key per argument")]
    NotObject {
        /// The form.
        found: &'static str,
    },
    /// An object in the text names a key twice.
    #[error("the key `{key}` appears twice in one object; send it once")]
    DuplicateKey {
        /// The key.
        key: String,
    },
}

/// Returns the form of a value, with its article.
pub(crate) fn form(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn not_json(text: &str, error: &serde_json::Error) -> ArgumentsFault {
    if error.is_eof() {
        return ArgumentsFault::BrokenOff { bytes: text.len() };
    }
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    // The column is a count of bytes and points at or just behind the offending sign.
    let start = line.floor_char_boundary(error.column().saturating_sub(1));
    let near = excerpt(line.get(start..).unwrap_or_default(), BREAK_CHARS_MAX);
    let fix = if ["N", "I", "-I"].iter().any(|sign| near.starts_with(sign)) {
        "JSON has no NaN and no Infinity: send a number or null"
    } else {
        "send one JSON object"
    };
    ArgumentsFault::NotJson { what: error.to_string(), near, fix }
}

/// Reads the whole text without keeping it, and stops at the first key that an object names twice.
///
/// Parsers differ in which of the two they keep, so a check could read one and the tool the other.
fn refuse_duplicates(text: &str) -> Result<(), ArgumentsFault> {
    let mut twice = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    let outcome = Unique(&mut twice).deserialize(&mut reader).and_then(|()| reader.end());
    match (outcome, twice) {
        (_, Some(key)) => Err(ArgumentsFault::DuplicateKey { key: excerpt(&key, BREAK_CHARS_MAX) }),
        (Err(error), None) => Err(not_json(text, &error)),
        (Ok(()), None) => Ok(()),
    }
}

/// Reads any value; keeps the first key that stands twice in one object.
struct Unique<'k>(&'k mut Option<String>);

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Unique(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut seen = std::collections::HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            if seen.contains(&key) {
                *self.0 = Some(key);
                return Err(A::Error::custom("duplicate key"));
            }
            seen.insert(key);
            entries.next_value_seed(Unique(self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
