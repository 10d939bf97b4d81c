//! Each rule over the fields of a request: what breaks it is refused, its smallest legal neighbour accepted.
//! The words are those of the real server, as people have published them.

use serde_json::{Value, json};

use super::{accepts, asked, body, refuses, tool};
use crate::{Chat, Wire};

#[test]
fn a_request_without_a_key_is_refused() {
    let mut request = asked(body(json!({})));
    assert_eq!(Chat::openai().check(&request), Ok(()));
    for key in ["Bearer ", "sk-fake"] {
        request.headers = vec![("authorization".to_owned(), key.to_owned())];
        assert_eq!(Chat::openai().check(&request).unwrap_err().status, 401);
    }
    request.headers.clear();
    let refusal = Chat::openai().check(&request).unwrap_err();
    let error = Chat::openai().error(&refusal, 1);
    assert_eq!(refusal.status, 401);
    assert_eq!(error["error"]["type"], "invalid_request_error");
    assert_eq!((&error["error"]["param"], &error["error"]["code"]), (&Value::Null, &Value::Null));
    assert_eq!(Chat::local().check(&request), Ok(()));
}

#[test]
fn required_fields_are_required() {
    let missing = "Missing required parameter: 'messages'.";
    refuses(json!({ "model": null }), None, None, "you must provide a model parameter");
    refuses(json!({ "messages": null }), "messages", "missing_required_parameter", missing);
    refuses(
        json!({ "messages": [] }),
        "messages",
        "empty_array",
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    );
}

#[test]
fn unknown_fields_are_refused_at_every_level() {
    let unknown = |fields: Value, path: &str| {
        let message = format!("Unknown parameter: '{path}'.");
        refuses(fields, path, "unknown_parameter", &message);
    };
    unknown(json!({ "top_k": 3 }), "top_k");
    unknown(json!({ "reasoning": { "effort": "low" } }), "reasoning");
    unknown(
        json!({ "tools": [{ "type": "function", "function": { "name": "f", "input_schema": {} } }] }),
        "tools[0].function.input_schema",
    );
    unknown(
        json!({ "tools": [{ "type": "function", "function": { "name": "f" }, "defer_loading": true }] }),
        "tools[0].defer_loading",
    );
    unknown(
        json!({ "messages": [{ "role": "user", "content": "x", "tool_calls": [] }] }),
        "messages[0].tool_calls",
    );
    unknown(json!({ "stream": true, "stream_options": { "usage": true } }), "stream_options.usage");
    accepts(
        json!({ "metadata": {}, "seed": 1, "user": "u", "prompt_cache_key": "k", "store": false }),
    );
}

#[test]
fn types_are_named_as_the_server_names_them() {
    let wrong = |fields: Value, path: &str, expected: &str, got: &str| {
        let message =
            format!("Invalid type for '{path}': expected {expected}, but got {got} instead.");
        refuses(fields, path, "invalid_type", &message);
    };
    wrong(json!({ "temperature": "hot" }), "temperature", "a decimal", "a string");
    wrong(json!({ "seed": 1.5 }), "seed", "an integer", "a decimal number");
    wrong(json!({ "user": {} }), "user", "a string", "an object");
    wrong(json!({ "store": "yes" }), "store", "a boolean", "a string");
    wrong(json!({ "tools": "none" }), "tools", "an array of objects", "a string");
    wrong(json!({ "messages": ["ping"] }), "messages[0]", "an object", "a string");
    wrong(
        json!({ "messages": [{ "role": "user", "content": 7 }] }),
        "messages[0].content",
        "one of a string or array of objects",
        "an integer",
    );
    wrong(
        json!({ "prompt_cache_retention": {} }),
        "prompt_cache_retention",
        "one of 'in_memory' or '24h'",
        "an object",
    );
    wrong(
        json!({ "tools": [tool("f")], "tool_choice": 7 }),
        "tool_choice",
        "one of one of 'none', 'auto', or 'required' or object",
        "an integer",
    );
    accepts(json!({ "temperature": 0, "seed": -1, "top_p": 1 }));
}

