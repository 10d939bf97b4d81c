//! `oncue.toml`: the form of settings that can say everything. It is strict: what is wrong anywhere in it is a fault of the file.

mod grant;
mod keys;
mod overrides;
mod settings;
mod upstream;

pub(crate) use keys::ALL as TABLES;

use std::path::{Path, PathBuf};

use super::tree::{Entry, Fields, Node, Read, Table, parse_toml};
use super::{ConfigError, Fault, Settings};

/// A file as it was read, before what it imports.
pub(crate) struct Native {
    pub(crate) settings: Settings,
    /// The files that it imports, as they are written.
    pub(crate) imports: Vec<String>,
}

/// What a relative path and `~` begin from.
#[derive(Clone, Copy)]
struct Here<'h> {
    file: &'h Path,
    home: Option<&'h Path>,
}

impl Here<'_> {
    /// Returns the path that a text of the file spells.
    fn path(&self, text: &str) -> PathBuf {
        super::load::path_from(self.file.parent().unwrap_or(Path::new("")), self.home, text)
    }
}

/// Returns what a text in the native form says.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(crate) fn parse(file: &Path, text: &str, home: Option<&Path>) -> Result<Native, ConfigError> {
    let tree = parse_toml(file, text)?;
    let mut faults = Faults::default();
    let native = settings::read(&tree, Here { file, home }, &mut faults);
    match faults.0.is_empty() {
        true => Ok(native),
        false => {
            faults.0.sort_by(|left, right| left.place.cmp(&right.place));
            Err(ConfigError::Wrong(faults.0))
        }
    }
}

/// Everything that is wrong with a file, gathered while it is read to its end.
#[derive(Default)]
struct Faults(Vec<Fault>);

impl Faults {
    /// Returns what was read, or its default with the fault kept.
    fn take<T: Default>(&mut self, read: Read<T>) -> T {
        read.unwrap_or_else(|fault| {
            self.0.push(fault);
            T::default()
        })
    }

    /// Returns the fields of a table after its unknown keys were kept as faults; `None` where it is no table.
    fn fields<'n>(&mut self, node: &'n Node, path: &'n str, table: &Table) -> Option<Fields<'n>> {
        let fields = Fields::new(node, path).map(Some);
        let fields = self.take(fields)?;
        self.0.extend(fields.unknown(table));
        Some(fields)
    }

    /// Reads each entry of a table of tables with `read`, which is given its key and node.
    fn each<'n>(
        &mut self,
        entries: Option<&'n [Entry]>,
        mut read: impl FnMut(&mut Self, &'n Entry),
    ) {
        for entry in entries.unwrap_or_default() {
            read(self, entry);
        }
    }
}

/// Returns the value that a text names among those that a key may have.
fn named<T: Copy>(fields: Fields<'_>, key: &str, names: &[(&str, T)]) -> Read<Option<T>> {
    let Some(text) = fields.text(key)? else { return Ok(None) };
    if let Some((_, value)) = names.iter().find(|(name, _)| *name == text) {
        return Ok(Some(*value));
    }
    let listed: Vec<String> = names.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    Err(fields.fault(key, &format!("is one of {}", listed.join(", ")), ""))
}

#[cfg(test)]
mod tests;
