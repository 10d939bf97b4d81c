//! What is wrong with arguments, as the model reads it.

use std::fmt::{Display, Write as _};

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;
use serde_json::value::RawValue;

use super::shape;
use crate::ToolError;
use crate::arguments::form;
use crate::excerpt::excerpt;
use crate::limits::{ECHO_CHARS_MAX, PROBLEM_PART_CHARS_MAX, PROBLEMS_MAX, SHAPE_VALUES_MAX};

/// Returns the error for arguments that do not fit.
pub(crate) fn refusal(
    name: &str,
    schema: Option<&RawValue>,
    sent: &str,
    problems: impl Display,
) -> ToolError {
    let shape = schema.map_or_else(|| "{}".to_owned(), shape::of);
    let sent = excerpt(sent.trim(), ECHO_CHARS_MAX);
    ToolError::arguments(name, &problems.to_string(), &shape, &sent)
}

/// Returns the first problems, one after the other.
pub(super) fn listed<'e>(errors: impl Iterator<Item = ValidationError<'e>>) -> String {
    let mut errors = errors.peekable();
    let mut text = String::new();
    for error in errors.by_ref().take(PROBLEMS_MAX) {
        if !text.is_empty() {
            text.push_str("; ");
        }
        text.push_str(&problem(&error));
    }
    if errors.peek().is_some() {
        text.push_str("; and more");
    }
    text
}

/// Returns one problem: the place, what must be there and, where it helps, what is.
fn problem(error: &ValidationError<'_>) -> String {
    let place = place(error.instance_path().as_str());
    let at = if place.is_empty() { "they".to_owned() } else { format!("'{place}'") };
    let inner = |key: &str| {
        let dot = if place.is_empty() { "" } else { "." };
        format!("'{place}{dot}{}'", excerpt(key, PROBLEM_PART_CHARS_MAX))
    };
    match error.kind() {
        Kind::Required { property } => {
            format!("{} is missing", inner(property.as_str().unwrap_or_default()))
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let keys: Vec<String> =
                unexpected.iter().take(PROBLEMS_MAX).map(|k| inner(k)).collect();
            let verb = if keys.len() == 1 { "is not an argument" } else { "are not arguments" };
            format!("{} {verb}, leave it out", keys.join(", "))
        }
        Kind::Type { kind } => {
            format!("{at} must be {}, not {}", types(kind), form(error.instance()))
        }
        Kind::Enum { options } => format!("{at} must be {}", values(options)),
        Kind::Constant { expected_value } => format!("{at} must be {}", value(expected_value)),
        Kind::Minimum { limit } => format!("{at} must be at least {limit}"),
        Kind::Maximum { limit } => format!("{at} must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("{at} must be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("{at} must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("{at} must be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("{at} must have at least {limit} characters"),
        Kind::MaxLength { limit } => format!("{at} must have at most {limit} characters"),
        Kind::MinItems { limit } => format!("{at} must have at least {limit} items"),
        Kind::MaxItems { limit } => format!("{at} must have at most {limit} items"),
        Kind::MinProperties { limit } => format!("{at} must have at least {limit} keys"),
        Kind::MaxProperties { limit } => format!("{at} must have at most {limit} keys"),
        Kind::UniqueItems => format!("{at} must not have the same item twice"),
        Kind::Pattern { pattern } => {
            format!("{at} must match the pattern `{}`", excerpt(pattern, PROBLEM_PART_CHARS_MAX))
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            format!("{at} fit none of the allowed forms{}", closest(context))
        }
        Kind::OneOfMultipleValid { .. } => {
            format!("{at} fit several of the allowed forms, and must fit one alone")
        }
        // The rest is rare; masking keeps what was sent out of the text.
        _ => excerpt(&format!("{at}: {}", error.masked()), PROBLEM_PART_CHARS_MAX),
    }
}

/// Returns what stands between the value and the form with the fewest problems.
fn closest(forms: &[Vec<ValidationError<'static>>]) -> String {
    let Some(errors) = forms.iter().filter(|errors| !errors.is_empty()).min_by_key(|e| e.len())
    else {
        return String::new();
    };
    let only_types = forms.iter().flatten().all(|error| matches!(error.kind(), Kind::Type { .. }));
    let shown: Vec<String> = if only_types {
        forms.iter().flatten().take(PROBLEMS_MAX).map(problem).collect()
    } else {
        errors.iter().take(PROBLEMS_MAX).map(problem).collect()
    };
    format!(" ({})", shown.join(if only_types { ", or " } else { ", " }))
}

/// Returns a JSON pointer as people write places: `filter.columns[2]`.
fn place(pointer: &str) -> String {
    let mut place = String::new();
    for step in pointer.split('/').skip(1) {
        let step = excerpt(&step.replace("~1", "/").replace("~0", "~"), PROBLEM_PART_CHARS_MAX);
        if !step.is_empty() && step.bytes().all(|sign| sign.is_ascii_digit()) {
            // Writing to a `String` cannot fail.
            let _ = write!(place, "[{step}]");
        } else {
            place.push_str(if place.is_empty() { "" } else { "." });
            place.push_str(&step);
        }
    }
    place
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => with_article(*kind).to_owned(),
        TypeKind::Multiple(kinds) => {
            let kinds: Vec<&str> = kinds.into_iter().map(with_article).collect();
            kinds.join(" or ")
        }
    }
}

const fn with_article(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
    }
}

/// Returns the values of an `enum`, as many as are worth reading.
fn values(options: &Value) -> String {
    let Value::Array(options) = options else { return value(options) };
    let mut shown: Vec<String> = options.iter().take(SHAPE_VALUES_MAX).map(value).collect();
    if options.len() > shown.len() {
        shown.push("…".to_owned());
    }
    if shown.len() == 1 { shown.remove(0) } else { format!("one of {}", shown.join(", ")) }
}

/// Returns one value as JSON, cut where it is long.
pub(super) fn value(value: &Value) -> String {
    excerpt(&value.to_string(), PROBLEM_PART_CHARS_MAX)
}
