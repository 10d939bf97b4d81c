mod rules;

use proptest::prelude::*;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::{Dialect, Projection, project};

const ALL: [Dialect; 6] = [
    Dialect::Anthropic,
    Dialect::Bedrock,
    Dialect::OpenAi,
    Dialect::OpenAiStrict,
    Dialect::GeminiJson,
    Dialect::GeminiSchema,
];

fn raw(schema: &Value) -> Box<RawValue> {
    to_raw_value(schema).unwrap()
}

fn value(projection: &Projection<'_>) -> Value {
    projection.schema.as_ref().map_or(Value::Null, |raw| serde_json::from_str(raw.get()).unwrap())
}

fn places<'p>(projection: &'p Projection<'_>) -> Vec<&'p str> {
    projection.losses.iter().map(|loss| loss.place.as_str()).collect()
}

/// Holds what `schema` becomes, and where something is lost, against what is expected.
#[expect(clippy::needless_pass_by_value, reason = "literals read better without a sign")]
fn check(dialect: Dialect, schema: Value, expected: Value, lost: &[&str]) {
    let schema = raw(&schema);
    let projection = project(Some(&schema), dialect);
    assert_eq!(value(&projection), expected, "{dialect:?} {schema}");
    assert_eq!(places(&projection), lost, "{dialect:?} {schema}");
    assert_eq!(rules::broken(&value(&projection), dialect, projection.is_strict), [""; 0]);
}

/// Holds what a property of this schema becomes for older endpoints against what is expected.
fn check_inlined(property: Value, expected: Value, lost: &[&str]) {
    let around = |schema: Value| json!({"type": "object", "properties": {"p": schema}});
    let lost: Vec<String> = lost.iter().map(|place| format!("/properties/p{place}")).collect();
    let lost: Vec<&str> = lost.iter().map(String::as_str).collect();
    check(Dialect::GeminiSchema, around(property), around(expected), &lost);
}

#[test]
fn what_a_vendor_takes_passes_byte_for_byte() {
    let text = r#"{ "type" : "object", "properties": {"n": {"oneOf": [{"type": "integer", "minimum": 1e2}, {"not": {}}], "const": 12345678901234567890123}}, "required": ["n"], "$schema": "x" }"#;
    let schema = RawValue::from_string(text.to_owned()).unwrap();
    for dialect in [Dialect::Anthropic, Dialect::Bedrock, Dialect::OpenAi, Dialect::GeminiJson] {
        let projection = project(Some(&schema), dialect);
        assert_eq!(projection.schema.as_ref().unwrap().get(), text, "{dialect:?}");
        assert_eq!(projection.losses, [], "{dialect:?}");
    }
}

#[test]
fn a_tool_without_parameters_has_an_empty_object() {
    let empty = json!({"type": "object", "properties": {}});
    for dialect in ALL {
        let expected = if dialect == Dialect::GeminiSchema { Value::Null } else { empty.clone() };
        assert_eq!(value(&project(None, dialect)), expected, "{dialect:?}");
        for schema in
            [json!(true), json!({}), json!({"type": "object"}), json!({"type": ["object", "null"]})]
        {
            let schema = raw(&schema);
            let projection = project(Some(&schema), dialect);
            let mut found = value(&projection);
            if projection.is_strict {
                for word in ["required", "additionalProperties"] {
                    found.as_object_mut().unwrap().remove(word);
                }
            }
            assert_eq!(found, expected, "{dialect:?} {schema}");
            assert_eq!(projection.losses, [], "{dialect:?} {schema}");
        }
    }
}

