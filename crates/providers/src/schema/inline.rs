//! The `Schema` of older Gemini endpoints: one type each, fixed texts only, alternatives that stand alone, and no references.

use serde_json::{Map, Value};

use super::flat::{Flat, Word};
use super::kind::{Kind, kinds};
use super::pointer::{Pointer, Report};
use super::root::is_annotation;
use crate::limits::{PARAMETER_CHARS_MAX, SCHEMA_INLINED_DEPTH_MAX, SCHEMA_INLINED_NODES_MAX};

/// Returns the parameters of a tool whose schema is an object; `None` where it has none.
pub(super) fn inline(root: &Value, report: &mut Report) -> Option<Value> {
    let mut inliner = Inliner { document: root, report, nodes: 0, open: Vec::new() };
    let written = inliner.schema(root, &Pointer::root(), 0);
    let has_properties = written.get("properties").is_some_and(Value::is_object);
    has_properties.then_some(Value::Object(written))
}

struct Inliner<'s, 'r> {
    document: &'s Value,
    report: &'r mut Report,
    /// How many schemas were written.
    nodes: usize,
    /// The references within which the present schema stands.
    open: Vec<&'s str>,
}

impl<'s> Inliner<'s, '_> {
    fn schema(&mut self, schema: &'s Value, place: &Pointer, depth: usize) -> Map<String, Value> {
        if self.is_full(depth) {
            return self.stub_of(schema, place);
        }
        let mut flat = Flat::default();
        flat.take(self.document, schema, place, self.report);
        self.flat(flat, place, depth)
    }

    fn is_full(&self, depth: usize) -> bool {
        depth > SCHEMA_INLINED_DEPTH_MAX || self.nodes >= SCHEMA_INLINED_NODES_MAX
    }

    /// Returns what is left of a schema that is not looked into.
    fn stub_of(&mut self, schema: &Value, place: &Pointer) -> Map<String, Value> {
        self.report.lose(place, "what lies deeper");
        let kind = schema.get("type").and_then(Value::as_str).and_then(Kind::of_word);
        stub(kind.unwrap_or(Kind::Object))
    }

    fn flat(&mut self, flat: Flat<'s>, place: &Pointer, depth: usize) -> Map<String, Value> {
        self.nodes += 1;
        if flat.followed.iter().any(|reference| self.open.contains(reference)) {
            self.report.lose(place, "what lies deeper");
            return stub(kinds(&flat).0.first().copied().unwrap_or(Kind::Object));
        }
        let before = self.open.len();
        self.open.extend(&flat.followed);
        let written = self.alternatives(flat, place, depth);
        self.open.truncate(before);
        written
    }

    /// Writes a schema that may have alternatives, each of which gets everything that stands beside them.
    fn alternatives(
        &mut self,
        mut flat: Flat<'s>,
        place: &Pointer,
        depth: usize,
    ) -> Map<String, Value> {
        let Some(at) = flat.words.iter().position(is_alternatives) else {
            return self.kinds(&flat, place, depth);
        };
        let word = flat.words.remove(at);
        if word.word == "oneOf" {
            self.report.lose(&word.place, "that only one of the alternatives may fit");
        }
        while let Some(at) = flat.words.iter().position(is_alternatives) {
            let further = flat.words.remove(at);
            self.report.lose(&further.place, "further alternatives");
        }
        let list = word.value.as_array().map(Vec::as_slice).unwrap_or_default();
        let mut branches: Vec<Value> = Vec::new();
        for (at, branch) in list.iter().enumerate().filter(|(_, branch)| !is_null(branch)) {
            let place = word.place.at(at);
            let written = if self.is_full(depth + 1) {
                self.stub_of(branch, &place)
            } else {
                let joined = self.joined(branch, &flat, &place);
                self.flat(joined, &place, depth + 1)
            };
            push_flat(&mut branches, written);
        }
        if branches.is_empty() {
            push_flat(&mut branches, self.kinds(&flat, place, depth));
        }
        if list.iter().any(is_null) {
            branches.iter_mut().for_each(make_nullable);
        }
        either(branches)
    }

    /// Returns an alternative with everything that stands beside the alternatives.
    fn joined(&mut self, branch: &'s Value, beside: &Flat<'s>, place: &Pointer) -> Flat<'s> {
        // References that led to what stands beside are open around the branch already.
        let mut joined = Flat::default();
        joined.take(self.document, branch, place, self.report);
        for word in &beside.words {
            joined.add(word.clone(), self.report);
        }
        for property in &beside.properties {
            match joined.properties.iter().find(|known| known.word == property.word) {
                None => joined.properties.push(property.clone()),
                Some(known) if known.value == property.value => {}
                Some(_) => self.report.lose(&property.place, "a second schema of the same"),
            }
        }
        for name in &beside.required {
            if !joined.required.contains(name) {
                joined.required.push(name);
            }
        }
        joined
    }

    /// Writes a schema that may be of several kinds, each of which becomes an alternative.
    fn kinds(&mut self, flat: &Flat<'s>, place: &Pointer, depth: usize) -> Map<String, Value> {
        let (mut kinds, is_nullable) = kinds(flat);
        if kinds.is_empty() {
            // Nothing says what it may be, or only null may be there; the endpoint wants one kind.
            self.report.lose(place, "that it may be of any kind");
            kinds.push(Kind::Text);
        }
        let mut branches = Vec::new();
        for kind in kinds {
            branches.push(Value::Object(self.kind(kind, flat, place, depth)));
        }
        if is_nullable {
            branches.iter_mut().for_each(make_nullable);
        }
        either(branches)
    }

    /// Writes a schema of one kind.
    fn kind(
        &mut self,
        kind: Kind,
        flat: &Flat<'s>,
        place: &Pointer,
        depth: usize,
    ) -> Map<String, Value> {
        let mut written = Map::new();
        written.insert("type".to_owned(), Value::from(kind.word()));
        for word in &flat.words {
            self.word(kind, word, &mut written);
        }
        match kind {
            Kind::Object => self.object(flat, place, depth, &mut written),
            Kind::List => self.list(flat, place, depth, &mut written),
            _ => {}
        }
        written
    }

    /// Writes a keyword that has a place in a schema of this kind.
    fn word(&mut self, kind: Kind, word: &Word<'s>, written: &mut Map<String, Value>) {
        let is_about = Kind::of_keyword(word.word);
        if is_about.is_some_and(|about| about != kind && !(about.is_number() && kind.is_number()))
            && !(word.word == "format" && kind.is_number())
        {
            // It says nothing about values of this kind.
            return;
        }
        let keep = match (word.word, word.value) {
            ("title" | "description", Value::String(_)) | ("default", _) => true,
            ("type" | "nullable" | "items" | "prefixItems", _) => return,
            ("enum", Value::Array(values)) => return self.fixed(kind, values, word, written),
            ("const", value) => {
                return self.fixed(kind, std::slice::from_ref(value), word, written);
            }
            ("pattern", Value::String(_)) => true,
            (
                "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
                | "maxProperties",
                value,
            ) => value.is_u64(),
            ("minimum" | "maximum", Value::Number(_)) => true,
            ("exclusiveMinimum" | "exclusiveMaximum", value) => {
                return self.exclusive(kind, word, value, written);
            }
            ("format", Value::String(format)) => kind.has_format(format),
            ("additionalProperties", Value::Bool(true)) => return,
            (name, _) if is_annotation(name) => return,
            _ => false,
        };
        if keep {
            written.insert(word.word.to_owned(), word.value.clone());
        } else {
            self.report.lose(&word.place, "what the vendor has no word for");
        }
    }

    /// Writes the values that are allowed; the endpoint takes texts alone.
    fn fixed(
        &mut self,
        kind: Kind,
        values: &[Value],
        word: &Word<'s>,
        written: &mut Map<String, Value>,
    ) {
        let texts: Vec<&str> =
            values.iter().filter_map(Value::as_str).filter(|text| !text.is_empty()).collect();
        let others = values.iter().filter(|value| !value.is_null()).count() - texts.len();
        if kind == Kind::Text && !texts.is_empty() && !written.contains_key("enum") {
            written.insert("enum".to_owned(), Value::from(texts));
            if others > 0 {
                self.report.lose(&word.place, "values that are no texts");
            }
        } else if others > 0 || kind == Kind::Text && !texts.is_empty() {
            self.report.lose(&word.place, "which values are allowed");
        }
    }

    /// Writes a bound that does not count itself.
    fn exclusive(
        &mut self,
        kind: Kind,
        word: &Word<'s>,
        value: &Value,
        written: &mut Map<String, Value>,
    ) {
        let (bound, step) = match word.word {
            "exclusiveMinimum" => ("minimum", 1),
            _ => ("maximum", -1),
        };
        let next = value.as_i64().and_then(|number| number.checked_add(step));
        match next.filter(|_| kind == Kind::Integer && !written.contains_key(bound)) {
            Some(next) => drop(written.insert(bound.to_owned(), Value::from(next))),
            None => self.report.lose(&word.place, "what the vendor has no word for"),
        }
    }

    fn object(
        &mut self,
        flat: &Flat<'s>,
        place: &Pointer,
        depth: usize,
        written: &mut Map<String, Value>,
    ) {
        let mut properties = Map::new();
        for property in &flat.properties {
            if is_parameter_name(property.word) {
                let schema = self.schema(property.value, &property.place, depth + 1);
                properties.insert(property.word.to_owned(), Value::Object(schema));
            } else {
                self.report.lose(&property.place, "a parameter whose name the vendor refuses");
            }
        }
        let (required, unknown): (Vec<&str>, Vec<&str>) =
            flat.required.iter().partition(|name| properties.contains_key(**name));
        for name in unknown {
            self.report.lose(&place.at("required"), format!("that `{name}` must be there"));
        }
        if !properties.is_empty() {
            written.insert("properties".to_owned(), Value::Object(properties));
        }
        if !required.is_empty() {
            written.insert("required".to_owned(), Value::from(required));
        }
    }

    /// Writes what is in a list, of which the endpoint wants to be told something.
    fn list(
        &mut self,
        flat: &Flat<'s>,
        place: &Pointer,
        depth: usize,
        written: &mut Map<String, Value>,
    ) {
        let prefix = flat.word("prefixItems").filter(|word| word.value.is_array());
        let items = flat.word("items");
        let tuple = prefix.or_else(|| items.filter(|word| word.value.is_array()));
        let schema = match (tuple, items) {
            (Some(tuple), rest) => {
                self.report.lose(&tuple.place, "which item is of which kind");
                let parts = tuple.value.as_array().map(Vec::as_slice).unwrap_or_default();
                let mut branches = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    let written = self.schema(part, &tuple.place.at(at), depth + 1);
                    push_flat(&mut branches, written);
                }
                if let Some(rest) = rest.filter(|word| word.value.is_object()) {
                    let written = self.schema(rest.value, &rest.place, depth + 1);
                    push_flat(&mut branches, written);
                }
                if branches.is_empty() { stub(Kind::Text) } else { either(branches) }
            }
            (None, Some(items)) => self.schema(items.value, &items.place, depth + 1),
            (None, None) => {
                self.report.lose(place, "that anything may be in a list");
                stub(Kind::Text)
            }
        };
        written.insert("items".to_owned(), Value::Object(schema));
    }
}

