//! The shape of JSON objects: which fields they have, of which kind, and where one is wrong.

use serde_json::{Map, Value};

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    name: &'static str,
    kind: Kind,
    is_required: bool,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Flag,
    Number,
    Object,
    List,
    TextOrList,
    Any,
}

/// What is wrong with an object, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// A field that nobody knows.
    Extra(String),
    /// A field that must be there.
    Missing(String),
    /// A field of another kind.
    Wrong(String, Kind),
}

/// A field that must be there.
pub(crate) const fn need(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, is_required: true }
}

/// A field that may be absent or null.
pub(crate) const fn may(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, is_required: false }
}

/// Holds an object against its fields; `at` is its path, empty for the outermost one.
pub(crate) fn holds(object: &Map<String, Value>, fields: &[Field], at: &str) -> Result<(), Flaw> {
    let path = |name: &str| join(at, name);
    for field in fields {
        match object.get(field.name) {
            None if field.is_required => return Err(Flaw::Missing(path(field.name))),
            None => {}
            Some(Value::Null) if !field.is_required => {}
            Some(value) if field.kind.takes(value) => {}
            Some(_) => return Err(Flaw::Wrong(path(field.name), field.kind)),
        }
    }
    match object.keys().find(|name| !fields.iter().any(|field| field.name == name.as_str())) {
        Some(name) => Err(Flaw::Extra(path(name))),
        None => Ok(()),
    }
}

/// Returns the path of a field; `path` names what it stands in, empty for the outermost object.
pub(crate) fn join(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

impl Kind {
    fn takes(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::Number => value.is_number(),
            Self::Object => value.is_object(),
            Self::List => value.is_array(),
            Self::TextOrList => value.is_string() || value.is_array(),
            Self::Any => true,
        }
    }

    /// Returns the kind in the words of a validator.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Flag => "boolean",
            Self::Number => "number",
            Self::Object => "object",
            Self::List => "list",
            Self::TextOrList => "string or list",
            Self::Any => "value",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Flaw, Kind, holds, may, need};

    #[test]
    fn an_object_has_its_fields_and_no_others() {
        let fields = [need("a", Kind::Text), may("b", Kind::TextOrList)];
        let check = |value: Value, at: &str, expected: Result<(), Flaw>| {
            assert_eq!(holds(value.as_object().unwrap(), &fields, at), expected, "{value}");
        };
        check(json!({"a": "x"}), "", Ok(()));
        check(json!({"a": "x", "b": null}), "", Ok(()));
        check(json!({"a": "x", "b": []}), "", Ok(()));
        check(json!({"b": "x"}), "", Err(Flaw::Missing("a".to_owned())));
        check(json!({"a": null}), "", Err(Flaw::Wrong("a".to_owned(), Kind::Text)));
        check(
            json!({"a": "x", "b": 1}),
            "t.0",
            Err(Flaw::Wrong("t.0.b".to_owned(), Kind::TextOrList)),
        );
        check(json!({"a": "x", "c": 1}), "t.0", Err(Flaw::Extra("t.0.c".to_owned())));
    }
}
