//! The subset of JSON Schema in which OpenAI guarantees that arguments fit: every object closed, every property required.

use serde_json::{Map, Value};

use super::pointer::{Pointer, Report};
use super::root::is_annotation;
use crate::limits::{
    STRICT_DEPTH_MAX, STRICT_NAMES_CHARS_MAX, STRICT_PROPERTIES_MAX, STRICT_VALUES_MAX,
};

/// Formats of texts that the subset has.
const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// Keywords that are taken over as they are.
const KEPT: [&str; 11] = [
    "type", "title", "description", "pattern", "multipleOf", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
];

/// Keywords under which only such schemas stand that others refer to.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// A schema in the subset.
#[derive(Debug)]
pub(super) struct Strict {
    pub(super) schema: Value,
    /// Whether something optional may be null in it although the schema does not say so.
    pub(super) adds_null: bool,
}

/// Returns a schema whose root is an object in the subset; `None`, and nothing reported, where it cannot be put so.
pub(super) fn strict(schema: &Value, report: &mut Report) -> Option<Strict> {
    let mut writer = Writer::default();
    let written = writer.schema(schema, &Pointer::root(), 0)?;
    let fits = writer.properties <= STRICT_PROPERTIES_MAX
        && writer.values <= STRICT_VALUES_MAX
        && writer.chars <= STRICT_NAMES_CHARS_MAX;
    if !fits {
        return None;
    }
    report.extend(writer.report);
    Some(Strict { schema: written, adds_null: writer.adds_null })
}

#[derive(Default)]
struct Writer {
    report: Report,
    properties: usize,
    /// Fixed values.
    values: usize,
    /// The length of names and fixed values.
    chars: usize,
    adds_null: bool,
}

impl Writer {
    fn schema(&mut self, schema: &Value, place: &Pointer, depth: usize) -> Option<Value> {
        let words = schema.as_object()?;
        if let Some(reference) = words.get("$ref") {
            return self.reference(reference, words, place);
        }
        let kinds = kinds(words)?;
        let depth = depth + usize::from(kinds.contains(&"object") || kinds.contains(&"array"));
        if depth > STRICT_DEPTH_MAX {
            return None;
        }
        let mut written = Map::new();
        for (word, value) in words {
            if let Some(value) = self.word(word, value, &place.at(word), depth)? {
                let word = if word == "oneOf" { "anyOf" } else { word };
                written.insert(word.to_owned(), value);
            }
        }
        if kinds.contains(&"object") {
            self.object(words, &mut written, place, depth)?;
        }
        if kinds.contains(&"array") && !written.contains_key("items") {
            return None;
        }
        Some(Value::Object(written))
    }

    fn reference(
        &mut self,
        reference: &Value,
        words: &Map<String, Value>,
        place: &Pointer,
    ) -> Option<Value> {
        let text = reference.as_str()?;
        let is_defined = |word: &&str| {
            let name = text.strip_prefix('#').and_then(|rest| rest.strip_prefix('/'));
            let name = name.and_then(|rest| rest.strip_prefix(*word)?.strip_prefix('/'));
            name.is_some_and(|name| !name.contains('/'))
        };
        if text != "#" && !DEFINITIONS.iter().any(is_defined) {
            return None;
        }
        for (word, _) in words.iter().filter(|(word, _)| *word != "$ref") {
            self.report.lose(&place.at(word), "what stands beside a reference");
        }
        Some(Value::Object(Map::from_iter([("$ref".to_owned(), reference.clone())])))
    }

