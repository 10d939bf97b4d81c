//! Schemas of arguments as the vendor takes them: any JSON Schema whose root is an object and joins no alternatives.
//!
//! A schema that is so goes out byte for byte.
//! A root of another kind is changed, since one refused schema refuses the whole request.

use std::borrow::Cow;

use oncue_agent::Loss;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use crate::limits::SCHEMAS_JOINED_MAX;

/// The schema of a tool that takes no arguments.
const NOTHING: &str = r#"{"type":"object","properties":{}}"#;

/// Keywords that the vendor refuses at the root.
const JOINS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// What of a root decides whether it goes out as it is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Root<'s> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'s, str>>,
    all_of: Option<IgnoredAny>,
    any_of: Option<IgnoredAny>,
    one_of: Option<IgnoredAny>,
}

/// Returns the schema that is sent for `parameters`, the text of a JSON Schema; what it leaves out is reported under `place`.
pub(super) fn input<'s>(
    parameters: Option<&'s str>,
    place: &str,
    losses: &mut Vec<Loss>,
) -> Cow<'s, str> {
    let Some(text) = parameters else { return Cow::Borrowed(NOTHING) };
    if let Ok(Root { kind: Some(kind), all_of: None, any_of: None, one_of: None }) =
        serde_json::from_str(text)
        && kind == "object"
    {
        return Cow::Borrowed(text);
    }
    let (schema, lost) = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(root)) if takes_objects(&root) => {
            let whole = Value::Object(root.clone());
            let mut joiner = Joiner { whole: &whole, left: SCHEMAS_JOINED_MAX, lost: Vec::new() };
            let mut object = Object::default();
            joiner.join(&root, &mut object);
            (Cow::Owned(object.over(root).to_string()), joiner.lost)
        }
        Ok(Value::Bool(true)) => (Cow::Borrowed(NOTHING), vec![]),
        Ok(_) => (Cow::Borrowed(NOTHING), vec!["the schema: its root takes no object".to_owned()]),
        Err(_) => (Cow::Borrowed(NOTHING), vec!["the schema: it is no JSON".to_owned()]),
    };
    losses.extend(lost.into_iter().map(|what| Loss { place: place.to_owned(), what }));
    schema
}

/// Says whether a schema with this root lets objects pass, as far as `type` tells.
fn takes_objects(root: &Map<String, Value>) -> bool {
    match root.get("type") {
        None => true,
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        Some(_) => false,
    }
}

/// What the joined schemas of a root say together.
#[derive(Default)]
struct Object {
    properties: Map<String, Value>,
    required: Vec<Value>,
}

/// Joins schemas, each as often as it is referred to, up to a bound.
struct Joiner<'w> {
    /// What references point into.
    whole: &'w Value,
    /// How many schemas may still be joined.
    left: usize,
    /// What was left out, each thing once.
    lost: Vec<String>,
}

impl Joiner<'_> {
    /// Adds to `object` what `schema` and everything that it joins say.
    fn join(&mut self, schema: &Map<String, Value>, object: &mut Object) {
        let Some(left) = self.left.checked_sub(1) else {
            return self.lose("schemas at the root beyond the number that is joined".to_owned());
        };
        self.left = left;
        if let Some(Value::Object(properties)) = schema.get("properties") {
            object.offer(properties.clone());
        }
        object.require(schema.get("required").and_then(Value::as_array).into_iter().flatten());
        if let Some(target) = target(schema, self.whole) {
            self.join(target, object);
        }
        for branch in branches(schema, "allOf") {
            self.join(branch, object);
        }
        for keyword in ["anyOf", "oneOf"] {
            if schema.contains_key(keyword) {
                self.lose(format!(
                    "`{keyword}` at the root: its alternatives are offered together"
                ));
                self.join_alternatives(branches(schema, keyword), object);
            }
        }
    }

    /// Adds the properties of every alternative, and requires what all of them require.
    fn join_alternatives<'s>(
        &mut self,
        alternatives: impl Iterator<Item = &'s Map<String, Value>>,
        object: &mut Object,
    ) {
        let mut common: Option<Vec<Value>> = None;
        for branch in alternatives {
            let mut alternative = Object::default();
            self.join(branch, &mut alternative);
            object.offer(alternative.properties);
            common = Some(match common {
                None => alternative.required,
                Some(common) => {
                    common.into_iter().filter(|name| alternative.required.contains(name)).collect()
                }
            });
        }
        object.require(common.iter().flatten());
    }

    fn lose(&mut self, what: String) {
        if !self.lost.contains(&what) {
            self.lost.push(what);
        }
    }
}

impl Object {
    /// Adds properties; one that is known keeps its schema.
    fn offer(&mut self, properties: Map<String, Value>) {
        for (name, property) in properties {
            self.properties.entry(name).or_insert(property);
        }
    }

