//! Oddities of input schemas: what a model, a validator or a vendor will stumble over.

use std::collections::BTreeSet;

use oncue_search::schema::Targets;
use regex::Regex;
use serde_json::{Map, Value};

use super::subject::{Subject, Subjects};
use super::{Finding, Kind};
use crate::limits::{ENUM_VALUES_NOTED, NAMED_MAX, SCHEMA_DEPTH_NOTED};

/// Keywords whose value is one schema.
const ONE: [&str; 11] = [
    "items", "additionalItems", "additionalProperties", "unevaluatedItems",
    "unevaluatedProperties", "contains", "propertyNames", "not", "if", "then", "else",
];
/// Keywords whose value is a list of schemas.
const LIST: [&str; 5] = ["items", "prefixItems", "anyOf", "oneOf", "allOf"];
/// Keywords whose value maps names to schemas.
const MAP: [&str; 5] =
    ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];
/// Keywords beside which `required` may name what `properties` does not.
const OTHER_SOURCES_OF_PROPERTIES: [&str; 8] = [
    "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "patternProperties", "if", "dependentSchemas",
];
/// Where the meta-schemas live, which every engine carries.
const META: [&str; 2] = ["http://json-schema.org/", "https://json-schema.org/"];

pub(super) fn check(subjects: &Subjects<'_>, findings: &mut Vec<Finding>) {
    for subject in &subjects.all {
        let Some(schema) = subject.definition.parameters() else {
            let message = "no input schema: declare the arguments, or an object without properties";
            findings.push(subject.finding(Kind::NoSchema, message.to_owned()));
            continue;
        };
        let mut oddities = match serde_json::from_str::<Value>(schema.get()) {
            Ok(root) => Walk::oddities(&root),
            Err(_) => BTreeSet::new(),
        };
        let is_explained = oddities.iter().any(|(kind, _)| {
            matches!(kind, Kind::ReferenceNowhere | Kind::ReferenceOutside | Kind::PatternRefused)
        });
        if let Some(fault) = subject.definition.schema_fault().filter(|_| !is_explained) {
            let message =
                format!("arguments pass unchecked, since {}", one_line(&fault.to_string()));
            oddities.insert((Kind::SchemaNotEnforced, message));
        }
        findings.extend(by_kind(subject, oddities));
    }
}

/// Makes one finding of each kind; further ones of a kind are counted.
fn by_kind<'s>(
    subject: &'s Subject<'_>,
    oddities: BTreeSet<(Kind, String)>,
) -> impl Iterator<Item = Finding> + 's {
    let oddities: Vec<(Kind, String)> = oddities.into_iter().collect();
    let groups: Vec<Finding> = oddities
        .chunk_by(|left, right| left.0 == right.0)
        .filter_map(|group| {
            let (kind, first) = group.first()?;
            let message = match group.len() - 1 {
                0 => first.clone(),
                more => format!("{first}; {more} more of the kind"),
            };
            Some(subject.finding(*kind, message))
        })
        .collect();
    groups.into_iter()
}

/// What is done at each subschema: it, and the path to it.
type Visit<'f, 'v> = dyn FnMut(&mut Walk<'v>, &'v Map<String, Value>, &str) + 'f;

/// One pass over a schema. It follows no reference, so it ends.
struct Walk<'v> {
    root: &'v Value,
    /// Where references within the schema lead.
    targets: Targets<'v>,
    /// The `$id`s that a reference may name beside those.
    ids: BTreeSet<&'v str>,
    oddities: BTreeSet<(Kind, String)>,
}

impl<'v> Walk<'v> {
    fn oddities(root: &'v Value) -> BTreeSet<(Kind, String)> {
        let (targets, ids) = (Targets::new(root), BTreeSet::new());
        let mut walk = Self { root, targets, ids, oddities: BTreeSet::new() };
        walk.each(root, &mut |walk, schema, _| {
            walk.ids.extend(schema.get("$id").and_then(Value::as_str));
        });
        walk.each(root, &mut |walk, schema, path| walk.schema(schema, path));
        walk.outermost();
        walk.oddities
    }

    /// Calls `visit` for every subschema that is an object.
    fn each(&mut self, root: &'v Value, visit: &mut Visit<'_, 'v>) {
        let mut open = vec![(root, String::new())];
        while let Some((schema, path)) = open.pop() {
            let Value::Object(schema) = schema else { continue };
            visit(self, schema, &path);
            let one = ONE.iter().filter_map(|key| Some((*key, "", schema.get(*key)?)));
            let list = LIST.iter().filter_map(|key| Some((*key, schema.get(*key)?.as_array()?)));
            let list =
                list.flat_map(|(key, list)| list.iter().map(move |schema| (key, "", schema)));
            let map = MAP.iter().filter_map(|key| Some((*key, schema.get(*key)?.as_object()?)));
            let map = map.flat_map(|(key, map)| {
                map.iter().map(move |(name, schema)| (key, name.as_str(), schema))
            });
            open.extend(one.chain(list).chain(map).map(|(key, name, schema)| {
                let step = if name.is_empty() { key } else { name };
                (schema, if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") })
            }));
        }
    }

    fn add(&mut self, kind: Kind, message: &str) {
        self.oddities.insert((kind, one_line(message)));
    }

    fn schema(&mut self, schema: &'v Map<String, Value>, path: &str) {
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(Value::String(reference)) = schema.get(keyword) {
                self.reference(reference, path);
            }
        }
        if let Some(Value::String(pattern)) = schema.get("pattern") {
            self.pattern(pattern, path);
        }
        if let Some(patterns) = schema.get("patternProperties").and_then(Value::as_object) {
            patterns.keys().for_each(|pattern| self.pattern(pattern, path));
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array).map(Vec::len)
            && values > ENUM_VALUES_NOTED
        {
            let message = format!(
                "{} lists {values} fixed values, more than {ENUM_VALUES_NOTED}: take free text and check it, or offer a tool that lists them",
                named(path)
            );
            self.add(Kind::LongEnum, &message);
        }
        self.required(schema, path);
    }

