//! Which JSON is a call, and of what. Pure.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::json::{self, Close};
use crate::limits::{
    LENIENT_CALLS_MAX, LENIENT_NAME_BYTES_MAX, LENIENT_TEXT_BYTES_MAX, LENIENT_UNWRAPS_MAX,
};

/// What stands for the arguments of a call that has none.
const NO_ARGUMENTS: &str = "{}";

/// What some models put in front of a name.
const PREFIX: &str = "functions.";

/// Keys under which the name of the tool stands.
const NAMES: [&str; 2] = ["name", "function"];

/// Keys under which the arguments stand.
const ARGUMENTS: [&str; 3] = ["arguments", "parameters", "input"];

/// Keys that a call may have beside those two.
const BESIDE: [&str; 4] = ["id", "call_id", "type", "index"];

/// Keys that a schema has beside its properties.
const OF_SCHEMA: [&str; 7] =
    ["type", "properties", "required", "additionalProperties", "$schema", "title", "description"];

/// A JSON object in the shape of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shaped {
    /// The name, without what some models put in front of it.
    pub(super) name: String,
    /// The text of the arguments.
    pub(super) arguments: String,
    /// Whether it says anything about arguments.
    pub(super) has_arguments: bool,
    /// Whether it has keys that calls do not have.
    pub(super) has_more: bool,
    /// Whether it looks like the definition of a tool.
    pub(super) is_definition: bool,
}

type Members<'j> = BTreeMap<String, &'j RawValue>;

/// Returns the calls that `json` is, in order: one call, a list of calls, or an object that wraps them; empty where it is anything else.
pub(super) fn calls(json: &str) -> Vec<Shaped> {
    if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(json) {
        let calls: Option<Vec<Shaped>> = list.iter().map(|part| call(part.get())).collect();
        return calls.unwrap_or_default();
    }
    let members: Members<'_> = serde_json::from_str(json).unwrap_or_default();
    match members.get("tool_calls") {
        Some(list) if !members.contains_key("name") && list.get().starts_with('[') => {
            calls(list.get())
        }
        _ => call(json).into_iter().collect(),
    }
}

/// Returns the call that `json` is.
fn call(json: &str) -> Option<Shaped> {
    let members: Members<'_> = serde_json::from_str(json).ok()?;
    match members.get("function").filter(|inner| inner.get().starts_with('{')) {
        Some(inner) => flat(&serde_json::from_str(inner.get()).ok()?),
        None => flat(&members),
    }
}

/// Returns the call that an object with a name and arguments is.
fn flat(members: &Members<'_>) -> Option<Shaped> {
    let name = NAMES.iter().find_map(|key| members.get(*key))?;
    let name: String = serde_json::from_str(name.get()).ok()?;
    let name = name.trim();
    let name = name.strip_prefix(PREFIX).unwrap_or(name);
    if name.is_empty() || name.len() > LENIENT_NAME_BYTES_MAX {
        return None;
    }
    let raw = ARGUMENTS.iter().find_map(|key| members.get(*key));
    let arguments = raw.map_or(Meant::none(), |raw| Meant::of(raw.get(), LENIENT_UNWRAPS_MAX));
    let is_of_call =
        |key: &str| [&NAMES[..], &ARGUMENTS, &BESIDE].iter().any(|keys| keys.contains(&key));
    Some(Shaped {
        name: name.to_owned(),
        arguments: arguments.text,
        has_arguments: raw.is_some(),
        has_more: members.keys().any(|key| !is_of_call(key)),
        is_definition: members.contains_key("description") || arguments.is_schema,
    })
}

