//! The definition of a function: its name, its parameters.

use serde_json::{Map, Value};

use super::fault;
use super::{fields, schema};
use crate::Refusal;
use crate::limits::OPENAI_NAME_CHARS_MAX;
use crate::shape::join;
use crate::wire::Checked;

const PATTERN: &str = "^[a-zA-Z0-9_-]+$";

/// Holds the definition at `path` against the rules and returns its name.
///
/// With `dots` a name may hold dots, as some other servers allow.
pub(crate) fn check<'a>(
    function: &'a Map<String, Value>,
    path: &str,
    dots: bool,
) -> Result<&'a str, Refusal> {
    let name = fields::required_text(function, path, "name")?;
    check_name(name, &join(path, "name"), dots)?;
    let is_strict = function.get("strict").and_then(Value::as_bool).unwrap_or_default();
    if let Some(parameters) = fields::present(function, "parameters") {
        let path = join(path, "parameters");
        schema::check(name, fields::as_object(parameters, &path)?, &path, is_strict)?;
    }
    Ok(name)
}

/// Holds a name against the rules.
pub(crate) fn check_name(name: &str, path: &str, dots: bool) -> Checked {
    let is_good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || (dots && c == '.');
    if name.is_empty() || !name.chars().all(is_good) {
        return Err(fault::wrong_pattern(path, PATTERN));
    }
    let length = name.chars().count();
    if length > OPENAI_NAME_CHARS_MAX {
        return Err(fault::string_too_long(path, OPENAI_NAME_CHARS_MAX, length));
    }
    Ok(())
}

/// Refuses a name that stands twice. OpenAI was seen to let it pass; nobody who sends it means it.
pub(crate) fn check_unique(names: &[&str]) -> Checked {
    let twice = names
        .iter()
        .enumerate()
        .find(|(at, name)| names.iter().take(*at).any(|before| before == *name));
    match twice {
        Some((_, name)) => {
            let message = format!("Invalid 'tools': duplicate function name '{name}'.");
            Err(fault::fault(Some("tools"), Some("invalid_value"), message))
        }
        None => Ok(()),
    }
}