    fn reference(&mut self, reference: &str, path: &str) {
        let at = named(path);
        if !reference.starts_with('#') {
            let is_known = self.ids.contains(reference.trim_end_matches('#'))
                || META.iter().any(|meta| reference.starts_with(meta));
            if !is_known {
                let message = format!(
                    "`$ref` of {at} leads to `{reference}`, which is not in the schema and is never fetched: put it under `$defs`"
                );
                self.add(Kind::ReferenceOutside, &message);
            }
        } else if self.targets.of(reference).is_empty() {
            let message =
                format!("`$ref` of {at} leads to `{reference}`, where nothing is: define it");
            self.add(Kind::ReferenceNowhere, &message);
        }
    }

    fn pattern(&mut self, pattern: &str, path: &str) {
        if Regex::new(pattern).is_err() {
            let message = format!(
                "the pattern `{pattern}` of {} is refused by engines of linear time: write it without look-around and back-references",
                named(path)
            );
            self.add(Kind::PatternRefused, &message);
        }
    }

    fn required(&mut self, schema: &Map<String, Value>, path: &str) {
        let Some(required) = schema.get("required").and_then(Value::as_array) else { return };
        let is_open =
            OTHER_SOURCES_OF_PROPERTIES.iter().any(|keyword| schema.contains_key(*keyword));
        let properties = schema.get("properties").and_then(Value::as_object);
        // A part of `anyOf` may demand what its parent declares.
        if is_open || (properties.is_none() && !path.is_empty()) {
            return;
        }
        let is_declared = |name: &&str| properties.is_some_and(|known| known.contains_key(*name));
        let unknown: Vec<&str> =
            required.iter().filter_map(Value::as_str).filter(|name| !is_declared(name)).collect();
        if let Some(first) = unknown.first() {
            let message = format!(
                "{} requires `{first}`, which is no property: declare it or do not require it",
                named(path)
            );
            self.add(Kind::RequiredUnknown, &message);
        }
    }

    /// Looks at what only the outermost schema must have.
    fn outermost(&mut self) {
        let Value::Object(root) = self.root else { return };
        let kind = root.get("type");
        let is_object = kind.is_none_or(|kind| kind == "object")
            && root.get("properties").is_none_or(Value::is_object);
        if !is_object {
            let message =
                "arguments are an object: let `type` be `object` and `properties` an object";
            self.add(Kind::SchemaNotObject, message);
        }
        let levels = levels(self.root);
        if levels > SCHEMA_DEPTH_NOTED {
            let message = format!(
                "the schema is {levels} levels deep, more than {SCHEMA_DEPTH_NOTED}: flatten the arguments"
            );
            self.add(Kind::DeepSchema, &message);
        }
        self.undescribed(root);
    }

    fn undescribed(&mut self, root: &'v Map<String, Value>) {
        let Some(properties) = root.get("properties").and_then(Value::as_object) else { return };
        let bare: Vec<&str> = properties
            .iter()
            .filter(|(_, schema)| !self.is_described(schema))
            .map(|(name, _)| name.as_str())
            .collect();
        if bare.is_empty() {
            return;
        }
        let shown: Vec<String> =
            bare.iter().take(NAMED_MAX).map(|name| format!("`{name}`")).collect();
        let more = match bare.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let verb = if bare.len() == 1 { "has" } else { "have" };
        let noun = if properties.len() == 1 { "parameter" } else { "parameters" };
        let message = format!(
            "{} of {} {noun} {verb} no description: {}{more}",
            bare.len(),
            properties.len(),
            shown.join(", ")
        );
        self.add(Kind::ParametersUndescribed, &message);
    }

    /// Says whether a parameter has a description, its own or that of what it refers to or chooses from.
    fn is_described(&self, schema: &Value) -> bool {
        let says = |schema: &Value| {
            schema
                .get("description")
                .and_then(Value::as_str)
                .is_some_and(|text| !text.trim().is_empty())
        };
        let target =
            |schema: &Value| self.targets.of(schema.get("$ref")?.as_str()?).first().copied();
        let choices = LIST
            .iter()
            .filter_map(|keyword| schema.get(*keyword)?.as_array())
            .flatten()
            .any(|choice| says(choice) || target(choice).is_some_and(says));
        says(schema) || target(schema).is_some_and(says) || choices
    }
}

fn named(path: &str) -> String {
    if path.is_empty() { "the schema".to_owned() } else { format!("`{path}`") }
}

/// Returns the levels of objects and arrays. A parsed value is never deeper than the parser's own bound, so this may recurse.
fn levels(value: &Value) -> usize {
    match value {
        Value::Object(map) => 1 + map.values().map(levels).max().unwrap_or(0),
        Value::Array(list) => 1 + list.iter().map(levels).max().unwrap_or(0),
        _ => 0,
    }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
