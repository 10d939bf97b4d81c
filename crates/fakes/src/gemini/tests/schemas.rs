//! Schemas of parameters.

use serde_json::{Map, Value, json};

use super::{accepts, breaks, refuses};

const PATH: &str = "tools[0].function_declarations[0]";

fn declared(fields: Value) -> Value {
    let mut declaration = json!({ "name": "f" });
    if let (Value::Object(declaration), Value::Object(fields)) = (&mut declaration, fields) {
        declaration.extend(fields);
    }
    json!({ "tools": [{ "functionDeclarations": [declaration] }] })
}

/// A function with one parameter `a` of this schema.
fn with(schema: Value) -> Value {
    let properties = Map::from_iter([("a".to_owned(), schema)]);
    declared(json!({ "parameters": { "type": "OBJECT", "properties": properties } }))
}

#[test]
fn the_subset_is_accepted() {
    accepts(declared(json!({})));
    accepts(with(
        json!({ "type": "STRING", "enum": ["x"], "nullable": true, "title": "t", "example": "x" }),
    ));
    accepts(with(
        json!({ "type": "string", "format": "date-time", "pattern": "x", "minLength": 1, "maxLength": 2 }),
    ));
    accepts(with(
        json!({ "type": "ARRAY", "items": { "type": "integer" }, "minItems": 1, "maxItems": 2 }),
    ));
    accepts(with(json!({ "anyOf": [{ "type": "NUMBER", "minimum": 1 }, { "type": "NULL" }] })));
}

#[test]
fn words_of_json_schema_have_no_field() {
    for key in [
        "const", "oneOf", "allOf", "not", "$schema", "$ref", "$defs", "additionalProperties",
        "exclusiveMinimum", "uniqueItems",
    ] {
        let path = format!("{PATH}.parameters.properties[0].value");
        let message = format!(
            "Invalid JSON payload received. Unknown name \"{key}\" at '{path}': Cannot find field."
        );
        refuses(with(json!({ "type": "STRING", key: "x" })), &message);
    }
    let path = format!("{PATH}.parameters.properties[0].value.items.any_of[1]");
    let items = json!({ "anyOf": [{ "type": "STRING" }, { "const": 1 }] });
    refuses(
        with(json!({ "type": "ARRAY", "items": items })),
        &format!(
            "Invalid JSON payload received. Unknown name \"const\" at '{path}': Cannot find field."
        ),
    );
}

#[test]
fn types_are_single_and_known() {
    let path = format!("{PATH}.parameters.properties[0].value");
    refuses(
        with(json!({ "type": ["STRING", "NULL"] })),
        &format!(
            "Invalid JSON payload received. Unknown name \"type\" at '{path}': Proto field is not repeating, cannot start list."
        ),
    );
    refuses(
        with(json!({ "type": "text" })),
        &format!(
            "Invalid value at '{path}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), \"text\""
        ),
    );
    refuses(
        with(json!({ "type": "STRING", "enum": ["x", 4] })),
        &format!("Invalid value at '{path}.enum[1]' (TYPE_STRING), 4"),
    );
}

#[test]
fn schemas_make_sense() {
    let path = format!("{PATH}.parameters");
    breaks(
        declared(json!({ "parameters": { "type": "OBJECT", "properties": {} } })),
        &format!("{path}.properties"),
        "should be non-empty for OBJECT type",
    );
    breaks(
        with(json!({ "type": "ARRAY" })),
        &format!("{path}.properties[a].items"),
        "missing field.",
    );
    breaks(
        with(json!({ "type": "INTEGER", "enum": ["1"] })),
        &format!("{path}.properties[a].enum"),
        "only allowed for STRING type",
    );
    breaks(
        with(
            json!({ "type": "OBJECT", "properties": { "b": { "type": "STRING" } }, "required": ["b", "c"] }),
        ),
        &format!("{path}.properties[a].required[1]"),
        "property is not defined",
    );
}

#[test]
fn names_of_parameters_begin_well_and_are_not_long() {
    let named = |name: &str| {
        declared(
            json!({ "parameters": { "type": "OBJECT", "properties": { name: { "type": "STRING" } } } }),
        )
    };
    for name in ["a", "_a9", &"x".repeat(64)] {
        accepts(named(name));
    }
    for name in ["", "9a", "a-b", "a.b", &"x".repeat(65)] {
        breaks(
            named(name),
            &format!("{PATH}.parameters.properties[{name}]"),
            "Invalid parameter name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9) or underscores (_), with a maximum length of 64.",
        );
    }
}

#[test]
fn a_function_has_one_kind_of_schema() {
    let subset = json!({ "type": "OBJECT", "properties": { "a": { "type": "STRING" } } });
    let whole = json!({ "type": "object", "properties": { "a-b": { "const": 1 } }, "additionalProperties": false });
    accepts(declared(json!({ "parameters": subset })));
    accepts(declared(json!({ "parametersJsonSchema": whole })));
    breaks(
        declared(json!({ "parameters": subset, "parametersJsonSchema": whole })),
        PATH,
        "parameters and parameters_json_schema are mutually exclusive.",
    );
    breaks(
        declared(json!({ "parametersJsonSchema": { "type": "string" } })),
        &format!("{PATH}.parameters_json_schema.type"),
        "parameters_json_schema must describe an object.",
    );
}