#[test]
fn a_schema_that_is_none_is_lost_as_a_whole() {
    let empty = json!({"type": "object", "properties": {}});
    for (schema, place) in
        [(json!(false), ""), (json!(7), ""), (json!({"type": "string"}), "/type")]
    {
        check(Dialect::OpenAi, schema, empty.clone(), &[place]);
    }
    let huge =
        RawValue::from_string(r#"{"type": "object", "maxProperties": 1e999}"#.to_owned()).unwrap();
    let projection = project(Some(&huge), Dialect::OpenAi);
    assert_eq!((value(&projection), places(&projection)), (empty, vec![""]));
}

#[test]
fn the_root_becomes_one_object() {
    let dialect = Dialect::Anthropic;
    check(
        dialect,
        json!({"$ref": "#/$defs/A", "description": "d", "$defs": {"A": {
            "type": "object", "properties": {"a": {"$ref": "#/$defs/B"}}, "required": ["a"],
            "description": "of A",
        }, "B": {"type": "string"}}}),
        json!({
            "type": "object", "properties": {"a": {"$ref": "#/$defs/B"}}, "required": ["a"],
            "description": "d",
            "$defs": {"A": {
                "type": "object", "properties": {"a": {"$ref": "#/$defs/B"}}, "required": ["a"],
                "description": "of A",
            }, "B": {"type": "string"}},
        }),
        &[],
    );
    check(
        dialect,
        json!({"allOf": [
            {"properties": {"a": {"type": "string"}, "c": {"minLength": 1}}, "required": ["a"]},
            {"properties": {"b": {"type": "string"}, "c": {"maxLength": 9}}, "required": ["a", "b"], "minProperties": 1},
            {"minProperties": 2},
        ]}),
        json!({
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "c": {"allOf": [{"minLength": 1}, {"maxLength": 9}]},
                "b": {"type": "string"},
            },
            "required": ["a", "b"],
            "minProperties": 1,
        }),
        &["/allOf/2/minProperties"],
    );
    check(
        dialect,
        json!({"type": "object", "properties": {"x": {}}, "anyOf": [
            {"properties": {"a": {"type": "string"}, "k": {"const": "a"}, "x": {"minimum": 1}}, "required": ["k", "a"], "additionalProperties": false},
            {"properties": {"b": {"type": "string"}, "k": {"const": "b"}}, "required": ["k", "b"], "additionalProperties": false},
        ]}),
        json!({
            "type": "object",
            "properties": {
                "x": {},
                "a": {"type": "string"},
                "k": {"anyOf": [{"const": "a"}, {"const": "b"}]},
                "b": {"type": "string"},
            },
            "required": ["k"],
            "additionalProperties": false,
        }),
        &["/anyOf"],
    );
    check(
        dialect,
        json!({"$ref": "#/$defs/None", "properties": 1, "required": "a"}),
        json!({"type": "object", "properties": {}}),
        &["/properties", "/required", "/$ref"],
    );
}

#[test]
fn one_vendor_refuses_more_at_the_root_and_wants_items() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "array"}, "b": {"type": ["array", "null"], "items": {"type": "array"}}},
        "not": {"required": ["a"]}, "enum": [{}],
    });
    check(Dialect::Anthropic, schema.clone(), schema.clone(), &[]);
    check(
        Dialect::OpenAi,
        schema,
        json!({
            "type": "object",
            "properties": {
                "a": {"type": "array", "items": {}},
                "b": {"type": ["array", "null"], "items": {"type": "array", "items": {}}},
            },
        }),
        &["/not", "/enum"],
    );
}

#[test]
fn one_vendor_refuses_parameters_of_odd_names() {
    let schema = json!({
        "type": "object",
        "properties": {"filter[id]": {"type": "string"}, "a.b-c_D9": {"properties": {"$x": {}}}, "n": {}},
        "required": ["filter[id]", "n"],
    });
    let left = json!({
        "type": "object",
        "properties": {"a.b-c_D9": {"properties": {"$x": {}}}, "n": {}},
        "required": ["n"],
    });
    for dialect in [Dialect::Anthropic, Dialect::Bedrock] {
        check(dialect, schema.clone(), left.clone(), &["/properties/filter[id]"]);
    }
    for dialect in [Dialect::OpenAi, Dialect::GeminiJson] {
        check(dialect, schema.clone(), schema.clone(), &[]);
    }
    let long = json!({"type": "object", "properties": {"x".repeat(65): {}, "x".repeat(64): {}}});
    let place = format!("/properties/{}", "x".repeat(65));
    let left = json!({"type": "object", "properties": {"x".repeat(64): {}}});
    check(Dialect::Anthropic, long, left, &[&place]);
}

