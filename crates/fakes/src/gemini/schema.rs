//! The part of OpenAPI's schemas that `parameters` may use; whatever else a schema needs goes into `parametersJsonSchema`.

use serde_json::{Map, Value};

use super::fault;
use super::spelling::snake;
use super::tools::object;
use crate::limits::GEMINI_PARAMETER_CHARS_MAX;
use crate::read;
use crate::wire::Checked;

/// Fields of a schema. `additionalProperties`, `$ref` and `$defs` are in the client library, and were seen refused by the server.
const FIELDS: [&str; 22] = [
    "type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems",
    "properties", "required", "minProperties", "maxProperties", "propertyOrdering", "minLength",
    "maxLength", "pattern", "minimum", "maximum", "anyOf", "default", "example",
];

const TYPES: [&str; 7] = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"];

/// Holds the schema of a function's parameters against the rules.
pub(super) fn check_parameters(schema: &Map<String, Value>, path: &str) -> Checked {
    let properties = schema.get("properties").and_then(Value::as_object);
    for name in properties.into_iter().flat_map(Map::keys) {
        let is_good = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !begins || !name.chars().all(is_good) || name.len() > GEMINI_PARAMETER_CHARS_MAX {
            let problem = format!(
                "Invalid parameter name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9) or underscores (_), with a maximum length of {GEMINI_PARAMETER_CHARS_MAX}."
            );
            return Err(fault::broken(&format!("{path}.properties[{name}]"), &problem));
        }
    }
    check_readable(schema, path)?;
    check_sense(schema, path)
}

/// Refuses what cannot be read as a schema.
fn check_readable(schema: &Map<String, Value>, path: &str) -> Checked {
    for (key, value) in schema {
        if !FIELDS.contains(&key.as_str()) {
            return Err(fault::unknown(path, key));
        }
        let inner = format!("{path}.{}", snake(key));
        match (key.as_str(), value) {
            ("type", Value::Array(_)) => return Err(fault::repeated(path, key)),
            ("type", word) => check_type(word, &inner)?,
            ("enum", Value::Array(values)) => {
                if let Some(at) = values.iter().position(|value| !value.is_string()) {
                    let value = values.get(at).unwrap_or(&Value::Null);
                    return Err(fault::wrong_value(
                        &format!("{inner}[{at}]"),
                        "TYPE_STRING",
                        value,
                    ));
                }
            }
            ("items", value) => check_readable(object(value, &inner)?, &inner)?,
            ("properties", value) => {
                for (at, schema) in object(value, &inner)?.values().enumerate() {
                    let inner = format!("{inner}[{at}].value");
                    check_readable(object(schema, &inner)?, &inner)?;
                }
            }
            ("anyOf", Value::Array(branches)) => {
                for (at, schema) in branches.iter().enumerate() {
                    let inner = format!("{inner}[{at}]");
                    check_readable(object(schema, &inner)?, &inner)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_type(word: &Value, path: &str) -> Checked {
    let is_good = |word: &str| TYPES.iter().any(|known| known.eq_ignore_ascii_case(word));
    if word.as_str().is_some_and(is_good) {
        return Ok(());
    }
    let kind = "type.googleapis.com/google.ai.generativelanguage.v1beta.Type";
    Err(fault::wrong_value(path, kind, word))
}

/// Refuses what can be read and makes no sense.
fn check_sense(schema: &Map<String, Value>, path: &str) -> Checked {
    let is = |kind: &str| {
        let word = read::text(schema.get("type"));
        word.eq_ignore_ascii_case(kind)
    };
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    if is("OBJECT") && properties.is_empty() {
        let path = format!("{path}.properties");
        return Err(fault::broken(&path, "should be non-empty for OBJECT type"));
    }
    if is("ARRAY") && !schema.contains_key("items") {
        return Err(fault::broken(&format!("{path}.items"), "missing field."));
    }
    if schema.contains_key("enum") && !is("STRING") {
        return Err(fault::broken(&format!("{path}.enum"), "only allowed for STRING type"));
    }
    for (at, name) in read::list(schema.get("required")).iter().enumerate() {
        if !name.as_str().is_some_and(|name| properties.contains_key(name)) {
            let path = format!("{path}.required[{at}]");
            return Err(fault::broken(&path, "property is not defined"));
        }
    }
    for (name, inner) in properties {
        check_inner(inner, &format!("{path}.properties[{name}]"))?;
    }
    if let Some(items) = schema.get("items") {
        check_inner(items, &format!("{path}.items"))?;
    }
    for (at, inner) in read::list(schema.get("anyOf")).iter().enumerate() {
        check_inner(inner, &format!("{path}.any_of[{at}]"))?;
    }
    Ok(())
}

fn check_inner(schema: &Value, path: &str) -> Checked {
    check_sense(object(schema, path)?, path)
}
