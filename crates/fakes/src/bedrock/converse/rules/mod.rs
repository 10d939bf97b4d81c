//! What Converse refuses, in the order in which it looks: the shape of its model first, then what blocks mean together.

mod blocks;
mod messages;
mod pairs;
mod tools;
mod top;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use crate::anthropic::Sent;
use crate::bedrock::error::invalid;
use crate::shape::{Field, Flaw, holds};
use crate::wire::Checked;
use crate::{Asked, Refusal};

/// Holds the request against every rule.
pub(super) fn check(asked: &Asked, sent: &Sent) -> Checked {
    let Some(body) = asked.body.as_object() else {
        return Err(invalid("Unexpected token at the start of the request body"));
    };
    top::check(asked, body)?;
    tools::check(body)?;
    messages::check(asked, body, sent)?;
    pairs::check(asked, body)?;
    tools::fit_the_model(asked, body)
}

/// Holds an object against its fields, in the words of the runtime.
fn held(object: &Map<String, Value>, fields: &[Field], at: &str) -> Checked {
    holds(object, fields, at).map_err(|flaw| match flaw {
        Flaw::Extra(path) => {
            invalid(format!("Malformed input request: extraneous key [{path}] is not permitted"))
        }
        Flaw::Missing(path) => constraint(&path, "Member must not be null"),
        Flaw::Wrong(path, kind) => constraint(&path, &format!("Member must be a {}", kind.word())),
    })
}

/// A value that its model does not allow.
fn constraint(path: &str, rule: &str) -> Refusal {
    invalid(format!(
        "1 validation error detected: Value at '{path}' failed to satisfy constraint: {rule}"
    ))
}

/// Returns the path of an entry of a list, as the runtime counts them.
fn member(path: &str, at: usize) -> String {
    format!("{path}.{}.member", at + 1)
}

/// Returns the only field of a union.
fn variant<'v>(value: &'v Value, path: &str) -> Result<(&'v str, &'v Value), Refusal> {
    let fields = value.as_object();
    let mut fields = fields.into_iter().flatten();
    match (fields.next(), fields.next()) {
        (Some((name, inner)), None) => Ok((name, inner)),
        _ => Err(invalid(format!(
            "Invalid union at '{path}': exactly one of its members must be set"
        ))),
    }
}

/// Returns the object in a member of a union.
fn object<'v>(value: &'v Value, path: &str) -> Result<&'v Map<String, Value>, Refusal> {
    value.as_object().ok_or_else(|| constraint(path, "Member must be a structure"))
}

/// Holds a text against the letters and the length that names and ids have.
fn word(text: &str, path: &str, punctuation: &str, chars_max: usize) -> Checked {
    if text.is_empty() {
        return Err(constraint(path, "Member must have length greater than or equal to 1"));
    }
    if text.chars().count() > chars_max {
        let rule = format!("Member must have length less than or equal to {chars_max}");
        return Err(constraint(path, &rule));
    }
    match text.chars().all(|c| c.is_ascii_alphanumeric() || punctuation.contains(c)) {
        true => Ok(()),
        false => Err(constraint(
            path,
            &format!("Member must satisfy regular expression pattern: [a-zA-Z0-9{punctuation}]+"),
        )),
    }
}

/// Holds a mark for the cache against its model.
fn cache_point(value: &Value, path: &str) -> Checked {
    use crate::shape::{Kind, may, need};

    let point = object(value, path)?;
    held(point, &[need("type", Kind::Text), may("ttl", Kind::Text)], path)?;
    let field = |name: &str| point.get(name).and_then(Value::as_str);
    if field("type") != Some("default") {
        let rule = "Member must satisfy enum value set: [default]";
        return Err(constraint(&format!("{path}.type"), rule));
    }
    match field("ttl") {
        None | Some("5m" | "1h") => Ok(()),
        Some(_) => {
            Err(constraint(&format!("{path}.ttl"), "Member must satisfy enum value set: [1h, 5m]"))
        }
    }
}
