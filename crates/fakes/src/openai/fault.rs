//! OpenAI's refusals in OpenAI's words.

use serde_json::Value;

use crate::Refusal;

/// A refusal with the parameter and the code that it names.
pub(crate) fn fault(param: Option<&str>, code: Option<&str>, message: String) -> Refusal {
    let refusal = Refusal::new(400, "invalid_request_error", message);
    let details = [("param", param), ("code", code)];
    details.into_iter().fold(refusal, |refusal, (detail, value)| match value {
        Some(value) => refusal.with(detail, value),
        None => refusal,
    })
}

pub(crate) fn missing(path: &str) -> Refusal {
    let message = format!("Missing required parameter: '{path}'.");
    fault(Some(path), Some("missing_required_parameter"), message)
}

pub(crate) fn unknown(path: &str) -> Refusal {
    fault(Some(path), Some("unknown_parameter"), format!("Unknown parameter: '{path}'."))
}

pub(crate) fn wrong_type(path: &str, expected: &str, got: &Value) -> Refusal {
    let got = described(got);
    let message = format!("Invalid type for '{path}': expected {expected}, but got {got} instead.");
    fault(Some(path), Some("invalid_type"), message)
}

pub(crate) fn wrong_value(path: &str, got: &str, supported: &[&str]) -> Refusal {
    let supported = listed(supported, "and");
    let message = format!("Invalid value: '{got}'. Supported values are: {supported}.");
    fault(Some(path), Some("invalid_value"), message)
}

pub(crate) fn unsupported(path: &str, instead: Option<&str>) -> Refusal {
    let hint = instead.map(|name| format!(" Use '{name}' instead.")).unwrap_or_default();
    let message =
        format!("Unsupported parameter: '{path}' is not supported with this model.{hint}");
    fault(Some(path), Some("unsupported_parameter"), message)
}

pub(crate) fn empty_array(path: &str) -> Refusal {
    let message = format!(
        "Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty array instead."
    );
    fault(Some(path), Some("empty_array"), message)
}

pub(crate) fn array_too_long(path: &str, length_max: usize, length: usize) -> Refusal {
    let message = format!(
        "Invalid '{path}': array too long. Expected an array with maximum length {length_max}, but got an array with length {length} instead."
    );
    fault(Some(path), Some("array_above_max_length"), message)
}

pub(crate) fn string_too_long(path: &str, length_max: usize, length: usize) -> Refusal {
    let message = format!(
        "Invalid '{path}': string too long. Expected a string with maximum length {length_max}, but got a string with length {length} instead."
    );
    fault(Some(path), Some("string_above_max_length"), message)
}

pub(crate) fn wrong_pattern(path: &str, pattern: &str) -> Refusal {
    let message = format!(
        "Invalid '{path}': string does not match pattern. Expected a string that matches the pattern '{pattern}'."
    );
    fault(Some(path), Some("invalid_value"), message)
}

/// Names a value's type with its article.
fn described(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a decimal number",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Lists words in quotes, with `last` before the last one.
pub(crate) fn listed(words: &[&str], last: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [one, other] => format!("{one} {last} {other}"),
        [before @ .., end] => format!("{}, {last} {end}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn words_are_listed_as_the_server_lists_them() {
        assert_eq!(listed(&["a"], "or"), "'a'");
        assert_eq!(listed(&["a", "b"], "or"), "'a' or 'b'");
        assert_eq!(listed(&["a", "b", "c"], "and"), "'a', 'b', and 'c'");
    }
}