/// Returns the calls that the arguments of one call are.
pub(super) fn arguments(text: &str) -> Vec<String> {
    let whole = || vec![Meant::of_text(text).text];
    if text.len() > LENIENT_TEXT_BYTES_MAX {
        return vec![text.to_owned()];
    }
    let glued = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let Ok(glued) = glued.collect::<Result<Vec<&RawValue>, _>>() else { return whole() };
    let mut objects: Vec<&str> = glued.iter().map(|raw| raw.get()).collect();
    if objects.len() < 2 || !objects.iter().all(|json| json.starts_with('{')) {
        return whole();
    }
    let is_empty = |json: &&str| json.trim_matches(['{', '}']).trim().is_empty();
    if !objects.iter().all(is_empty) {
        objects.retain(|json| !is_empty(json));
    }
    objects.truncate(LENIENT_CALLS_MAX);
    objects.into_iter().map(|json| Meant::of(json, LENIENT_UNWRAPS_MAX).text).collect()
}

/// What is meant by the arguments that stand there.
struct Meant {
    text: String,
    /// Whether they are the schema of arguments, without values.
    is_schema: bool,
}

impl Meant {
    fn none() -> Self {
        Self::text(NO_ARGUMENTS)
    }

    fn text(text: &str) -> Self {
        Self { text: text.to_owned(), is_schema: false }
    }

