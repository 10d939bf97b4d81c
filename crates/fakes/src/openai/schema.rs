//! The schema of a function's parameters: the little that is asked of every one, and the subset that strict ones keep to.

use serde_json::{Map, Value};

use super::fault::fault;
use crate::limits::{STRICT_CHARS_MAX, STRICT_DEPTH_MAX, STRICT_PROPERTIES_MAX, STRICT_VALUES_MAX};
use crate::wire::Checked;
use crate::{Refusal, read};

/// Words that no parameters may have at their root.
const NOT_AT_ROOT: [&str; 5] = ["oneOf", "anyOf", "allOf", "enum", "not"];

/// Words that a strict schema may have nowhere.
const NOT_STRICT: [&str; 14] = [
    "allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas",
    "patternProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "contains",
    "uniqueItems",
];

/// Holds the parameters of the function `name` against the rules.
pub(crate) fn check(
    name: &str,
    schema: &Map<String, Value>,
    path: &str,
    is_strict: bool,
) -> Checked {
    if schema.is_empty() && !is_strict {
        return Ok(());
    }
    let mut walk = Walk { is_strict, properties: 0, values: 0, chars: 0, at: Vec::new() };
    walk.root(schema).map_err(|problem| refusal(name, path, &problem))
}

fn refusal(name: &str, path: &str, problem: &str) -> Refusal {
    let message = format!("Invalid schema for function '{name}': {problem}");
    fault(Some(path), Some("invalid_function_parameters"), message)
}

/// A walk through one schema.
struct Walk {
    is_strict: bool,
    properties: usize,
    values: usize,
    chars: usize,
    /// Where it is now.
    at: Vec<String>,
}

impl Walk {
    fn root(&mut self, schema: &Map<String, Value>) -> Result<(), String> {
        match schema.get("type") {
            Some(Value::String(kind)) if kind == "object" => {}
            kind => {
                let kind = match kind {
                    None => "None".to_owned(),
                    Some(Value::String(kind)) => kind.clone(),
                    Some(other) => other.to_string(),
                };
                return Err(format!(
                    "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
                ));
            }
        }
        if NOT_AT_ROOT.iter().any(|word| schema.contains_key(*word)) {
            return Err("schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.".to_owned());
        }
        if !schema.get("properties").is_some_and(Value::is_object) {
            return Err(self.here("object schema missing properties."));
        }
        self.schema(schema, 1)?;
        for (count, limit, what) in [
            (self.properties, STRICT_PROPERTIES_MAX, "properties"),
            (self.values, STRICT_VALUES_MAX, "enum values"),
            (self.chars, STRICT_CHARS_MAX, "characters of names and enum values"),
        ] {
            if self.is_strict && count > limit {
                return Err(format!("{count} {what} exceeds limit of {limit}."));
            }
        }
        Ok(())
    }

    /// Visits one schema, which lies `depth` objects and arrays deep.
    fn schema(&mut self, schema: &Map<String, Value>, depth: usize) -> Result<(), String> {
        if has_type(schema, "array") && !schema.contains_key("items") {
            return Err(self.here("array schema missing items."));
        }
        if self.is_strict {
            self.strict(schema, depth)?;
        }
        for word in ["properties", "$defs", "definitions"] {
            let Some(named) = schema.get(word).and_then(Value::as_object) else { continue };
            for (name, inner) in named {
                let depth = if word == "properties" { depth + 1 } else { 1 };
                self.inside(&[word, name], inner, depth)?;
            }
        }
        if let Some(items) = schema.get("items") {
            self.inside(&["items"], items, depth + 1)?;
        }
        for word in ["anyOf", "oneOf", "allOf"] {
            for (number, inner) in read::list(schema.get(word)).iter().enumerate() {
                self.inside(&[word, &number.to_string()], inner, depth)?;
            }
        }
        Ok(())
    }

    fn inside(&mut self, steps: &[&str], schema: &Value, depth: usize) -> Result<(), String> {
        let Some(schema) = schema.as_object() else { return Ok(()) };
        let before = self.at.len();
        self.at.extend(steps.iter().map(|step| (*step).to_owned()));
        self.schema(schema, depth)?;
        self.at.truncate(before);
        Ok(())
    }

    fn strict(&mut self, schema: &Map<String, Value>, depth: usize) -> Result<(), String> {
        if let Some(word) = NOT_STRICT.iter().find(|word| schema.contains_key(**word)) {
            return Err(self.here(&format!("'{word}' is not permitted.")));
        }
        if ["type", "anyOf", "$ref"].iter().all(|word| !schema.contains_key(*word)) {
            return Err(self.here("schema must have a 'type' key."));
        }
        // The root is the first level; what lies in an object or array of the last one would be the next.
        let is_nest = has_type(schema, "object") || has_type(schema, "array");
        if is_nest && depth > STRICT_DEPTH_MAX {
            return Err(format!("{depth} levels of nesting exceeds limit of {STRICT_DEPTH_MAX}."));
        }
        let values = read::list(schema.get("enum"));
        self.values += values.len();
        self.chars += values.iter().chain(schema.get("const")).map(chars_of).sum::<usize>();
        if has_type(schema, "object") {
            self.strict_object(schema)?;
        }
        Ok(())
    }

    fn strict_object(&mut self, schema: &Map<String, Value>) -> Result<(), String> {
        if schema.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Err(
                self.here("'additionalProperties' is required to be supplied and to be false.")
            );
        }
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        self.properties += properties.len();
        self.chars += properties.keys().map(|name| name.chars().count()).sum::<usize>();
        let required = read::list(schema.get("required")).iter();
        let required: Vec<&str> = required.filter_map(Value::as_str).collect();
        let rule = "'required' is required to be supplied and to be an array including every key in properties.";
        if let Some(name) = properties.keys().find(|name| !required.contains(&name.as_str())) {
            return Err(self.here(&format!("{rule} Missing '{name}'.")));
        }
        if let Some(name) = required.iter().find(|name| !properties.contains_key(**name)) {
            return Err(self.here(&format!("{rule} Extra required key '{name}' supplied.")));
        }
        Ok(())
    }

    /// Says where the problem is, as the server's own language prints a tuple.
    fn here(&self, problem: &str) -> String {
        let steps: Vec<String> = self.at.iter().map(|step| format!("'{step}'")).collect();
        let comma = if steps.len() == 1 { "," } else { "" };
        format!("In context=({}{comma}), {problem}", steps.join(", "))
    }
}

fn has_type(schema: &Map<String, Value>, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => false,
    }
}

fn chars_of(value: &Value) -> usize {
    value.as_str().map_or_else(|| value.to_string().chars().count(), |text| text.chars().count())
}
