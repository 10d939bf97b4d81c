//! The members of a JSON object, in their order, each value as it was written.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::Raw;

/// The members of an object, to change one of them and leave the others byte for byte.
///
/// Of several members of one name all are kept, and the last is the one that is read, as most parsers do.
///
/// ```
/// use oncue_mcp::Members;
///
/// let mut params: Members = serde_json::from_str(r#"{"name":"a","arguments":{"n":1e400}}"#)?;
/// params.set("name", &"b")?;
/// assert_eq!(serde_json::to_string(&params)?, r#"{"name":"b","arguments":{"n":1e400}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Members(Vec<(Box<str>, Raw)>);

impl Members {
    /// No members.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Reads the members of `raw`; none where it is absent.
    ///
    /// # Errors
    ///
    /// It is no object.
    pub fn of(raw: Option<&RawValue>) -> Result<Self, serde_json::Error> {
        raw.map_or_else(|| Ok(Self::new()), |raw| serde_json::from_str(raw.get()))
    }

    /// Returns the value of the member `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().rev().find(|(key, _)| &**key == name).map(|(_, value)| &**value)
    }

    /// Reads the value of the member `name` as a `T`; nothing where it is absent or something else.
    #[must_use]
    pub fn read<'m, T: Deserialize<'m>>(&'m self, name: &str) -> Option<T> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }

    /// Gives the member `name` a value, in its place or at the end.
    ///
    /// # Errors
    ///
    /// The value cannot be written as JSON.
    pub fn set(&mut self, name: &str, value: &impl Serialize) -> Result<(), serde_json::Error> {
        self.put(name, serde_json::value::to_raw_value(value)?);
        Ok(())
    }

    /// Gives the member `name` this value, in its place or at the end.
    pub fn put(&mut self, name: &str, value: Raw) {
        match self.0.iter_mut().rev().find(|(key, _)| &**key == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name.into(), value)),
        }
    }

    /// Takes the member `name` out and returns its value.
    pub fn take(&mut self, name: &str) -> Option<Raw> {
        let mut taken = None;
        let members = std::mem::take(&mut self.0);
        for (key, value) in members {
            match *key == *name {
                true => taken = Some(value),
                false => self.0.push((key, value)),
            }
        }
        taken
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Returns the object that has these members.
    ///
    /// # Errors
    ///
    /// None in practice: every value is JSON already.
    pub fn to_raw(&self) -> Result<Raw, serde_json::Error> {
        serde_json::value::to_raw_value(self)
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}