    /// Reads arguments that may be wrapped in `unwraps` strings.
    fn of(json: &str, unwraps: usize) -> Self {
        if json == "null" {
            return Self::none();
        }
        if let Ok(members) = serde_json::from_str::<Members<'_>>(json) {
            return Self::of_object(json, &members);
        }
        match serde_json::from_str::<String>(json) {
            Ok(inner) => Self::of_inner(&inner, unwraps),
            Err(_) => Self::text(json),
        }
    }

    /// Reads arguments that are not known to be JSON.
    fn of_text(text: &str) -> Self {
        Self::of_inner(text, LENIENT_UNWRAPS_MAX)
    }

    /// Reads what stood in a string.
    fn of_inner(inner: &str, unwraps: usize) -> Self {
        let inner = inner.trim();
        if inner.is_empty() {
            return Self::none();
        }
        if let Ok(members) = serde_json::from_str::<Members<'_>>(inner) {
            return Self::of_object(inner, &members);
        }
        let is_whole = |read: &json::Read| inner.len() == read.bytes;
        match json::read(inner, Close::AtEnd).ok().filter(is_whole) {
            Some(read) if unwraps > 0 => Self::of(&read.json, unwraps - 1),
            _ => Self::text(inner),
        }
    }

    /// Reads an object; where it echoes the schema with values in the places of their schemas, the values are meant.
    fn of_object(json: &str, members: &Members<'_>) -> Self {
        let echoed = members.get("properties").filter(|_| {
            let is_object = members.get("type").is_none_or(|kind| kind.get() == r#""object""#);
            is_object && members.keys().all(|key| OF_SCHEMA.contains(&key.as_str()))
        });
        let properties = echoed.and_then(|raw| serde_json::from_str::<Members<'_>>(raw.get()).ok());
        match echoed.zip(properties) {
            None => Self::text(json),
            Some((_, properties)) if properties.values().any(|value| is_schema(value.get())) => {
                Self { is_schema: true, ..Self::text(json) }
            }
            Some((values, _)) => Self::text(values.get()),
        }
    }
}

/// Says whether `json` describes a value instead of being one.
fn is_schema(json: &str) -> bool {
    const WORDS: [&str; 6] = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum"];
    serde_json::from_str::<Members<'_>>(json)
        .is_ok_and(|members| WORDS.iter().any(|word| members.contains_key(*word)))
}

#[cfg(test)]
mod tests {
    use super::calls;

    fn check(json: &str, expected: &[(&str, &str)]) {
        let found = calls(json);
        let found: Vec<(&str, &str)> =
            found.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
        assert_eq!(found, expected, "{json}");
    }

    #[test]
    fn a_call_has_a_name_and_arguments() {
        for json in [
            r#"{"name":"read","arguments":{"path":"a"}}"#,
            r#"{"name":"read","parameters":{"path":"a"}}"#,
            r#"{"name":"read","input":{"path":"a"},"type":"tool_use","id":"x"}"#,
            r#"{"function":{"name":"read","arguments":{"path":"a"}},"type":"function","id":"x"}"#,
            r#"{"function":"read","arguments":{"path":"a"}}"#,
            r#"{"name":" functions.read","arguments":{"path":"a"}}"#,
            r#"[{"name":"read","arguments":{"path":"a"}}]"#,
            r#"{"tool_calls":[{"type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]}"#,
        ] {
            check(json, &[("read", r#"{"path":"a"}"#)]);
        }
        check(
            r#"[{"name":"a","arguments":{}},{"name":"b","arguments":{"c":1}}]"#,
            &[("a", "{}"), ("b", r#"{"c":1}"#)],
        );
    }

    #[test]
    fn other_json_is_no_call() {
        let long = format!(r#"{{"name":"{}"}}"#, "a".repeat(257));
        for json in [
            "1",
            r#""name""#,
            "[]",
            "{}",
            r#"{"arguments":{}}"#,
            r#"{"name":1,"arguments":{}}"#,
            r#"{"name":" ","arguments":{}}"#,
            r#"{"function":{}}"#,
            r#"{"tool_calls":[]}"#,
            r#"[{"name":"a","arguments":{}},1]"#,
            &long,
        ] {
            check(json, &[]);
        }
    }

    #[test]
    fn arguments_come_in_many_wrappings() {
        for (arguments, meant) in [
            (r#"{}"#, "{}"),
            (r#""""#, "{}"),
            (r#""  ""#, "{}"),
            ("null", "{}"),
            (r#""null""#, "{}"),
            (r#""{\"a\":1}""#, r#"{"a":1}"#),
            (r#""\"{\\\"a\\\":1}\"""#, r#"{"a":1}"#),
            (r#""{'a': 1,}""#, r#"{"a":1}"#),
            (r#""{\"a\":1""#, r#"{"a":1}"#),
            (r#""{\"a\":1} and more""#, r#"{"a":1} and more"#),
            (r#""a.txt""#, "a.txt"),
            ("[1]", "[1]"),
            ("7", "7"),
        ] {
            check(&format!(r#"{{"name":"f","arguments":{arguments}}}"#), &[("f", meant)]);
        }
        check(r#"{"name":"f"}"#, &[("f", "{}")]);
    }

    #[test]
    fn an_echoed_schema_gives_its_values() {
        for (arguments, meant, is_definition) in [
            (r#"{"type":"object","properties":{"path":"a"}}"#, r#"{"path":"a"}"#, false),
            (r#"{"properties":{"path":"a"}}"#, r#"{"path":"a"}"#, false),
            (
                r#"{"type":"object","properties":{"path":{"x":1}},"required":["path"]}"#,
                r#"{"path":{"x":1}}"#,
                false,
            ),
            (r#"{"type":"object","properties":{}}"#, "{}", false),
            (
                r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
                r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
                true,
            ),
            (
                r#"{"type":"page","properties":{"path":"a"}}"#,
                r#"{"type":"page","properties":{"path":"a"}}"#,
                false,
            ),
            (
                r#"{"parent":1,"properties":{"path":"a"}}"#,
                r#"{"parent":1,"properties":{"path":"a"}}"#,
                false,
            ),
            (r#"{"properties":["path"]}"#, r#"{"properties":["path"]}"#, false),
        ] {
            let json = format!(r#"{{"name":"f","parameters":{arguments}}}"#);
            check(&json, &[("f", meant)]);
            assert_eq!(calls(&json)[0].is_definition, is_definition, "{json}");
        }
    }

    #[test]
    fn definitions_and_other_keys_are_told() {
        let shaped = |json: &str| calls(json).remove(0);
        let defined = shaped(r#"{"name":"f","description":"Reads","parameters":{}}"#);
        assert!(defined.is_definition && defined.has_more && defined.has_arguments);
        let odd = shaped(r#"{"name":"f","age":3}"#);
        assert!(!odd.is_definition && odd.has_more && !odd.has_arguments);
    }
}
