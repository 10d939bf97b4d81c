//! Adding, changing and removing one entry of a table of servers, in text that stays otherwise as it is.

mod json;
mod toml;

use std::path::Path;

use crate::config::{Fault, Form, Place};

/// A value of an entry that oncue writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    List(Vec<String>),
}

/// An entry: its keys with their values, in order.
pub(super) type Parts = Vec<(String, Part)>;

/// Keys that say how a server is reached. An entry that is changed keeps no other of these than the new ones.
const REACHED_BY: [&str; 7] =
    ["type", "transport", "command", "args", "url", "serverUrl", "httpUrl"];

/// A file of a client, for editing.
pub(super) struct Text<'t> {
    pub(super) file: &'t Path,
    pub(super) form: Form,
    /// Absent where there is no file.
    pub(super) text: Option<&'t str>,
}

impl Text<'_> {
    fn is_toml(&self) -> bool {
        self.form == Form::Codex
    }

    /// Returns the key of the table that holds the servers.
    fn servers(&self) -> &'static str {
        self.form.row().map_or("mcpServers", |row| row.servers)
    }

    /// Returns the text with the entry in it, and without the other servers where they are not to stay; and the names of those.
    pub(super) fn with(
        &self,
        name: &str,
        parts: &Parts,
        keeps_others: bool,
    ) -> Result<(String, Vec<String>), Fault> {
        match self.is_toml() {
            true => toml::with(self, name, parts, keeps_others),
            false => json::with(self, name, parts, keeps_others),
        }
    }

    /// Returns the text without the entry; `None` where it has none.
    pub(super) fn without(&self, name: &str) -> Result<Option<String>, Fault> {
        match self.is_toml() {
            true => toml::without(self, name),
            false => json::without(self, name),
        }
    }

    /// Returns the entry, if it is there and could be one that oncue wrote.
    pub(super) fn entry(&self, name: &str) -> Option<Parts> {
        use crate::config::{TreeValue, parse_json, parse_toml};
        let text = self.text?;
        let tree = match self.is_toml() {
            true => parse_toml(self.file, text),
            false => parse_json(self.file, text),
        };
        let tree = tree.ok()?;
        let entry = tree.get(self.servers())?.get(name)?;
        let parts = entry.table()?.iter().map(|entry| {
            let part = match &entry.node.value {
                TreeValue::Text(text) => Part::Text(text.clone()),
                TreeValue::List(nodes) => Part::List(
                    nodes
                        .iter()
                        .map(|node| match &node.value {
                            TreeValue::Text(text) => Some(text.clone()),
                            _ => None,
                        })
                        .collect::<Option<_>>()?,
                ),
                _ => return None,
            };
            Some((entry.key.clone(), part))
        });
        parts.collect()
    }

    fn fault(&self, what: impl Into<String>) -> Fault {
        Fault::new(&Place::start(self.file), what, "mend the file by hand first")
    }
}
