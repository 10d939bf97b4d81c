//! Fields of a JSON object: which are known, which are required, and of what type they are.

use serde_json::{Map, Value};

use super::fault::{self, fault};
use crate::Refusal;
use crate::shape::join;
use crate::wire::Checked;

/// What a field may hold; null counts as a field that is not there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Text,
    /// A whole number from this one on.
    Whole(i64),
    /// A number between these two.
    Number(f64, f64),
    Truth,
    Object,
    /// An array; the words are what the server calls it.
    Array(&'static str),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Checked elsewhere.
    Any,
}

/// Refuses every key of `object` that is not in the table, then every value of another type.
pub(crate) fn check(object: &Map<String, Value>, path: &str, table: &[(&str, Kind)]) -> Checked {
    if let Some(key) = object.keys().find(|key| table.iter().all(|(name, _)| name != key)) {
        return Err(fault::unknown(&join(path, key)));
    }
    for (name, kind) in table {
        if let Some(value) = present(object, name) {
            check_kind(value, &join(path, name), *kind)?;
        }
    }
    Ok(())
}

fn check_kind(value: &Value, path: &str, kind: Kind) -> Checked {
    let wrong = |expected: &str| Err(fault::wrong_type(path, expected, value));
    match (kind, value) {
        (Kind::Any, _)
        | (Kind::Text, Value::String(_))
        | (Kind::Truth, Value::Bool(_))
        | (Kind::Object, Value::Object(_))
        | (Kind::Array(_), Value::Array(_)) => Ok(()),
        (Kind::Text, _) => wrong("a string"),
        (Kind::Truth, _) => wrong("a boolean"),
        (Kind::Object, _) => wrong("an object"),
        (Kind::Array(expected), _) => wrong(expected),
        (Kind::Word(words), Value::String(word)) if words.contains(&word.as_str()) => Ok(()),
        (Kind::Word(words), Value::String(word)) => Err(fault::wrong_value(path, word, words)),
        (Kind::Word(words), _) => wrong(&format!("one of {}", fault::listed(words, "or"))),
        (Kind::Whole(least), _) => match value.as_i64() {
            Some(number) if number < least => Err(below(path, "integer", least, number)),
            Some(_) => Ok(()),
            None => wrong("an integer"),
        },
        (Kind::Number(least, most), _) => match value.as_f64() {
            Some(number) if number < least => Err(below(path, "decimal", least, number)),
            Some(number) if number > most => Err(above(path, most, number)),
            Some(_) => Ok(()),
            None => wrong("a decimal"),
        },
    }
}

fn below(
    path: &str,
    what: &str,
    least: impl std::fmt::Display,
    got: impl std::fmt::Display,
) -> Refusal {
    let message = format!(
        "Invalid '{path}': {what} below minimum value. Expected a value >= {least}, but got {got} instead."
    );
    fault(Some(path), Some(&format!("{what}_below_min_value")), message)
}

fn above(path: &str, most: f64, got: f64) -> Refusal {
    let message = format!(
        "Invalid '{path}': decimal above maximum value. Expected a value <= {most}, but got {got} instead."
    );
    fault(Some(path), Some("decimal_above_max_value"), message)
}

/// Returns a field that is there and not null.
pub(crate) fn present<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// Returns a field that must be there.
pub(crate) fn required<'a>(
    object: &'a Map<String, Value>,
    path: &str,
    name: &str,
) -> Result<&'a Value, Refusal> {
    present(object, name).ok_or_else(|| fault::missing(&join(path, name)))
}

/// Returns a text that must be there.
pub(crate) fn required_text<'a>(
    object: &'a Map<String, Value>,
    path: &str,
    name: &str,
) -> Result<&'a str, Refusal> {
    let value = required(object, path, name)?;
    value.as_str().ok_or_else(|| fault::wrong_type(&join(path, name), "a string", value))
}

/// Returns an object that must be there.
pub(crate) fn required_object<'a>(
    object: &'a Map<String, Value>,
    path: &str,
    name: &str,
) -> Result<&'a Map<String, Value>, Refusal> {
    as_object(required(object, path, name)?, &join(path, name))
}

/// Returns a value that must be an object.
pub(crate) fn as_object<'a>(
    value: &'a Value,
    path: &str,
) -> Result<&'a Map<String, Value>, Refusal> {
    value.as_object().ok_or_else(|| fault::wrong_type(path, "an object", value))
}

/// Returns a text, or nothing where the field is not there or no text.
pub(crate) fn text<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    object.get(name).and_then(Value::as_str)
}
