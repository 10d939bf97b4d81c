//! The outermost schema. Arguments are an object, and vendors want to read that there, without alternatives around it.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Dialect;
use super::pointer::{Pointer, Report, resolve};
use super::walk;
use crate::limits::{PARAMETER_CHARS_MAX, SCHEMA_HOPS_MAX, SCHEMA_INLINED_NODES_MAX};

/// Keywords that no vendor takes in the outermost schema.
const NOWHERE: [&str; 4] = ["$ref", "oneOf", "anyOf", "allOf"];

/// Further keywords that one does not take there.
const NOT_OPENAI: [&str; 2] = ["enum", "not"];

fn is_refused(word: &str, dialect: Dialect) -> bool {
    let is_openai = matches!(dialect, Dialect::OpenAi | Dialect::OpenAiStrict);
    NOWHERE.contains(&word) || is_openai && NOT_OPENAI.contains(&word)
}

/// Says whether a vendor takes a property of this name in the outermost schema; one refuses the whole request for a single one.
fn takes_name(name: &str, dialect: Dialect) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    match dialect {
        Dialect::Anthropic | Dialect::Bedrock => {
            (1..=PARAMETER_CHARS_MAX).contains(&name.len()) && name.bytes().all(is_plain)
        }
        Dialect::OpenAi | Dialect::OpenAiStrict | Dialect::GeminiJson | Dialect::GeminiSchema => {
            true
        }
    }
}

/// Says whether a vendor takes `schema` for arguments as it is. Reads no deeper than it must.
pub(super) fn is_object(schema: &RawValue, dialect: Dialect) -> bool {
    let words: BTreeMap<String, &RawValue> = match serde_json::from_str(schema.get()) {
        Ok(words) => words,
        Err(_) => return false,
    };
    let are_taken = |named: &&RawValue| {
        let named: Result<BTreeMap<String, IgnoredAny>, _> = serde_json::from_str(named.get());
        named.is_ok_and(|named| named.keys().all(|name| takes_name(name, dialect)))
    };
    let is_names = |raw: &&RawValue| serde_json::from_str::<Vec<String>>(raw.get()).is_ok();
    words.get("type").is_some_and(|kind| kind.get() == r#""object""#)
        && words.get("properties").is_some_and(are_taken)
        && words.get("required").is_none_or(is_names)
        && !words.keys().any(|word| is_refused(word, dialect))
}

/// Returns `schema` as one that a vendor takes for arguments.
pub(super) fn object(schema: &Value, dialect: Dialect, report: &mut Report) -> Value {
    let source = Source { document: schema, dialect, taken: Cell::new(0) };
    let mut root = Root::new(&source);
    root.take(schema, &Pointer::root(), 0, report);
    root.join_alternatives(0, report);
    let mut whole = root.whole(report);
    if walk::cut_references(&mut whole) {
        report.lose(&Pointer::root(), "references to what was taken apart");
    }
    whole
}

/// What the outermost schema is put together from.
struct Source<'s> {
    document: &'s Value,
    dialect: Dialect,
    /// How many schemas were taken over; alternatives that refer to each other would never end.
    taken: Cell<usize>,
}

/// The outermost schema while it is put together.
struct Root<'s, 'd> {
    source: &'d Source<'s>,
    properties: Map<String, Value>,
    required: Vec<String>,
    /// Every other keyword.
    words: Map<String, Value>,
    /// Alternatives that were met and not yet joined: their list and its place.
    alternatives: Vec<(&'s [Value], Pointer)>,
}

impl<'s, 'd> Root<'s, 'd> {
    fn new(source: &'d Source<'s>) -> Self {
        Self {
            source,
            properties: Map::new(),
            required: Vec::new(),
            words: Map::new(),
            alternatives: Vec::new(),
        }
    }

    /// Takes over what `schema` says, together with everything that it refers to and is made of.
    fn take(&mut self, schema: &'s Value, place: &Pointer, hops: usize, report: &mut Report) {
        let words = match schema {
            Value::Object(words) => words,
            Value::Bool(true) => return,
            Value::Bool(false) => return report.lose(place, "that no arguments fit"),
            _ => return report.lose(place, "what is no schema"),
        };
        self.source.taken.update(|taken| taken + 1);
        if hops > SCHEMA_HOPS_MAX || self.source.taken.get() > SCHEMA_INLINED_NODES_MAX {
            return report.lose(place, "what lies deeper");
        }
        // What a schema says itself comes before what it takes over.
        let (others, own): (Vec<_>, Vec<_>) =
            words.iter().partition(|(word, _)| matches!(word.as_str(), "$ref" | "allOf"));
        for (word, value) in own.into_iter().chain(others) {
            let place = place.at(word);
            match (word.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (name, schema) in properties {
                        self.take_property(name, schema);
                    }
                }
                ("required", Value::Array(names)) if names.iter().all(Value::is_string) => {
                    self.require(names.iter().filter_map(Value::as_str));
                }
                ("anyOf" | "oneOf", Value::Array(list)) => self.alternatives.push((list, place)),
                ("allOf", Value::Array(list)) => {
                    for (at, part) in list.iter().enumerate() {
                        self.take(part, &place.at(at), hops + 1, report);
                    }
                }
                ("$ref", Value::String(text)) => match resolve(self.source.document, text) {
                    Some((target, place)) => self.take(target, &place, hops + 1, report),
                    None => report.lose(&place, "what it refers to"),
                },
                ("properties" | "required" | "anyOf" | "oneOf" | "allOf" | "$ref", _) => {
                    report.lose(&place, "what cannot be read");
                }
                _ => self.take_word(word, value, &place, report),
            }
        }
    }

