//! Every schema within a schema, and two things to mend in them. Works in place.

use serde_json::{Map, Value};

/// Keywords whose value is a schema.
const SCHEMA: [&str; 12] = [
    "items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties",
    "unevaluatedProperties", "propertyNames", "not", "if", "then", "else", "contentSchema",
];

/// Keywords whose value is a list of schemas.
const LIST: [&str; 5] = ["items", "prefixItems", "allOf", "anyOf", "oneOf"];

/// Keywords whose value holds named schemas.
const NAMED: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Shows the keywords of every schema within `schema`, itself included and first.
pub(super) fn each(schema: &mut Value, see: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Value::Object(words) = schema else { return };
    see(words);
    for (word, value) in words {
        match value {
            Value::Object(named) if NAMED.contains(&word.as_str()) => {
                named.values_mut().for_each(|schema| each(schema, see));
            }
            Value::Array(list) if LIST.contains(&word.as_str()) => {
                list.iter_mut().for_each(|schema| each(schema, see));
            }
            value if SCHEMA.contains(&word.as_str()) => each(value, see),
            _ => {}
        }
    }
}

/// Lets every list say that anything may be in it where it said nothing of what it holds, and says whether there was one.
///
/// One vendor refuses lists that say nothing; the meaning is the same.
pub(super) fn fill_items(schema: &mut Value) -> bool {
    let mut has_changed = false;
    each(schema, &mut |words| {
        let is_list = match words.get("type") {
            Some(Value::String(kind)) => kind == "array",
            Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "array"),
            _ => false,
        };
        if is_list && !words.contains_key("items") {
            words.insert("items".to_owned(), Value::Object(Map::new()));
            has_changed = true;
        }
    });
    has_changed
}

/// Takes out references that lead nowhere in `schema`, and says whether there was one.
pub(super) fn cut_references(schema: &mut Value) -> bool {
    let document = schema.clone();
    let mut has_changed = false;
    each(schema, &mut |words| {
        let reference = words.get("$ref").and_then(Value::as_str);
        let place = reference.and_then(|reference| reference.strip_prefix('#'));
        if place.is_some_and(|place| document.pointer(place).is_none()) {
            words.shift_remove("$ref");
            has_changed = true;
        }
    });
    has_changed
}