#[test]
fn references_into_what_was_taken_apart_are_cut() {
    check(
        Dialect::OpenAi,
        json!({"oneOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {"$ref": "#/oneOf/0/properties/a"}}}]}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}}),
        &["/oneOf", ""],
    );
}

#[test]
fn strict_objects_are_closed_and_whole() {
    check(
        Dialect::OpenAiStrict,
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "minLength": 1, "format": "uri"},
                "lines": {"type": "integer", "default": 3, "minimum": 0},
                "mode": {"enum": ["a", "b"]},
                "at": {"$ref": "#/$defs/At", "description": "where"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["path"],
            "$defs": {"At": {"type": "object", "properties": {"x": {"type": ["integer", "null"]}}, "required": []}},
        }),
        json!({
            "type": "object",
            "$defs": {"At": {"type": "object", "properties": {"x": {"type": ["integer", "null"]}}, "required": ["x"], "additionalProperties": false}},
            "properties": {
                "path": {"type": "string"},
                "lines": {"type": ["integer", "null"], "minimum": 0},
                "mode": {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]},
                "at": {"anyOf": [{"$ref": "#/$defs/At"}, {"type": "null"}]},
                "tags": {"type": ["array", "null"], "items": {"type": "string"}},
            },
            "required": ["path", "lines", "mode", "at", "tags"],
            "additionalProperties": false,
        }),
        &["/properties/path/minLength", "/properties/path/format", "/properties/at/description"],
    );
}

#[test]
fn what_cannot_be_strict_is_not() {
    let deep = (0..11).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "object", "properties": {"a": inner}}),
    );
    let values: Vec<String> = (0..1_001).map(|n| n.to_string()).collect();
    let of = |property: Value| json!({"type": "object", "properties": {"p": property}});
    for schema in [
        of(json!({})),
        of(json!({"type": "object", "additionalProperties": {"type": "string"}})),
        of(json!({"allOf": [{"type": "string"}]})),
        of(json!({"type": "array"})),
        of(json!({"$ref": "other.json"})),
        of(json!({"$ref": "#/properties/p"})),
        of(json!({"enum": values})),
        deep,
    ] {
        let schema = raw(&schema);
        assert!(!project(Some(&schema), Dialect::OpenAiStrict).is_strict, "{schema}");
    }
}

#[test]
fn older_endpoints_get_one_type_each() {
    check_inlined(
        json!({"type": ["string", "null"]}),
        json!({"type": "string", "nullable": true}),
        &[],
    );
    check_inlined(
        json!({"type": ["string", "integer"], "minLength": 1, "minimum": 2, "description": "d"}),
        json!({"anyOf": [
            {"type": "string", "minLength": 1, "description": "d"},
            {"type": "integer", "minimum": 2, "description": "d"},
        ]}),
        &[],
    );
    check_inlined(json!({"minimum": 2}), json!({"type": "number", "minimum": 2}), &[]);
    check_inlined(
        json!({"properties": {"a": {"type": "boolean"}}}),
        json!({"type": "object", "properties": {"a": {"type": "boolean"}}}),
        &[],
    );
    check_inlined(json!({}), json!({"type": "string"}), &[""]);
    check_inlined(json!({"type": "null"}), json!({"type": "string", "nullable": true}), &[""]);
    check_inlined(
        json!({"type": "array"}),
        json!({"type": "array", "items": {"type": "string"}}),
        &[""],
    );
    check_inlined(
        json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}, {"type": "string"}]}),
        json!({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}),
        &["/prefixItems"],
    );
}