    /// Writes a keyword; `Some(None)` where it is left out.
    #[expect(
        clippy::option_option,
        reason = "that the schema fails is one thing, that a keyword goes another"
    )]
    fn word(
        &mut self,
        word: &str,
        value: &Value,
        place: &Pointer,
        depth: usize,
    ) -> Option<Option<Value>> {
        Some(match word {
            "properties" | "required" | "additionalProperties" => None,
            "items" => Some(self.schema(value, place, depth)?),
            "anyOf" | "oneOf" => {
                if word == "oneOf" {
                    self.report.lose(place, "that only one of the alternatives may fit");
                }
                let list = value.as_array().filter(|list| !list.is_empty())?.iter().enumerate();
                let list: Option<Vec<Value>> =
                    list.map(|(at, schema)| self.schema(schema, &place.at(at), depth)).collect();
                Some(Value::from(list?))
            }
            "enum" | "const" => {
                let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
                self.values += values.len();
                self.chars += values.iter().map(chars).sum::<usize>();
                (!values.is_empty()).then(|| value.clone())
            }
            "$defs" | "definitions" => {
                let mut named = Map::new();
                for (name, schema) in value.as_object()? {
                    self.chars += name.chars().count();
                    named.insert(name.clone(), self.schema(schema, &place.at(name), 0)?);
                }
                Some(Value::Object(named))
            }
            "format" => match value.as_str() {
                Some(format) if FORMATS.contains(&format) => Some(value.clone()),
                _ => {
                    self.report.lose(place, "what the vendor has no word for");
                    None
                }
            },
            "allOf" | "prefixItems" => return None,
            // Older drafts say only whether a bound counts itself.
            "exclusiveMinimum" | "exclusiveMaximum" if !value.is_number() => return None,
            word if KEPT.contains(&word) => Some(value.clone()),
            word if is_annotation(word) => None,
            _ => {
                self.report.lose(place, "what the vendor has no word for");
                None
            }
        })
    }

    /// Closes an object: all that it has is required, and what was optional may be null.
    fn object(
        &mut self,
        words: &Map<String, Value>,
        written: &mut Map<String, Value>,
        place: &Pointer,
        depth: usize,
    ) -> Option<()> {
        match words.get("additionalProperties") {
            None | Some(Value::Bool(false)) => {}
            // An object that holds whatever comes would hold nothing.
            Some(_) => return None,
        }
        let none = Map::new();
        let properties = match words.get("properties") {
            Some(properties) => properties.as_object()?,
            None => &none,
        };
        let required: Vec<&str> = match words.get("required") {
            Some(names) => names.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?,
            None => Vec::new(),
        };
        if required.iter().any(|name| !properties.contains_key(*name)) {
            return None;
        }
        let mut closed = Map::new();
        for (name, schema) in properties {
            self.properties += 1;
            self.chars += name.chars().count();
            let place = place.at("properties").at(name);
            let mut schema = self.schema(schema, &place, depth)?;
            if !required.contains(&name.as_str()) {
                let nullable = nullable(schema.clone());
                self.adds_null |= nullable != schema;
                schema = nullable;
            }
            closed.insert(name.clone(), schema);
        }
        let names: Vec<Value> = closed.keys().map(|name| Value::from(name.as_str())).collect();
        written.insert("properties".to_owned(), Value::Object(closed));
        written.insert("required".to_owned(), Value::from(names));
        written.insert("additionalProperties".to_owned(), Value::Bool(false));
        Some(())
    }
}

/// Returns the kinds of values of a schema; `None` where it does not say.
fn kinds(words: &Map<String, Value>) -> Option<Vec<&str>> {
    match words.get("type") {
        Some(Value::String(kind)) => Some(vec![kind]),
        Some(Value::Array(kinds)) if !kinds.is_empty() => kinds.iter().map(Value::as_str).collect(),
        Some(_) => None,
        None => ["anyOf", "oneOf", "enum", "const"]
            .iter()
            .any(|word| words.contains_key(*word))
            .then(Vec::new),
    }
}

/// Returns a schema that takes null as well.
fn nullable(schema: Value) -> Value {
    let null = || Value::from("null");
    let mut words = match schema {
        Value::Object(words) => words,
        other => return other,
    };
    let is_plain = !["$ref", "anyOf", "const", "enum"].iter().any(|word| words.contains_key(*word));
    match words.get_mut("type") {
        Some(kind @ Value::String(_)) if is_plain && *kind != "null" => {
            let kinds = vec![kind.take(), null()];
            *kind = Value::from(kinds);
        }
        Some(Value::Array(kinds)) if is_plain => {
            if !kinds.contains(&null()) {
                kinds.push(null());
            }
        }
        Some(kind) if *kind == "null" => {}
        _ => {
            let null = Map::from_iter([("type".to_owned(), null())]);
            let either = vec![Value::Object(words), Value::Object(null)];
            return Value::Object(Map::from_iter([("anyOf".to_owned(), Value::from(either))]));
        }
    }
    Value::Object(words)
}

fn chars(value: &Value) -> usize {
    value.as_str().map_or(0, |text| text.chars().count())
}