#[test]
fn values_out_of_range_are_refused() {
    refuses(
        json!({ "max_completion_tokens": 0 }),
        "max_completion_tokens",
        "integer_below_min_value",
        "Invalid 'max_completion_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
    );
    accepts(json!({ "max_completion_tokens": 1 }));
    refuses(
        json!({ "temperature": 2.5 }),
        "temperature",
        "decimal_above_max_value",
        "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 2.5 instead.",
    );
    refuses(
        json!({ "verbosity": "bogus" }),
        "verbosity",
        "invalid_value",
        "Invalid value: 'bogus'. Supported values are: 'low', 'medium', and 'high'.",
    );
}

#[test]
fn the_first_fault_in_the_servers_order_is_told() {
    let first = |fields: Value| super::check(fields).unwrap_err().message;
    assert_eq!(first(json!({ "model": null, "zzz": 1 })), "you must provide a model parameter");
    assert_eq!(first(json!({ "zzz": 1, "n": "abc" })), "Unknown parameter: 'zzz'.");
    assert_eq!(first(json!({ "zzz": 1, "messages": [] })), "Unknown parameter: 'zzz'.");
    let wrong = "Invalid type for 'n': expected an integer, but got a string instead.";
    assert_eq!(first(json!({ "stop": ["Z"], "n": "abc", "model": "gpt-5.6" })), wrong);
}

#[test]
fn models_that_think_take_fewer_parameters() {
    let unsupported = |name: &str, value: Value, hint: &str| {
        let fields = json!({ "model": "gpt-5.6-terra", name: value });
        let message =
            format!("Unsupported parameter: '{name}' is not supported with this model.{hint}");
        refuses(fields, name, "unsupported_parameter", &message);
        accepts(json!({ name: value }));
    };
    refuses(
        json!({ "model": "gpt-4.1", "reasoning_effort": "low" }),
        None,
        None,
        "Unrecognized request argument supplied: reasoning_effort",
    );
    accepts(json!({ "model": "gpt-5.6-terra", "reasoning_effort": "low" }));
    unsupported("max_tokens", json!(32), " Use 'max_completion_tokens' instead.");
    unsupported("stop", json!(["Z"]), "");
    unsupported("logprobs", json!(true), "");
    unsupported("presence_penalty", json!(0.5), "");
    refuses(
        json!({ "model": "gpt-5.6-terra", "temperature": 0.5 }),
        "temperature",
        "unsupported_value",
        "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
    );
    accepts(json!({ "model": "gpt-5.6-terra", "temperature": 1 }));
    accepts(json!({ "model": "gpt-5.6-terra", "temperature": 0.5, "reasoning_effort": "none" }));
}

