//! The same for JSON, with comments.

use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};

use super::{Part, Parts, REACHED_BY, Text};
use crate::config::{Fault, json_options, json_said};

const MARK: char = '\u{feff}';

pub(super) fn with(
    text: &Text<'_>,
    name: &str,
    parts: &Parts,
    keeps_others: bool,
) -> Result<(String, Vec<String>), Fault> {
    let (mark, root) = parse(text)?;
    let is_new = root.value().is_none();
    let file = root.object_value_or_create().ok_or_else(|| no_table(text, "the file"))?;
    let servers = file
        .object_value_or_create(text.servers())
        .ok_or_else(|| no_table(text, &format!("`{}`", text.servers())))?;
    let mut moved = Vec::new();
    if !keeps_others {
        for property in servers.properties() {
            let other = property.decoded_name().filter(|other| other != name);
            if let Some(other) = other {
                moved.push(other);
                property.remove();
            }
        }
    }
    match servers.get(name).map(|property| (property.object_value(), property)) {
        None => drop(servers.append(name, object(parts))),
        Some((None, property)) => property.set_value(object(parts)),
        Some((Some(entry), _)) => change(&entry, parts),
    }
    let mut after = format!("{mark}{root}");
    if is_new && !after.ends_with('\n') {
        after.push('\n');
    }
    Ok((after, moved))
}

pub(super) fn without(text: &Text<'_>, name: &str) -> Result<Option<String>, Fault> {
    let (mark, root) = parse(text)?;
    let servers = root.object_value().and_then(|file| file.object_value(text.servers()));
    let Some(property) = servers.and_then(|servers| servers.get(name)) else { return Ok(None) };
    property.remove();
    Ok(Some(format!("{mark}{root}")))
}

fn parse(text: &Text<'_>) -> Result<(&'static str, CstRootNode), Fault> {
    let whole = text.text.unwrap_or_default();
    let (mark, plain) = match whole.strip_prefix(MARK) {
        Some(plain) => ("\u{feff}", plain),
        None => ("", whole),
    };
    let root = CstRootNode::parse(plain, &json_options()).map_err(|error| {
        text.fault(format!("line {}: not JSON: {}", error.line_display(), json_said(error.kind())))
    })?;
    Ok((mark, root))
}

fn no_table(text: &Text<'_>, what: &str) -> Fault {
    text.fault(format!("{what} is no table"))
}

/// Brings an entry to these parts and leaves everything else in it alone.
fn change(entry: &CstObject, parts: &Parts) {
    for property in entry.properties() {
        let is_old = property.decoded_name().is_some_and(|key| {
            REACHED_BY.contains(&key.as_str()) && !parts.iter().any(|(wanted, _)| *wanted == key)
        });
        if is_old {
            property.remove();
        }
    }
    for (key, part) in parts {
        match entry.get(key) {
            Some(property) if is(&property, part) => {}
            Some(property) => property.set_value(input(part)),
            None => drop(entry.append(key, input(part))),
        }
    }
}

/// Says whether a property has this value already, however it is written.
fn is(property: &CstObjectProp, part: &Part) -> bool {
    let text = |node: &CstNode| node.as_string_lit().and_then(|text| text.decoded_value().ok());
    let Some(value) = property.value() else { return false };
    match part {
        Part::Text(wanted) => text(&value).as_ref() == Some(wanted),
        Part::List(wanted) => value.as_array().is_some_and(|array| {
            let found: Option<Vec<String>> = array.elements().iter().map(text).collect();
            found.as_ref() == Some(wanted)
        }),
    }
}

fn input(part: &Part) -> CstInputValue {
    match part {
        Part::Text(text) => text.as_str().into(),
        Part::List(texts) => {
            CstInputValue::Array(texts.iter().map(|text| text.as_str().into()).collect())
        }
    }
}

fn object(parts: &Parts) -> CstInputValue {
    CstInputValue::Object(parts.iter().map(|(key, part)| (key.clone(), input(part))).collect())
}
