//! The words that a tool's input schema says: parameter names, descriptions and fixed values.
//!
//! The walk follows every keyword that can hold a schema (JSON Schema 2020-12, sections 10 and 11), and local `$ref`s, each at most once.
//! It never fetches anything and stops at the bounds of [`limits`](crate::limits).

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::limits::{SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX, SCHEMA_VALUES_MAX};

mod targets;

pub use targets::Targets;

/// What a piece of schema text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The name of a parameter.
    Name,
    /// A description.
    Description,
    /// A fixed value: an entry of `enum`, or `const`.
    Value,
}

/// Calls `sink` for each piece of text in the JSON text of a schema, parameters in declared order.
///
/// Text that is no JSON, or no object, says nothing.
///
/// ```
/// use oncue_search::schema::{Part, each_part};
///
/// let schema = r##"{
///     "properties": {"unit": {"description": "Of temperature", "$ref": "#/$defs/Unit"}},
///     "$defs": {"Unit": {"enum": ["celsius", "kelvin"]}}
/// }"##;
/// let mut parts = Vec::new();
/// each_part(schema, &mut |part, text| parts.push((part, text.to_owned())));
/// assert_eq!(parts, [
///     (Part::Name, "unit".into()),
///     (Part::Description, "Of temperature".into()),
///     (Part::Value, "celsius".into()),
///     (Part::Value, "kelvin".into()),
/// ]);
/// ```
pub fn each_part(schema: &str, sink: &mut dyn FnMut(Part, &str)) {
    let Ok(root) = serde_json::from_str::<Value>(schema) else { return };
    let mut walk =
        Walk { root: &root, targets: None, followed: HashSet::new(), nodes: 0, values: 0, sink };
    walk.schema(&root, "", 0);
}

/// Keywords whose value is one schema.
const ONE: [&str; 9] = [
    "items", "additionalItems", "additionalProperties", "unevaluatedItems",
    "unevaluatedProperties", "contains", "if", "then", "else",
];
/// Keywords whose value is a list of schemas (`items` too, in older drafts).
const LIST: [&str; 5] = ["items", "prefixItems", "anyOf", "oneOf", "allOf"];
/// Keywords whose value maps patterns or names, which are no parameters, to schemas.
const MAP: [&str; 2] = ["patternProperties", "dependentSchemas"];

struct Walk<'v, 's> {
    root: &'v Value,
    /// Made for the first reference; most schemas have none.
    targets: Option<Targets<'v>>,
    followed: HashSet<&'v str>,
    nodes: usize,
    values: usize,
    sink: &'s mut dyn FnMut(Part, &str),
}

impl<'v> Walk<'v, '_> {
    /// `name` is the parameter that `node` describes; empty where it describes none.
    fn schema(&mut self, node: &'v Value, name: &str, depth: usize) {
        self.nodes += 1;
        let Value::Object(node) = node else { return };
        if depth > SCHEMA_DEPTH_MAX || self.nodes > SCHEMA_NODES_MAX {
            return;
        }
        self.texts(node, name);
        if let Some(Value::Object(properties)) = node.get("properties") {
            for (property, schema) in properties {
                (self.sink)(Part::Name, property);
                self.schema(schema, property, depth + 1);
            }
        }
        self.reference(node, name, depth);
        for schema in ONE.iter().filter_map(|keyword| node.get(*keyword)) {
            self.schema(schema, name, depth + 1);
        }
        let lists = LIST.iter().filter_map(|keyword| node.get(*keyword)?.as_array());
        let maps = MAP.iter().filter_map(|keyword| node.get(*keyword)?.as_object());
        for schema in lists.flatten().chain(maps.flat_map(Map::values)) {
            self.schema(schema, name, depth + 1);
        }
    }

    fn texts(&mut self, node: &'v Map<String, Value>, name: &str) {
        for keyword in ["title", "description"] {
            if let Some(Value::String(text)) = node.get(keyword)
                // Generated schemas repeat the parameter's name as its title.
                && (keyword == "description" || !is_spelling_of(text, name))
            {
                (self.sink)(Part::Description, text);
            }
        }
        let list =
            node.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for value in list.iter().chain(node.get("const")) {
            if let Value::String(text) = value
                && self.values < SCHEMA_VALUES_MAX
            {
                self.values += 1;
                (self.sink)(Part::Value, text);
            }
        }
    }

    fn reference(&mut self, node: &'v Map<String, Value>, name: &str, depth: usize) {
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(Value::String(reference)) = node.get(keyword) else { continue };
            if self.followed.insert(reference) {
                let targets = self.targets.get_or_insert_with(|| Targets::new(self.root));
                for target in targets.of(reference) {
                    self.schema(target, name, depth + 1);
                }
            }
        }
    }
}