#[test]
fn older_endpoints_get_fixed_texts_only() {
    check_inlined(json!({"const": "a"}), json!({"type": "string", "enum": ["a"]}), &[]);
    check_inlined(
        json!({"enum": ["a", null]}),
        json!({"type": "string", "enum": ["a"], "nullable": true}),
        &[],
    );
    check_inlined(
        json!({"type": "string", "enum": ["", "a"]}),
        json!({"type": "string", "enum": ["a"]}),
        &["/enum"],
    );
    check_inlined(
        json!({"type": "integer", "enum": [1, 2]}),
        json!({"type": "integer"}),
        &["/enum"],
    );
    check_inlined(json!({"const": true}), json!({"type": "boolean"}), &["/const"]);
}

#[test]
fn older_endpoints_get_alternatives_that_stand_alone() {
    check_inlined(
        json!({"description": "d", "anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"type": "string", "description": "d", "nullable": true}),
        &[],
    );
    check_inlined(
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "oneOf": [
            {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            {"anyOf": [{"properties": {"c": {"type": "string"}}}, {"properties": {"d": {"type": "string"}}}]},
            {"type": "null"},
        ]}),
        json!({"anyOf": [
            {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}, "required": ["b", "a"], "nullable": true},
            {"type": "object", "properties": {"c": {"type": "string"}, "a": {"type": "string"}}, "required": ["a"], "nullable": true},
            {"type": "object", "properties": {"d": {"type": "string"}, "a": {"type": "string"}}, "required": ["a"], "nullable": true},
        ]}),
        &["/oneOf"],
    );
}

#[test]
fn older_endpoints_get_no_references() {
    let tree = |left: Value| {
        json!({
            "type": "object",
            "properties": {"root": left},
            "$defs": {"Node": {"type": "object", "properties": {
                "name": {"type": "string"}, "next": {"$ref": "#/$defs/Node"},
            }}},
        })
    };
    let schema = raw(&tree(json!({"$ref": "#/$defs/Node"})));
    let projection = project(Some(&schema), Dialect::GeminiSchema);
    assert_eq!(
        value(&projection),
        json!({"type": "object", "properties": {"root": {"type": "object", "properties": {
            "name": {"type": "string"}, "next": {"type": "object"},
        }}}})
    );
    assert_eq!(places(&projection), ["/$defs/Node/properties/next"]);
}

#[test]
fn older_endpoints_are_not_told_what_they_have_no_word_for() {
    check_inlined(
        json!({
            "type": "object",
            "properties": {
                "n": {"type": "integer", "exclusiveMinimum": 2, "exclusiveMaximum": 9, "multipleOf": 2, "format": "int32"},
                "f": {"type": "number", "exclusiveMinimum": 0.5},
                "t": {"type": "string", "format": "uri", "pattern": "a", "minimum": 1, "title": "T", "examples": ["x"]},
                "a-b": {"type": "string"},
            },
            "required": ["n", "gone", "a-b"],
            "additionalProperties": false,
            "not": {}, "if": {}, "patternProperties": {},
        }),
        json!({
            "type": "object",
            "properties": {
                "n": {"type": "integer", "minimum": 3, "maximum": 8, "format": "int32"},
                "f": {"type": "number"},
                "t": {"type": "string", "pattern": "a", "title": "T"},
            },
            "required": ["n"],
        }),
        &[
            "/additionalProperties",
            "/not",
            "/if",
            "/patternProperties",
            "/properties/n/multipleOf",
            "/properties/f/exclusiveMinimum",
            "/properties/t/format",
            "/properties/a-b",
            "/required",
            "/required",
        ],
    );
}

