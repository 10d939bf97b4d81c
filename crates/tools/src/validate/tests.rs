use std::sync::Arc;

use oncue_decl::Row;
use serde_json::json;

use super::*;
use crate::limits::SCHEMA_NESTING_MAX;
use crate::{Definition, ErrorKind};

fn definition(schema: &Value) -> Definition {
    let schema = RawValue::from_string(schema.to_string()).expect("a value prints as JSON");
    Definition::new(Row::inline("startExport", "Writes a table to a file"), Some(schema))
}

fn export() -> Value {
    json!({
        "type": "object",
        "properties": {
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "format": {"enum": ["csv", "json"]},
            "table": {"type": "string", "minLength": 1},
            "filter": {"$ref": "#/$defs/filter"},
            "columns": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
            "where": {"anyOf": [{"type": "string"}, {"type": "null"}]}
        },
        "required": ["table"],
        "additionalProperties": false,
        "$defs": {"filter": {
            "type": "object",
            "properties": {"column": {"type": "string"}, "value": {}, "any": {"type": "array", "items": {"$ref": "#/$defs/filter"}}},
            "required": ["column"]
        }}
    })
}

const SHAPE: &str = r#"{table: string, limit?: integer, format?: "csv" | "json", filter?: {column: string, value?: any, any?: [{column: string, value?: any, any?: [object]}]}, columns?: [string], where?: string | null}"#;

fn check(sent: &str, problems: &str) {
    let error = definition(&export()).read(sent).expect_err(sent);
    let expected = format!(
        "Arguments of 'startExport' do not fit: {problems}. Expected {SHAPE}. You sent {sent}. Nothing was run; call startExport again with arguments of that shape."
    );
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Arguments, expected));
}

