//! TOML as a tree.

use std::ops::Range;
use std::path::Path;

use toml_edit::{Document, Item, Key, TableLike};

use super::{Entry, Lines, Node, Value};
use crate::config::Fault;

/// Returns the tree of a TOML text.
pub(crate) fn parse(file: &Path, text: &str) -> Result<Node, Fault> {
    let lines = Lines::new(file, text);
    let document = Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        // What the parser says names signs and rules of TOML; the first line alone, and never a piece of the text.
        let what = error.message().lines().next().unwrap_or_default().to_owned();
        Fault::new(&lines.place(at), format!("not TOML: {what}"), "")
    })?;
    Ok(table(&lines, 0, document.as_table()))
}

fn node(lines: &Lines<'_>, key: usize, item: &Item) -> Node {
    let at = item.span().map_or(key, |span| span.start);
    match item {
        Item::None => Node { place: lines.place(at), value: Value::Null },
        Item::Value(value) => plain(lines, at, value),
        Item::Table(inner) => table(lines, key, inner),
        Item::ArrayOfTables(tables) => {
            let tables = tables.iter().map(|inner| {
                let at = inner.span().map_or(key, |span| span.start);
                table(lines, at, inner)
            });
            Node { place: lines.place(at), value: Value::List(tables.collect()) }
        }
    }
}

fn plain(lines: &Lines<'_>, key: usize, value: &toml_edit::Value) -> Node {
    use toml_edit::Value as Toml;
    let at = value.span().map_or(key, |span| span.start);
    let value = match value {
        Toml::String(text) => Value::Text(text.value().clone()),
        Toml::Integer(number) => Value::Number(*number.value() as f64),
        Toml::Float(number) => Value::Number(*number.value()),
        Toml::Boolean(truth) => Value::Bool(*truth.value()),
        Toml::Datetime(_) => Value::Other,
        Toml::Array(list) => {
            Value::List(list.iter().map(|inner| plain(lines, at, inner)).collect())
        }
        Toml::InlineTable(inner) => return table(lines, at, inner),
    };
    Node { place: lines.place(at), value }
}

fn table(lines: &Lines<'_>, at: usize, table: &dyn TableLike) -> Node {
    let entries = table.iter().map(|(key, item)| {
        let of_item = item.span().map_or(at, |span| span.start);
        let at = table.key(key).and_then(Key::span).map_or(of_item, |Range { start, .. }| start);
        Entry { key: key.to_owned(), place: lines.place(at), node: node(lines, at, item) }
    });
    Node { place: lines.place(at), value: Value::Table(entries.collect()) }
}