#[test]
fn references_that_double_end() {
    let mut defs = serde_json::Map::new();
    for n in 0..40 {
        let next = format!("#/$defs/D{}", n + 1);
        defs.insert(
            format!("D{n}"),
            json!({"type": "object", "properties": {"a": {"$ref": next}, "b": {"$ref": next}}}),
        );
    }
    defs.insert("D40".to_owned(), json!({"type": "string"}));
    let schema =
        raw(&json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/D0"}}, "$defs": defs}));
    let projection = project(Some(&schema), Dialect::GeminiSchema);
    assert!(!projection.losses.is_empty());
    assert!(projection.schema.unwrap().get().len() < 1_000_000);
    let around = json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]});
    for dialect in ALL {
        let around = raw(&around);
        assert!(!project(Some(&around), dialect).losses.is_empty());
    }
}

/// Schemas of every kind of keyword, sound or not.
fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({"type": "string"})),
        Just(json!({"type": ["integer", "null"]})),
        Just(json!({"type": "array"})),
        Just(json!({"type": "null"})),
        Just(json!({"enum": ["a", 1, null, ""]})),
        Just(json!({"const": 7})),
        Just(json!({"$ref": "#"})),
        Just(json!({"$ref": "#/properties/a"})),
        Just(json!({"$ref": "#/$defs/a"})),
        Just(json!({"$ref": "x.json"})),
        Just(json!({"type": "string", "format": "uri", "minLength": 1, "pattern": "a"})),
        Just(json!({"type": "number", "exclusiveMinimum": true, "maximum": 2.5})),
        Just(json!(3)),
        Just(json!({"type": 3, "required": 3, "properties": [], "anyOf": {}, "items": 1})),
        Just(json!({"anyOf": []})),
        Just(json!({"type": "object", "required": ["gone"]})),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let named = prop::collection::vec(("[ab]|a-b|\\PC", inner.clone()), 0..4);
        let list = prop::collection::vec(inner.clone(), 0..4);
        let word = prop_oneof![
            named.prop_map(|named| ("properties", Value::Object(named.into_iter().collect()))),
            prop::collection::vec(("[ab]", inner.clone()), 0..3)
                .prop_map(|named| ("$defs", Value::Object(named.into_iter().collect()))),
            (prop::sample::select(&["anyOf", "oneOf", "allOf", "prefixItems"][..]), list)
                .prop_map(|(word, list)| (word, Value::from(list))),
            (prop::sample::select(&["items", "not", "if", "additionalProperties"][..]), inner)
                .prop_map(|(word, schema)| (word, schema)),
            prop::sample::select(&["object", "array", "string", "any"][..])
                .prop_map(|kind| ("type", Value::from(kind))),
            Just(("required", json!(["a"]))),
            Just(("description", json!("d"))),
            Just(("additionalProperties", json!(false))),
            Just(("enum", json!(["a", "b"]))),
        ];
        prop::collection::vec(word, 0..5).prop_map(|words| {
            let words = words.into_iter().map(|(word, value)| (word.to_owned(), value));
            Value::Object(words.collect())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_projection_keeps_the_vendors_rules(schema in schemas()) {
        let schema = raw(&schema);
        for dialect in ALL {
            let projection = project(Some(&schema), dialect);
            let broken = rules::broken(&value(&projection), dialect, projection.is_strict);
            prop_assert_eq!(broken, [""; 0], "{:?} {} {:?}", dialect, schema, projection.schema);
            let again = project(Some(&schema), dialect);
            prop_assert_eq!(
                again.schema.map(|raw| raw.get().to_owned()),
                projection.schema.as_ref().map(|raw| raw.get().to_owned())
            );
        }
    }

    #[test]
    fn a_projection_is_one_of_itself(schema in schemas()) {
        let schema = raw(&schema);
        for dialect in [Dialect::Anthropic, Dialect::OpenAi] {
            let once = project(Some(&schema), dialect).schema.unwrap().into_owned();
            let twice = project(Some(&once), dialect);
            prop_assert_eq!(twice.schema.as_ref().unwrap().get(), once.get());
            prop_assert!(twice.losses.is_empty());
        }
    }
}
