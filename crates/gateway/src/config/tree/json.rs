//! JSON, with comments and commas at the end of lists where clients allow them, as a tree.

use std::path::Path;

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{Entry, Lines, Node, Value};
use crate::config::{Fault, Place};

/// What clients read beyond JSON: comments, and a comma behind the last element.
pub(crate) fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Returns the tree of a JSON text; an empty text is an empty table, as for every client.
pub(crate) fn parse(file: &Path, text: &str) -> Result<Node, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::new(file, text);
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options()).map_err(|error| {
        let place = lines.place(error.range().start);
        Fault::new(&place, format!("not JSON: {}", said(error.kind())), "")
    })?;
    let empty = Node { place: Place::start(file), value: Value::Table(Vec::new()) };
    Ok(parsed.value.map_or(empty, |value| node(&lines, &value)))
}

/// Returns what the parser says, as a fragment of a sentence.
pub(crate) fn said(kind: &jsonc_parser::errors::ParseErrorKind) -> String {
    let said = kind.to_string();
    let mut chars = said.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn node(lines: &Lines<'_>, value: &ast::Value<'_>) -> Node {
    let (at, value) = match value {
        ast::Value::StringLit(text) => (text.range, Value::Text(text.value.to_string())),
        ast::Value::NumberLit(number) => {
            (number.range, number.value.parse().map_or(Value::Other, Value::Number))
        }
        ast::Value::BooleanLit(truth) => (truth.range, Value::Bool(truth.value)),
        ast::Value::NullKeyword(null) => (null.range, Value::Null),
        ast::Value::Array(list) => {
            let inner = list.elements.iter().map(|value| node(lines, value)).collect();
            (list.range, Value::List(inner))
        }
        ast::Value::Object(object) => {
            let entries = object.properties.iter().map(|property| Entry {
                key: property.name.as_str().to_owned(),
                place: lines.place(property.range.start),
                node: node(lines, &property.value),
            });
            (object.range, Value::Table(entries.collect()))
        }
    };
    Node { place: lines.place(at.start), value }
}
