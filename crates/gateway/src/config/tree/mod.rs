//! A file of settings as a tree whose nodes know where they stand, whether it was TOML or JSON. It lives while the file is read.

mod fields;
mod json;
mod lines;
mod toml;

pub(crate) use fields::{Fields, Key, Read, Table, text, wrong_kind};
pub(crate) use json::{options as json_options, parse as parse_json, said as json_said};
pub(crate) use lines::Lines;
pub(crate) use toml::parse as parse_toml;

use super::place::Place;

/// A value of a file.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// What a value is. It is not `Debug`: what it holds may be secret.
#[derive(Clone)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// A date or a time.
    Other,
}

/// A key of a table with its value.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    /// Where the key stands.
    pub(crate) place: Place,
    pub(crate) node: Node,
}

impl Node {
    /// Returns what the value is, in a word for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other => "a date",
        }
    }

    pub(crate) fn table(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the value under `key` of a table; the last one where it stands twice, as every client takes it.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.table()?.iter().rev().find(|entry| entry.key == key).map(|entry| &entry.node)
    }
}

#[cfg(test)]
mod tests;