fn is_spelling_of(title: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(title) == letters(name)
}

#[cfg(test)]
mod tests {
    use super::{Part, each_part};

    fn check(schema: &str, expected: &[&str]) {
        let mut texts = Vec::new();
        each_part(schema, &mut |part, text| {
            let mark = match part {
                Part::Name => "",
                Part::Description => "d:",
                Part::Value => "v:",
            };
            texts.push(format!("{mark}{text}"));
        });
        assert_eq!(texts, expected, "{schema}");
    }

    #[test]
    fn nested_schemas_are_read_through_every_keyword() {
        check(
            r#"{"properties": {
                "files": {"type": "array", "items": {"properties": {"path": {"description": "Where"}}}},
                "mode": {"enum": ["fast", 3, "safe"], "title": "Mode"},
                "to": {"anyOf": [{"const": "all"}, {"properties": {"team": {"title": "The team"}}}]}
            }, "oneOf": [{"properties": {"a": true}}], "then": {"properties": {"b": {}}}}"#,
            &[
                "files", "path", "d:Where", "mode", "v:fast", "v:safe", "to", "v:all", "team",
                "d:The team", "b", "a",
            ],
        );
    }

    #[test]
    fn references_are_followed_within_the_schema_only_and_once() {
        check(
            r##"{"properties": {"from": {"$ref": "#/$defs/a%20place"}, "to": {"$ref": "#/$defs/a%20place"},
                "far": {"$ref": "http://example.com/schema"}},
                "$defs": {"a place": {"properties": {"street": {"$ref": "#/$defs/a%20place"}}}}}"##,
            &["from", "street", "to", "far"],
        );
    }

    // case: C32
    #[test]
    fn cycles_of_references_end() {
        check(
            r##"{"properties": {"nodes": {"items": {"properties": {"children": {"items": {
                "$ref": "#/properties/nodes/items"}}}}}}}"##,
            &["nodes", "children", "children"],
        );
        check(
            r##"{"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"b": {"$ref": "#/$defs/B"}}},
                "B": {"properties": {"a": {"$ref": "#/$defs/A"}}}}}"##,
            &["b", "a"],
        );
        check(r##"{"$ref": "#"}"##, &[]);
    }

    #[test]
    fn what_is_no_schema_says_nothing() {
        for text in ["", "nul", "[]", "7", "\"text\"", "{\"properties\": []}", "{\"enum\": {}}"] {
            check(text, &[]);
        }
        check(&("{\"items\":".repeat(10_000) + "1" + &"}".repeat(10_000)), &[]);
    }

    #[test]
    fn wide_schemas_are_read_up_to_the_bound() {
        let wide: Vec<String> = (0..5_000).map(|n| format!("\"p{n}\":{{}}")).collect();
        let mut names = 0;
        each_part(&format!("{{\"properties\":{{{}}}}}", wide.join(",")), &mut |_, _| names += 1);
        assert_eq!(names, 5_000, "names are cheap; the indexed bytes are bounded elsewhere");
        let values: Vec<String> = (0..600).map(|n| format!("\"v{n}\"")).collect();
        let mut read = 0;
        each_part(&format!("{{\"enum\":[{}]}}", values.join(",")), &mut |_, _| read += 1);
        assert_eq!(read, 500);
    }
}