    fn require<'v>(&mut self, names: impl Iterator<Item = &'v Value>) {
        for name in names {
            if !self.required.contains(name) {
                self.required.push(name.clone());
            }
        }
    }

    /// Returns the root with what was joined in the place of what joins.
    fn over(self, mut root: Map<String, Value>) -> Value {
        for keyword in JOINS {
            root.shift_remove(keyword);
        }
        root.shift_remove("$ref");
        root.insert("type".to_owned(), json!("object"));
        root.insert("properties".to_owned(), Value::Object(self.properties));
        if !self.required.is_empty() {
            root.insert("required".to_owned(), Value::Array(self.required));
        }
        Value::Object(root)
    }
}

/// Returns the schemas that `keyword` joins.
fn branches<'s>(
    schema: &'s Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = &'s Map<String, Value>> {
    let branches = schema.get(keyword).and_then(Value::as_array);
    branches.into_iter().flatten().filter_map(Value::as_object)
}

/// Returns what the reference of a schema points to, if that is within the whole.
fn target<'w>(schema: &Map<String, Value>, whole: &'w Value) -> Option<&'w Map<String, Value>> {
    let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    whole.pointer(pointer)?.as_object()
}

#[cfg(test)]
mod tests {
    use super::{NOTHING, input};

    /// Returns the schema that is sent, and what is reported as lost.
    fn sent(schema: &str) -> (String, Vec<String>) {
        let mut losses = Vec::new();
        let sent = input(Some(schema), "t", &mut losses).into_owned();
        assert!(losses.iter().all(|loss| loss.place == "t"));
        (sent, losses.into_iter().map(|loss| loss.what).collect())
    }

    #[test]
    fn an_object_schema_goes_out_byte_for_byte() {
        for schema in [
            r#"{ "type": "object" , "properties": {"a": {"anyOf": [{}, true]}} }"#,
            r##"{"$defs":{"A":{}},"type":"object","$ref":"#/$defs/A"}"##,
            r#"{"type":"object","x":1.0e5,"allof":[]}"#,
        ] {
            assert_eq!(sent(schema), (schema.to_owned(), vec![]));
        }
        assert_eq!(input(None, "t", &mut Vec::new()), NOTHING);
    }

    #[test]
    fn a_root_of_another_kind_is_changed() {
        let cases = [
            ("true", NOTHING, &[][..]),
            (r#"{}"#, NOTHING, &[]),
            (
                r#"{"description":"d","properties":{"a":{}},"required":["a"]}"#,
                r#"{"description":"d","properties":{"a":{}},"required":["a"],"type":"object"}"#,
                &[],
            ),
            (
                r#"{"type":["object","null"],"properties":{"a":{}}}"#,
                r#"{"type":"object","properties":{"a":{}}}"#,
                &[],
            ),
            (
                r#"{"type":"object","properties":{"a":{}},"allOf":[{"properties":{"a":false,"b":{}},"required":["b"]}]}"#,
                r#"{"type":"object","properties":{"a":{},"b":{}},"required":["b"]}"#,
                &[],
            ),
            (
                r##"{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"a":{}}}}}"##,
                r##"{"$defs":{"A":{"type":"object","properties":{"a":{}}}},"type":"object","properties":{"a":{}}}"##,
                &[],
            ),
            (
                r##"{"type":"object","required":["k"],"anyOf":[{"properties":{"a":{},"k":{}},"required":["a","c"]},{"$ref":"#/$defs/B"}],"$defs":{"B":{"properties":{"b":{}},"required":["c"]}}}"##,
                r##"{"type":"object","required":["k","c"],"$defs":{"B":{"properties":{"b":{}},"required":["c"]}},"properties":{"a":{},"k":{},"b":{}}}"##,
                &["`anyOf` at the root: its alternatives are offered together"],
            ),
            (r#"{"type":"string"}"#, NOTHING, &["the schema: its root takes no object"]),
            ("[]", NOTHING, &["the schema: its root takes no object"]),
            ("{", NOTHING, &["the schema: it is no JSON"]),
        ];
        for (schema, expected, losses) in cases {
            let (text, lost) = sent(schema);
            assert_eq!(
                (text.as_str(), lost),
                (expected, losses.iter().map(|l| (*l).to_owned()).collect()),
                "{schema}"
            );
        }
    }

    #[test]
    fn a_root_that_refers_to_itself_ends() {
        let (text, lost) = sent(r##"{"$ref":"#"}"##);
        assert_eq!(text, r#"{"type":"object","properties":{}}"#);
        assert_eq!(lost, ["schemas at the root beyond the number that is joined"]);
        let alternatives = vec![r##"{"$ref":"#"}"##; 1_000].join(",");
        let (text, lost) = sent(&format!(r#"{{"anyOf":[{alternatives}]}}"#));
        assert_eq!(text, r#"{"type":"object","properties":{}}"#);
        assert_eq!(lost.len(), 2, "{lost:?}");
    }
}