// founding: B13
// case: C65
#[test]
fn bad_arguments_are_refused_with_the_exact_fix() {
    check(r#"{}"#, "'table' is missing");
    check(r#"{"table":7}"#, "'table' must be a string, not a number");
    check(r#"{"table":"t","limt":3}"#, "'limt' is not an argument, leave it out");
    check(r#"{"table":"t","limit":"ten"}"#, "'limit' must be an integer, not a string");
    check(r#"{"table":"t","limit":0}"#, "'limit' must be at least 1");
    check(r#"{"table":"t","limit":101}"#, "'limit' must be at most 100");
    check(r#"{"table":""}"#, "'table' must have at least 1 characters");
    check(r#"{"table":"t","format":"xml"}"#, r#"'format' must be one of "csv", "json""#);
    check(r#"{"table":"t","columns":["a",2]}"#, "'columns[1]' must be a string, not a number");
    check(r#"{"table":"t","columns":["a","a"]}"#, "'columns' must not have the same item twice");
    check(
        r#"{"table":"t","filter":{"any":[{}],"column":"c"}}"#,
        "'filter.any[0].column' is missing",
    );
    check(
        r#"{"table":"t","where":3}"#,
        "'where' fit none of the allowed forms ('where' must be a string, not a number, or 'where' must be null, not a number)",
    );
    check(r#"[1]"#, "they are a list, not an object; send one object with a key per argument");
    check(
        r#"{"table":"t","table":"u"}"#,
        "the key `table` appears twice in one object; send it once",
    );
}

#[test]
fn a_long_call_is_shown_short_and_many_problems_are_counted() {
    let schema = json!({
        "type": "object",
        "required": (0..9).map(|n| format!("field{n}")).collect::<Vec<_>>(),
        "properties": (0..9).map(|n| (format!("field{n}"), json!({"type": "boolean"}))).collect::<Map>(),
    });
    let sent = format!(r#"{{"note":"{}"}}"#, "x".repeat(1000));
    let error = definition(&schema).read(&sent).expect_err("nine fields are missing").to_string();
    assert!(error.starts_with("Arguments of 'startExport' do not fit: 'field0' is missing; 'field1' is missing; 'field2' is missing; 'field3' is missing; 'field4' is missing; and more. Expected {field0: boolean, "), "{error}");
    assert!(
        error.contains(&format!(r#"You sent {{"note":"{}…. Nothing was run"#, "x".repeat(190))),
        "{error}"
    );
}

type Map = serde_json::Map<String, Value>;

#[test]
fn required_fields_are_never_hidden_and_optional_ones_give_way() {
    let names: Vec<String> = (0..40).map(|n| format!("required_field_{n}")).collect();
    let mut properties: Map =
        (0..40).map(|n| (format!("optional_field_{n}"), json!({"type": "string"}))).collect();
    properties.extend(names.iter().map(|name| (name.clone(), json!({"type": "string"}))));
    let schema = json!({"type": "object", "properties": properties, "required": names});
    let error = definition(&schema).read("{}").expect_err("forty are missing").to_string();
    for name in &names {
        assert!(error.contains(&format!("{name}: string")), "{name}");
    }
    assert!(error.contains("required_field_39: string, …}."), "{error}");
}

// case: C31
#[test]
fn arguments_that_fit_pass_unchanged() {
    let schema = json!({
        "type": "object", "x-foo": {"bar": 1},
        "properties": {"order": {"$ref": "#/$defs/order"}},
        "required": ["order"], "additionalProperties": false,
        "$defs": {"order": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}},
    });
    let sent = r#"{"order": {"note":null, "id": 123456789012345678901234567890, "이름":"\u00e9"}}"#;
    let arguments = definition(&schema).read(sent).expect("they fit");
    assert_eq!(arguments.raw().get(), sent);
}

#[test]
fn the_draft_is_the_one_that_the_schema_names() {
    // `exclusiveMinimum` is a flag in draft 4 and a number since draft 6.
    let draft4 = json!({"$schema": "http://json-schema.org/draft-04/schema#",
        "properties": {"a": {"minimum": 1, "exclusiveMinimum": true}}});
    assert!(definition(&draft4).read(r#"{"a":1}"#).is_err());
    // `prefixItems` came with 2020-12.
    let unnamed = json!({"properties": {"a": {"prefixItems": [{"type": "string"}]}}});
    assert!(definition(&unnamed).read(r#"{"a":[1]}"#).is_err());
    let unknown = json!({"$schema": "https://example.com/mine", "required": ["a"]});
    assert!(definition(&unknown).read("{}").is_err());
}

// case: C31
#[test]
fn references_by_anchor_and_with_escapes_are_enforced() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#count"}, "b": {"$ref": "#/$defs/a%20count~1"}, "c": {"$dynamicRef": "#text"}},
        "$defs": {"a count/": {"$anchor": "count", "type": "integer"}, "t": {"$dynamicAnchor": "text", "type": "string"}},
    });
    let definition = definition(&schema);
    assert_eq!(definition.schema_fault(), None);
    assert!(definition.read(r#"{"a":1,"b":2,"c":"x"}"#).is_ok());
    for (sent, problem) in [
        (
            r#"{"a":"x"}"#,
            "'a' must be an integer, not a string. Expected {a?: integer, b?: integer, ",
        ),
        (r#"{"b":"x"}"#, "'b' must be an integer, not a string. "),
        (r#"{"c":1}"#, "'c' must be a string, not a number. "),
    ] {
        let error = definition.read(sent).expect_err(sent).to_string();
        assert!(error.contains(problem), "{error}");
    }
}

fn doubling(levels: usize, keyword: &str) -> Value {
    let mut definitions = Map::new();
    for level in 0..levels {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        definitions.insert(format!("d{level}"), json!({keyword: [next, next]}));
    }
    definitions.insert(format!("d{levels}"), json!({"type": "object"}));
    json!({"$defs": definitions, "$ref": "#/$defs/d0"})
}

fn chain(levels: usize) -> Value {
    let mut definitions = Map::new();
    for level in 0..levels {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        definitions.insert(format!("d{level}"), json!({"properties": {"a": next}}));
    }
    definitions.insert(format!("d{levels}"), json!({"type": "object"}));
    json!({"$defs": definitions, "$ref": "#/$defs/d0"})
}

/// The same schema with a name for each definition, by which the others refer to it.
fn by_anchor(schema: &Value) -> Value {
    let text = schema.to_string().replace("#/$defs/", "#");
    let mut schema: Value = serde_json::from_str(&text).expect("still JSON");
    for (name, definition) in schema["$defs"].as_object_mut().expect("it has definitions") {
        definition["$anchor"] = name.as_str().into();
    }
    schema
}

// case: C32
#[test]
fn a_schema_that_cannot_be_enforced_is_reported_once_and_lets_arguments_pass() {
    let cases = [
        (json!({"type": "strin"}), "the schema does not compile: "),
        (json!({"properties": {"a": {"pattern": "(?=x)y"}}}), "the schema does not compile: "),
        (
            json!({"$ref": "https://example.com/schema"}),
            "the schema refers to `https://example.com/schema`",
        ),
        (json!({"$ref": "file:///etc/passwd"}), "the schema refers to `file:///etc/passwd`"),
        (json!({"$ref": "#/$defs/gone"}), "the schema refers to `#/$defs/gone`"),
        (json!({"$ref": "#"}), "the schema refers to itself without end"),
        (json!({"allOf": [{"$ref": "#"}]}), "the schema refers to itself without end"),
        (
            json!({"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}, "properties": {"x": {"$ref": "#/$defs/a"}}}),
            "the schema refers to itself without end",
        ),
        (doubling(30, "allOf"), "the schema repeats its parts too often through references"),
        (json!({"$anchor": "a", "$ref": "#a"}), "the schema refers to itself without end"),
        (
            json!({"$ref": "#/%24defs/a%2", "$defs": {"a": {}}}),
            "the schema refers to `#/%24defs/a%2`",
        ),
        (json!({"$ref": "#gone"}), "the schema refers to `#gone`"),
        (
            by_anchor(&doubling(30, "allOf")),
            "the schema repeats its parts too often through references",
        ),
        (by_anchor(&chain(10_000)), "the schema nests too deep through references"),
        (doubling(60, "items"), "the schema repeats its parts too often through references"),
        (chain(10_000), "the schema nests too deep through references"),
        (
            json!({"properties": {"a": {"$id": "https://example.com/a", "$ref": "#/x"}}}),
            "the schema has a second `$id` inside",
        ),
        (json!({"description": "x".repeat(1_000_001)}), "the schema is 1000019 bytes long"),
    ];
    for (schema, expected) in cases {
        let definition = definition(&schema);
        assert!(definition.read(r#"{"a":1}"#).is_ok(), "{expected}");
        let fault = definition.unreported_fault().expect(expected).to_string();
        assert!(fault.starts_with(expected), "{fault}");
        assert!(definition.clone().unreported_fault().is_none(), "{expected}");
        assert!(definition.schema_fault().is_some());
    }
}

// case: C32
#[test]
fn the_deepest_schema_that_is_admitted_fits_a_small_stack() {
    // Test threads have 2 MB. A text nests 127 levels at most, so the depth comes from several definitions.
    type Wrap = fn(Value) -> Value;
    let wraps: [(usize, Wrap); 7] = [
        (1, |inner| json!({"not": inner})),
        (1, |inner| json!({"if": inner})),
        (1, |inner| json!({"items": inner})),
        (1, |inner| json!({"contains": inner})),
        (4, |inner| json!({"unevaluatedProperties": inner})),
        (1, |inner| json!({"propertyNames": inner})),
        (1, |inner| json!({"properties": {"a": inner}})),
    ];
    let (each, sent) = (20, (0..120).fold("{}".to_owned(), |sent, _| format!(r#"{{"a":{sent}}}"#)));
    for (weight, wrap) in wraps {
        let mut definitions = Map::new();
        let levels = (SCHEMA_NESTING_MAX - 1) / (each * weight + 1) - 1;
        for level in 0..levels {
            let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            definitions.insert(format!("d{level}"), (0..each).fold(next, |inner, _| wrap(inner)));
        }
        definitions.insert(format!("d{levels}"), json!({"type": "object"}));
        let definition = definition(&json!({"$defs": definitions, "$ref": "#/$defs/d0"}));
        assert_eq!(definition.schema_fault(), None);
        // Whether it fits does not matter here, only that there is an answer.
        let _ = definition.read(&sent);
    }
}

// case: C32
#[test]
fn a_recursive_schema_is_enforced_at_every_level() {
    let schema = json!({
        "type": "object",
        "properties": {"nodes": {"type": "array", "items": {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/properties/nodes/items"}}}
        }}}
    });
    let definition = definition(&schema);
    assert_eq!(definition.schema_fault(), None);
    assert!(definition.read(r#"{"nodes":[{"id":1,"children":[{"id":2}]}]}"#).is_ok());
    let error = definition.read(r#"{"nodes":[{"children":[{"id":"x"}]}]}"#).expect_err("a text");
    assert!(
        error.to_string().contains("'nodes[0].children[0].id' must be an integer, not a string"),
        "{error}"
    );
}

#[test]
fn a_tool_without_schema_takes_any_object() {
    let tool = Definition::new(Row::inline("free", "Takes anything"), None);
    assert!(tool.read(r#"{"a":[1]}"#).is_ok());
    assert_eq!(
        tool.read("7").expect_err("a number").to_string(),
        "Arguments of 'free' do not fit: they are a number, not an object; send one object with a key per argument. Expected {}. You sent 7. Nothing was run; call free again with arguments of that shape."
    );
}

#[test]
fn a_schema_is_compiled_once_for_all_who_call() {
    let definition = Arc::new(definition(&export()));
    let addresses: Vec<usize> = std::thread::scope(|scope| {
        let call = || {
            assert!(definition.read(r#"{"table":"t"}"#).is_ok());
            std::ptr::from_ref(definition.compiled().expect("there is a schema")) as usize
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(call)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(addresses.iter().all(|address| *address == addresses[0]));
}