    /// Takes over a property; where there is one of the name already, a value must fit both.
    fn take_property(&mut self, name: &str, schema: &Value) {
        let both = match self.properties.get(name) {
            None => schema.clone(),
            Some(known) if known == schema => return,
            Some(known) => combined("allOf", vec![known.clone(), schema.clone()]),
        };
        self.properties.insert(name.to_owned(), both);
    }

    fn require<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            if !self.required.iter().any(|known| known == name) {
                self.required.push(name.to_owned());
            }
        }
    }

    fn take_word(&mut self, word: &str, value: &Value, place: &Pointer, report: &mut Report) {
        if is_refused(word, self.source.dialect) {
            return report.lose(place, "what the vendor does not take here");
        }
        match self.words.get(word) {
            None => drop(self.words.insert(word.to_owned(), value.clone())),
            Some(known) if known == value || is_annotation(word) => {}
            Some(_) => report.lose(place, "a second word on the same"),
        }
    }

    /// Turns alternatives into one object that has the properties of all and requires what all of them require.
    fn join_alternatives(&mut self, hops: usize, report: &mut Report) {
        for (list, place) in std::mem::take(&mut self.alternatives) {
            report.lose(&place, "which of the alternatives belong together");
            // What single alternatives lose is part of what was said.
            let mut unsaid = Report::default();
            let branches: Vec<Self> = list
                .iter()
                .map(|schema| {
                    let mut branch = Self::new(self.source);
                    branch.take(schema, &place, hops + 1, &mut unsaid);
                    if hops < SCHEMA_HOPS_MAX {
                        branch.join_alternatives(hops + 1, &mut unsaid);
                    }
                    branch
                })
                .collect();
            self.join(&branches);
        }
    }

    fn join(&mut self, branches: &[Self]) {
        let Some((first, others)) = branches.split_first() else { return };
        let in_all = |name: &&String| others.iter().all(|other| other.required.contains(name));
        let required: Vec<&str> =
            first.required.iter().filter(in_all).map(String::as_str).collect();
        self.require(required);
        let mut variants: Map<String, Value> = Map::new();
        for (name, schema) in branches.iter().flat_map(|branch| &branch.properties) {
            if self.properties.contains_key(name) {
                continue;
            }
            let known = variants.entry(name).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(known) = known
                && !known.contains(schema)
            {
                known.push(schema.clone());
            }
        }
        for (name, variants) in variants {
            let schema = match variants {
                Value::Array(mut one) if one.len() == 1 => one.pop().unwrap_or_default(),
                Value::Array(several) => combined("anyOf", several),
                _ => continue,
            };
            self.properties.insert(name, schema);
        }
        let is_closed = |branch: &Self| {
            branch.words.get("additionalProperties").is_some_and(|more| more == &Value::Bool(false))
        };
        if branches.iter().all(is_closed) && !self.words.contains_key("additionalProperties") {
            self.words.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
    }

    fn whole(mut self, report: &mut Report) -> Value {
        let may_be_object = match self.words.shift_remove("type") {
            None => true,
            Some(Value::String(kind)) => kind == "object",
            Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
            Some(_) => false,
        };
        if !may_be_object {
            report.lose(&Pointer::root().at("type"), "that it is no object");
        }
        let dialect = self.source.dialect;
        for name in self.properties.keys().filter(|name| !takes_name(name, dialect)) {
            let place = Pointer::root().at("properties").at(name);
            report.lose(&place, "a parameter whose name the vendor refuses");
        }
        self.properties.retain(|name, _| takes_name(name, dialect));
        self.required.retain(|name| takes_name(name, dialect));
        let mut whole = Map::new();
        whole.insert("type".to_owned(), Value::from("object"));
        whole.insert("properties".to_owned(), Value::Object(self.properties));
        if !self.required.is_empty() {
            whole.insert("required".to_owned(), Value::from(self.required));
        }
        whole.extend(self.words);
        Value::Object(whole)
    }
}

fn combined(word: &str, schemas: Vec<Value>) -> Value {
    Value::Object(Map::from_iter([(word.to_owned(), Value::from(schemas))]))
}

/// Says whether a keyword only tells people something.
pub(super) fn is_annotation(word: &str) -> bool {
    const WORDS: [&str; 13] = [
        "title", "description", "default", "example", "examples", "deprecated", "readOnly",
        "writeOnly", "$comment", "id", "$id", "$schema", "$anchor",
    ];
    WORDS.contains(&word) || word.starts_with("x-")
}
