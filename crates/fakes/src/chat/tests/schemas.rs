//! Parameters of functions, loose and strict.

use serde_json::{Map, Value, json};

use super::{accepts, refuses};

fn function(parameters: &Value, strict: bool) -> Value {
    let function = json!({ "name": "f", "parameters": parameters, "strict": strict });
    json!({ "tools": [{ "type": "function", "function": function }] })
}

#[track_caller]
fn bad(parameters: &Value, strict: bool, problem: &str) {
    refuses(
        function(parameters, strict),
        "tools[0].function.parameters",
        "invalid_function_parameters",
        &format!("Invalid schema for function 'f': {problem}"),
    );
}

#[test]
fn every_schema_is_of_an_object_with_properties() {
    accepts(function(&json!({}), false));
    accepts(function(&json!({ "type": "object", "properties": {} }), false));
    bad(
        &json!({ "properties": {} }),
        false,
        "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'.",
    );
    bad(
        &json!({ "type": "string" }),
        false,
        "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"string\"'.",
    );
    bad(&json!({ "type": "object" }), false, "In context=(), object schema missing properties.");
    bad(
        &json!({ "type": "object", "properties": {}, "anyOf": [] }),
        false,
        "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
    );
    let list = |list: Value| json!({ "type": "object", "properties": { "a": list } });
    accepts(function(&list(json!({ "type": "array", "items": {} })), false));
    bad(
        &list(json!({ "type": "array" })),
        false,
        "In context=('properties', 'a'), array schema missing items.",
    );
}

/// A strict object with these properties, all of them required.
fn strict(properties: &Value) -> Value {
    let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
    json!({
        "type": "object",
        "required": names,
        "properties": properties,
        "additionalProperties": false,
    })
}

#[test]
fn strict_objects_are_closed_and_require_all() {
    let good = strict(&json!({ "a": { "type": ["string", "null"] }, "b": strict(&json!({})) }));
    accepts(function(&good, true));
    let mut open = good.clone();
    open["additionalProperties"] = json!(true);
    accepts(function(&open, false));
    let closed = "'additionalProperties' is required to be supplied and to be false.";
    bad(&open, true, &format!("In context=(), {closed}"));
    let mut inner = good.clone();
    inner["properties"]["b"] = json!({ "type": "object", "properties": {} });
    bad(&inner, true, &format!("In context=('properties', 'b'), {closed}"));
    let required = "'required' is required to be supplied and to be an array including every key in properties.";
    let mut optional = good.clone();
    optional["required"] = json!(["a"]);
    bad(&optional, true, &format!("In context=(), {required} Missing 'b'."));
    let mut extra = good;
    extra["required"] = json!(["a", "b", "c"]);
    bad(&extra, true, &format!("In context=(), {required} Extra required key 'c' supplied."));
}

#[test]
fn strict_schemas_have_no_words_beside_the_subset() {
    for word in ["allOf", "oneOf", "not", "if", "dependentRequired", "patternProperties"] {
        let inner = json!({ "type": "string", word: [] });
        accepts(function(&strict(&json!({ "a": inner })), false));
        let problem = format!("In context=('properties', 'a'), '{word}' is not permitted.");
        bad(&strict(&json!({ "a": inner })), true, &problem);
    }
    bad(
        &strict(&json!({ "a": { "const": "x" } })),
        true,
        "In context=('properties', 'a'), schema must have a 'type' key.",
    );
    accepts(function(
        &strict(&json!({ "a": { "anyOf": [{ "type": "string" }, { "type": "null" }] } })),
        true,
    ));
    accepts(function(&strict(&json!({ "a": { "$ref": "#" } })), true));
    bad(
        &strict(&json!({ "a": { "anyOf": [{ "type": "string" }, {}] } })),
        true,
        "In context=('properties', 'a', 'anyOf', '1'), schema must have a 'type' key.",
    );
}

#[test]
fn strict_schemas_are_bounded() {
    let nested = |levels: usize| {
        (1..levels).fold(strict(&json!({})), |inner, _| strict(&json!({ "a": inner })))
    };
    accepts(function(&nested(10), true));
    bad(&nested(11), true, "11 levels of nesting exceeds limit of 10.");

    let wide = |count: usize| {
        let names = (0..count).map(|n| (format!("p{n}"), json!({ "type": "null" })));
        strict(&Value::Object(names.collect::<Map<_, _>>()))
    };
    accepts(function(&wide(5_000), true));
    bad(&wide(5_001), true, "5001 properties exceeds limit of 5000.");

    let values = |count: usize| {
        let values: Vec<usize> = (0..count).collect();
        strict(&json!({ "a": { "type": "integer", "enum": values } }))
    };
    accepts(function(&values(1_000), true));
    bad(&values(1_001), true, "1001 enum values exceeds limit of 1000.");

    // The name of the one property is a character too.
    let text =
        |chars: usize| strict(&json!({ "a": { "type": "string", "enum": ["x".repeat(chars)] } }));
    accepts(function(&text(119_999), true));
    bad(
        &text(120_000),
        true,
        "120001 characters of names and enum values exceeds limit of 120000.",
    );
}