/// Returns a schema of a kind about which no more is said.
fn stub(kind: Kind) -> Map<String, Value> {
    let mut stub = Map::new();
    stub.insert("type".to_owned(), Value::from(kind.word()));
    if kind == Kind::List {
        let items = Map::from_iter([("type".to_owned(), Value::from(Kind::Text.word()))]);
        stub.insert("items".to_owned(), Value::Object(items));
    }
    stub
}

/// Adds an alternative; alternatives within it are alternatives too.
fn push_flat(branches: &mut Vec<Value>, mut written: Map<String, Value>) {
    let mut add = |branch: Value| {
        if !branches.contains(&branch) {
            branches.push(branch);
        }
    };
    match written.remove("anyOf") {
        Some(Value::Array(inner)) => inner.into_iter().for_each(&mut add),
        _ => add(Value::Object(written)),
    }
}

/// Returns a schema of these alternatives, which stand alone in it.
fn either(mut branches: Vec<Value>) -> Map<String, Value> {
    match branches.pop() {
        Some(Value::Object(one)) if branches.is_empty() => one,
        last => {
            branches.extend(last);
            Map::from_iter([("anyOf".to_owned(), Value::from(branches))])
        }
    }
}

fn make_nullable(schema: &mut Value) {
    if let Value::Object(words) = schema {
        words.insert("nullable".to_owned(), Value::Bool(true));
    }
}

fn is_alternatives(word: &Word<'_>) -> bool {
    matches!(word.word, "anyOf" | "oneOf") && word.value.is_array()
}

/// Says whether a schema takes null and nothing else.
fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
        || schema.get("const").is_some_and(Value::is_null)
}

fn is_parameter_name(name: &str) -> bool {
    name.len() <= PARAMETER_CHARS_MAX
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