#[test]
fn one_hundred_and_twenty_eight_tools_are_the_most() {
    let tools = |count: usize| -> Vec<Value> {
        (0..count).map(|number| tool(&format!("t{number}"))).collect()
    };
    accepts(json!({ "tools": tools(128) }));
    refuses(
        json!({ "tools": tools(163) }),
        "tools",
        "array_above_max_length",
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 163 instead.",
    );
    refuses(
        json!({ "tools": [] }),
        "tools",
        "empty_array",
        "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    );
}

#[test]
fn names_of_tools_are_of_64_letters_digits_and_dashes() {
    for name in ["Read", "a-b_C9", &"x".repeat(64)] {
        accepts(json!({ "tools": [tool(name)] }));
    }
    for name in ["files.read", "", "läs", "a b"] {
        refuses(
            json!({ "tools": [tool(name)] }),
            "tools[0].function.name",
            "invalid_value",
            "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        );
    }
    refuses(
        json!({ "tools": [tool(&"x".repeat(65))] }),
        "tools[0].function.name",
        "string_above_max_length",
        "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    );
    accepts(json!({ "tools": [tool("a"), tool("A")] }));
    refuses(
        json!({ "tools": [tool("a"), tool("b"), tool("a")] }),
        "tools",
        "invalid_value",
        "Invalid 'tools': duplicate function name 'a'.",
    );
}

#[test]
fn parts_of_a_tool_are_required() {
    for (tool, path) in [
        (json!({}), "tools[0].type"),
        (json!({ "type": "function" }), "tools[0].function"),
        (json!({ "type": "function", "function": { "parameters": {} } }), "tools[0].function.name"),
    ] {
        let message = format!("Missing required parameter: '{path}'.");
        refuses(json!({ "tools": [tool] }), path, "missing_required_parameter", &message);
    }
    // The flat form is that of the Responses API.
    let flat = json!({ "type": "function", "name": "f" });
    refuses(
        json!({ "tools": [flat] }),
        "tools[0].name",
        "unknown_parameter",
        "Unknown parameter: 'tools[0].name'.",
    );
}

#[test]
fn a_choice_names_tools_that_are_there() {
    let with = |choice: Value| json!({ "tools": [tool("f"), tool("g")], "tool_choice": choice });
    for word in ["none", "auto", "required"] {
        accepts(with(json!(word)));
    }
    refuses(
        with(json!("any")),
        "tool_choice",
        "invalid_value",
        "Invalid value: 'any'. Supported values are: 'none', 'auto', and 'required'.",
    );
    accepts(with(json!({ "type": "function", "function": { "name": "g" } })));
    refuses(
        with(json!({ "type": "function", "function": { "name": "h" } })),
        "tool_choice",
        None,
        "Invalid value for 'tool_choice': no function named 'h' was specified in the 'tools' parameter.",
    );
    refuses(
        with(json!({ "type": "function", "name": "g" })),
        "tool_choice.function",
        "missing_required_parameter",
        "Missing required parameter: 'tool_choice.function'.",
    );
    for name in ["tool_choice", "parallel_tool_calls"] {
        let value = if name == "tool_choice" { json!("none") } else { json!(true) };
        refuses(
            json!({ name: value }),
            name,
            None,
            &format!(
                "Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."
            ),
        );
    }
}

#[test]
fn a_mask_is_nested_and_names_tools_that_are_there() {
    let with = |tools: Value, mode: Value| {
        let allowed = json!({ "mode": mode, "tools": tools });
        let choice = json!({ "type": "allowed_tools", "allowed_tools": allowed });
        json!({ "tools": [tool("f"), tool("g")], "tool_choice": choice })
    };
    accepts(with(json!([tool("g")]), json!("required")));
    accepts(with(json!([tool("g"), tool("f")]), json!("auto")));
    refuses(
        with(json!([tool("g"), tool("h")]), json!("auto")),
        "tool_choice.allowed_tools.tools[1]",
        None,
        "Invalid value for 'tool_choice': no function named 'h' was specified in the 'tools' parameter.",
    );
    refuses(
        with(json!([tool("g")]), json!("any")),
        "tool_choice.allowed_tools.mode",
        "invalid_value",
        "Invalid value: 'any'. Supported values are: 'auto' and 'required'.",
    );
    refuses(
        with(json!([{ "type": "function", "name": "g" }]), json!("auto")),
        "tool_choice.allowed_tools.tools[0].function",
        "missing_required_parameter",
        "Missing required parameter: 'tool_choice.allowed_tools.tools[0].function'.",
    );
    let flat = json!({ "type": "allowed_tools", "mode": "auto", "tools": [tool("g")] });
    refuses(
        json!({ "tools": [tool("g")], "tool_choice": flat }),
        "tool_choice.mode",
        "unknown_parameter",
        "Unknown parameter: 'tool_choice.mode'.",
    );
}

#[test]
fn options_of_a_stream_want_a_stream() {
    accepts(json!({ "stream": true, "stream_options": { "include_usage": true } }));
    refuses(
        json!({ "stream_options": { "include_usage": true } }),
        "stream_options",
        None,
        "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
}
