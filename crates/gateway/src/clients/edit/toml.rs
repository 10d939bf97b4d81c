//! The same for TOML.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

use super::{Part, Parts, REACHED_BY, Text};
use crate::config::Fault;

pub(super) fn with(
    text: &Text<'_>,
    name: &str,
    parts: &Parts,
    keeps_others: bool,
) -> Result<(String, Vec<String>), Fault> {
    let whole = text.text.unwrap_or_default();
    let mut document = parse(text)?;
    let key = text.servers();
    let servers = document.entry(key).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let is_inline = servers.is_inline_table();
    let servers =
        servers.as_table_like_mut().ok_or_else(|| text.fault(format!("`{key}` is no table")))?;
    let is_there = servers.contains_key(name);
    let mut moved = Vec::new();
    if !keeps_others {
        let others = servers.iter().map(|(other, _)| other.to_owned());
        moved = others.filter(|other| other != name).collect();
        for other in &moved {
            servers.remove(other);
        }
    }
    if !is_there && !is_inline && moved.is_empty() {
        // A table at the end changes nothing above it.
        return Ok((appended(whole, key, name, parts), moved));
    }
    match servers.get_mut(name).map(Item::as_table_like_mut) {
        Some(Some(entry)) => change(entry, parts),
        Some(None) | None => {
            let mut entry = Table::new();
            change(&mut entry, parts);
            let entry = match is_inline {
                true => value(entry.into_inline_table()),
                false => Item::Table(entry),
            };
            servers.insert(name, entry);
        }
    }
    Ok((rendered(whole, &document), moved))
}

pub(super) fn without(text: &Text<'_>, name: &str) -> Result<Option<String>, Fault> {
    let whole = text.text.unwrap_or_default();
    let mut document = parse(text)?;
    let key = text.servers();
    let servers = document.get_mut(key).and_then(Item::as_table_like_mut);
    let Some(servers) = servers.filter(|servers| servers.contains_key(name)) else {
        return Ok(None);
    };
    // What was added at the end is taken off the end.
    if let Some(parts) = text.entry(name) {
        for start in ["\n", "\r\n", ""] {
            let end = format!("{start}{}", block(whole, key, name, &parts));
            let before = whole.strip_suffix(&end);
            if let Some(before) =
                before.filter(|before| appended(before, key, name, &parts) == whole)
            {
                return Ok(Some(before.to_owned()));
            }
        }
    }
    servers.remove(name);
    Ok(Some(rendered(whole, &document)))
}

fn parse(text: &Text<'_>) -> Result<DocumentMut, Fault> {
    text.text.unwrap_or_default().parse::<DocumentMut>().map_err(|error| {
        let said = error.message().lines().next().unwrap_or_default().to_owned();
        text.fault(format!("not TOML: {said}"))
    })
}

fn line_end(whole: &str) -> &'static str {
    if whole.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns a document as text, with the line ends that the file has.
fn rendered(whole: &str, document: &DocumentMut) -> String {
    let text = document.to_string().replace("\r\n", "\n");
    match line_end(whole) {
        "\n" => text,
        end => text.replace('\n', end),
    }
}

fn appended(whole: &str, key: &str, name: &str, parts: &Parts) -> String {
    let end = line_end(whole);
    let gap = match whole {
        "" => "",
        _ if whole.ends_with('\n') => end,
        // Without a line end there is no telling how many to take off again.
        _ => return format!("{whole}{end}{}", block(whole, key, name, parts)),
    };
    format!("{whole}{gap}{}", block(whole, key, name, parts))
}

/// Returns the table of the entry.
fn block(whole: &str, key: &str, name: &str, parts: &Parts) -> String {
    let mut servers = Table::new();
    servers.set_implicit(true);
    let mut entry = Table::new();
    change(&mut entry, parts);
    servers.insert(name, Item::Table(entry));
    let mut document = DocumentMut::new();
    document.insert(key, Item::Table(servers));
    rendered(whole, &document)
}

/// Brings an entry to these parts and leaves everything else in it alone.
fn change(entry: &mut dyn TableLike, parts: &Parts) {
    for key in REACHED_BY {
        if !parts.iter().any(|(wanted, _)| wanted == key) {
            entry.remove(key);
        }
    }
    for (key, part) in parts {
        if entry.get(key).is_some_and(|item| is(item, part)) {
            continue;
        }
        let new = match part {
            Part::Text(text) => Value::from(text),
            Part::List(texts) => Value::Array(texts.iter().collect::<Array>()),
        };
        entry.insert(key, Item::Value(new));
    }
}

/// Says whether an item has this value already, however it is written.
fn is(item: &Item, part: &Part) -> bool {
    match part {
        Part::Text(wanted) => item.as_str() == Some(wanted),
        Part::List(wanted) => item.as_array().is_some_and(|array| {
            let found: Option<Vec<&str>> = array.iter().map(Value::as_str).collect();
            found.is_some_and(|found| found.iter().eq(wanted.iter()))
        }),
    }
}
