//! Tools: functions, namespaces, the search, and tools that come late.

use serde_json::{Value, json};

use super::{accepts, function, refuses, search, user};

fn tools(tools: &[Value]) -> Value {
    json!({ "tools": tools })
}

fn deferred(name: &str) -> Value {
    json!({ "type": "function", "name": name, "defer_loading": true })
}

fn namespace(tools: &[Value]) -> Value {
    json!({ "type": "namespace", "name": "crm", "description": "Customers.", "tools": tools })
}

#[test]
fn functions_are_flat_and_named_well() {
    accepts(tools(&[function("Read"), function(&"x".repeat(64))]));
    let chat = json!({ "type": "function", "function": { "name": "f" } });
    refuses(
        tools(&[chat]),
        "tools[0].name",
        "missing_required_parameter",
        "Missing required parameter: 'tools[0].name'.",
    );
    refuses(
        tools(&[json!({})]),
        "tools[0].type",
        "missing_required_parameter",
        "Missing required parameter: 'tools[0].type'.",
    );
    refuses(
        tools(&[function("files.read")]),
        "tools[0].name",
        "invalid_value",
        "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    );
    refuses(
        tools(&[function(&"x".repeat(65))]),
        "tools[0].name",
        "string_above_max_length",
        "Invalid 'tools[0].name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    );
    refuses(
        tools(&[function("f"), function("f")]),
        "tools",
        "invalid_value",
        "Invalid 'tools': duplicate function name 'f'.",
    );
    let many: Vec<Value> = (0..129).map(|number| function(&format!("t{number}"))).collect();
    accepts(tools(&many[..128]));
    refuses(
        tools(&many),
        "tools",
        "array_above_max_length",
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
    );
}

#[test]
fn strict_functions_keep_to_the_subset() {
    let with = |strict: Value| {
        let parameters = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        tools(&[
            json!({ "type": "function", "name": "f", "parameters": parameters, "strict": strict }),
        ])
    };
    // Without a word the server tries, and falls back.
    accepts(with(Value::Null));
    accepts(with(json!(false)));
    refuses(
        with(json!(true)),
        "tools[0].parameters",
        "invalid_function_parameters",
        "Invalid schema for function 'f': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    );
}

#[test]
fn a_client_search_says_what_it_is_and_takes() {
    accepts(tools(&[search(), function("f")]));
    accepts(tools(&[json!({ "type": "tool_search" })]));
    accepts(tools(&[json!({ "type": "tool_search", "execution": "server" })]));
    let without = |field: &str| {
        let mut search = search();
        search.as_object_mut().unwrap().remove(field);
        tools(&[search])
    };
    let needs = |what: &str| format!("Client-executed tool_search requires {what}.");
    refuses(without("description"), "tools", None, &needs("a description"));
    refuses(without("parameters"), "tools", None, &needs("parameters"));
    let mut empty = search();
    empty["description"] = json!("");
    refuses(tools(&[empty]), "tools", None, &needs("a description"));
    let mut named = search();
    named["name"] = json!("ToolSearch");
    refuses(
        tools(&[named]),
        "tools[0].name",
        "unknown_parameter",
        "Unknown parameter: 'tools[0].name'.",
    );
    refuses(
        tools(&[search(), json!({ "type": "tool_search" })]),
        "tools",
        None,
        "Only one tool_search tool is allowed in 'tools' parameter.",
    );
}

#[test]
fn older_models_know_no_search() {
    for model in ["gpt-5.1", "gpt-5.3", "gpt-4.1", "o3", "gpt-5.4-nano"] {
        let message = format!("Tool 'tool_search' is not supported with {model}.");
        refuses(json!({ "model": model, "tools": [search()] }), "tools", None, &message);
        accepts(json!({ "model": model, "tools": [function("f")] }));
    }
    accepts(json!({ "model": "gpt-5.4", "tools": [search()] }));
}

#[test]
fn deferring_wants_a_search() {
    let message = "tools.defer_loading requires tools.tool_search";
    accepts(tools(&[search(), deferred("f")]));
    refuses(tools(&[deferred("f")]), "tools", None, message);
    accepts(tools(&[search(), namespace(&[deferred("f")])]));
    refuses(tools(&[namespace(&[deferred("f")])]), "tools", None, message);
    accepts(tools(&[namespace(&[function("f")])]));
}

#[test]
fn a_namespace_has_a_name_a_description_and_functions() {
    for field in ["name", "description", "tools"] {
        let mut space = namespace(&[function("f")]);
        space.as_object_mut().unwrap().remove(field);
        let path = format!("tools[0].{field}");
        let message = format!("Missing required parameter: '{path}'.");
        refuses(tools(&[space]), path.as_str(), "missing_required_parameter", &message);
    }
    refuses(
        tools(&[namespace(&[])]),
        "tools[0].tools",
        "empty_array",
        "Invalid 'tools[0].tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    );
    refuses(
        tools(&[namespace(&[json!({ "name": "f" })])]),
        "tools[0].tools[0].type",
        "missing_required_parameter",
        "Missing required parameter: 'tools[0].tools[0].type'.",
    );
    refuses(
        tools(&[namespace(&[search()])]),
        "tools[0].tools[0]",
        "invalid_value",
        "Invalid value: 'tool_search'. Supported values are: 'function' and 'custom'.",
    );
    let mut eager = namespace(&[function("f")]);
    eager["defer_loading"] = json!(true);
    refuses(
        tools(&[eager]),
        "tools[0].defer_loading",
        "unknown_parameter",
        "Unknown parameter: 'tools[0].defer_loading'.",
    );
    // The same name in two places is two functions.
    let mut other = namespace(&[function("f")]);
    other["name"] = json!("erp");
    accepts(tools(&[namespace(&[function("f")]), other, function("f")]));
    refuses(
        tools(&[namespace(&[function("f")]), namespace(&[function("g")])]),
        "tools",
        "invalid_value",
        "Invalid 'tools': duplicate function name 'crm'.",
    );
    // Ten functions are more than is advised, and are taken.
    let many: Vec<Value> = (0..20).map(|number| function(&format!("t{number}"))).collect();
    accepts(tools(&[namespace(&many)]));
}

#[test]
fn tools_that_come_late_keep_the_same_rules() {
    let added = |role: &str, tools: &[Value]| {
        let item = json!({ "type": "additional_tools", "role": role, "tools": tools });
        json!({ "input": [user("hello"), item] })
    };
    accepts(added("developer", &[function("f")]));
    refuses(
        added("user", &[function("f")]),
        "input[1].role",
        "invalid_value",
        "Invalid value: 'user'. Supported values are: 'developer'.",
    );
    refuses(
        added("developer", &[function("files.read")]),
        "input[1].tools[0].name",
        "invalid_value",
        "Invalid 'input[1].tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    );
    // What came late is not in the parameter that a choice is held against.
    let mut chosen = added("developer", &[function("f")]);
    chosen["tools"] = json!([function("g")]);
    chosen["tool_choice"] = function("f");
    let message = "Tool choice 'function' not found in 'tools' parameter.";
    refuses(chosen, "tool_choice", None, message);
}
