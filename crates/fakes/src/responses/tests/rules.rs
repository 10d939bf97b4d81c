//! Each rule over the fields of a request. The words are those of the real server, as people have published them.

use serde_json::{Value, json};

use super::{accepts, asked, body, check, function, refuses, refuses_with, user};
use crate::{Responses, Wire};

#[test]
fn a_request_without_a_key_is_refused() {
    let mut request = asked(body(json!({})));
    assert_eq!(Responses::openai().check(&request), Ok(()));
    request.headers.clear();
    let refusal = Responses::openai().check(&request).unwrap_err();
    assert_eq!(refusal.status, 401);
    assert_eq!(refusal.message, "Missing bearer or basic authentication in header");
}

#[test]
fn model_and_input_are_required() {
    let missing = "missing_required_parameter";
    let without = |name: &str| {
        let mut body = body(json!({}));
        body.as_object_mut().unwrap().remove(name);
        Responses::openai().check(&asked(body)).unwrap_err().message
    };
    assert_eq!(without("model"), "Missing required parameter: 'model'.");
    assert_eq!(without("input"), "Missing required parameter: 'input'.");
    for input in [json!(""), json!([])] {
        refuses(
            json!({ "input": input }),
            None,
            missing,
            "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be provided.",
        );
    }
    accepts(json!({ "input": [user("hello")] }));
    refuses(
        json!({ "messages": [user("hello")] }),
        None,
        "unsupported_parameter",
        "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to 'input'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.",
    );
}

#[test]
fn unknown_fields_are_refused_at_every_level() {
    for (fields, path) in [
        (json!({ "n": 2 }), "n"),
        (json!({ "seed": 1 }), "seed"),
        (json!({ "max_tokens": 16 }), "max_tokens"),
        (json!({ "reasoning": { "generate_summary": "concise" } }), "reasoning.generate_summary"),
        (json!({ "text": { "zzz": 1 } }), "text.zzz"),
        (json!({ "stream_options": { "include_usage": true } }), "stream_options.include_usage"),
        (json!({ "prompt_cache_options": { "bogus": 1 } }), "prompt_cache_options.bogus"),
        (json!({ "input": [{ "role": "user", "content": "x", "bogus": 1 }] }), "input[0].bogus"),
        (
            json!({ "tools": [{ "type": "function", "name": "f", "input_schema": {} }] }),
            "tools[0].input_schema",
        ),
    ] {
        let message = format!("Unknown parameter: '{path}'.");
        refuses(fields, path, "unknown_parameter", &message);
    }
    accepts(
        json!({ "metadata": {}, "store": false, "prompt_cache_key": "k", "instructions": "Be brief." }),
    );
    accepts(
        json!({ "include": ["reasoning.encrypted_content"], "reasoning": { "effort": "low", "summary": "auto" } }),
    );
}

#[test]
fn types_are_named_as_the_server_names_them() {
    for (fields, path, expected, got) in [
        (json!({ "model": null }), "model", "a string", "an object"),
        (json!({ "input": null }), "input", "a string", "an object"),
        (json!({ "model": 7 }), "model", "a string", "an integer"),
        (
            json!({ "input": { "a": 1 } }),
            "input",
            "one of a string or array of input items",
            "an object",
        ),
        (json!({ "input": [7] }), "input[0]", "an input item", "an integer"),
        (json!({ "tools": "x" }), "tools", "an array of tools", "a string"),
        (json!({ "text": "x" }), "text", "an object", "a string"),
        (json!({ "top_p": "wide" }), "top_p", "a decimal", "a string"),
        (json!({ "max_tool_calls": "x" }), "max_tool_calls", "an integer", "a string"),
        (json!({ "truncation": {} }), "truncation", "one of 'auto' or 'disabled'", "an object"),
        (
            json!({ "tool_choice": 7 }),
            "tool_choice",
            "one of an object or 'none', 'auto', or 'required'",
            "an integer",
        ),
        (
            json!({ "include": "x" }),
            "include",
            "an array of one of 'fil...lts', 'web...lts', 'web...ces', 'mes...url', 'com...url', 'cod...uts', 'rea...ent', or 'mes...obs'",
            "a string",
        ),
    ] {
        let message =
            format!("Invalid type for '{path}': expected {expected}, but got {got} instead.");
        refuses(fields, path, "invalid_type", &message);
    }
}

#[test]
fn values_out_of_range_are_refused() {
    refuses(
        json!({ "max_output_tokens": 15 }),
        "max_output_tokens",
        "integer_below_min_value",
        "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 15 instead.",
    );
    accepts(json!({ "max_output_tokens": 16 }));
    refuses(
        json!({ "reasoning": { "effort": "bogus" } }),
        "reasoning.effort",
        "invalid_value",
        "Invalid value: 'bogus'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', and 'max'.",
    );
    refuses(
        json!({ "include": ["reasoning.encrypted_content", "bogus.thing"] }),
        "include[1]",
        "invalid_value",
        "Invalid value: 'bogus.thing'. Supported values are: 'file_search_call.results', 'web_search_call.results', 'web_search_call.action.sources', 'message.input_image.image_url', 'computer_call_output.output.image_url', 'code_interpreter_call.outputs', 'reasoning.encrypted_content', and 'message.output_text.logprobs'.",
    );
}

#[test]
fn the_first_fault_in_the_servers_order_is_told() {
    let first = |fields: Value| check(fields).unwrap_err().message;
    assert_eq!(first(json!({ "input": [{}], "zzz": 1 })), "Unknown parameter: 'zzz'.");
    assert_eq!(first(json!({ "input": [], "zzz": 1 })), "Unknown parameter: 'zzz'.");
    let role =
        "Invalid value: ''. Supported values are: 'assistant', 'system', 'developer', and 'user'.";
    assert_eq!(first(json!({ "input": [{}], "truncation": "bogus" })), role);
    let gone = "Previous response with id 'resp_x' not found.";
    assert_eq!(first(json!({ "input": [], "previous_response_id": "resp_x" })), gone);
    let unsupported = "Unsupported parameter: 'temperature' is not supported with this model.";
    assert_eq!(first(json!({ "temperature": 0.5 })), unsupported);
    let tools = "Invalid type for 'tools': expected an array of tools, but got a string instead.";
    assert_eq!(first(json!({ "tools": "x", "metadata": "x" })), tools);
}

#[test]
fn nothing_is_kept_on_the_server() {
    refuses(
        json!({ "previous_response_id": "resp_1" }),
        "previous_response_id",
        "previous_response_not_found",
        "Previous response with id 'resp_1' not found.",
    );
    for conversation in [json!("conv_1"), json!({ "id": "conv_1" })] {
        let fields = json!({ "conversation": conversation });
        refuses_with(404, fields, None, None, "Conversation with id 'conv_1' not found.");
    }
    let fields = json!({ "prompt": { "id": "pmpt_1" } });
    refuses_with(404, fields, None, None, "Prompt with id 'pmpt_1' not found.");
}

#[test]
fn models_that_think_take_fewer_parameters() {
    for name in ["temperature", "top_p"] {
        let message = format!("Unsupported parameter: '{name}' is not supported with this model.");
        refuses(json!({ name: 0.5 }), name, None, &message);
        accepts(json!({ name: 1 }));
        accepts(json!({ name: 0.5, "model": "gpt-4.1" }));
        accepts(json!({ name: 0.5, "reasoning": { "effort": "none" } }));
    }
    refuses(
        json!({ "top_logprobs": 1 }),
        "top_logprobs",
        "unsupported_parameter",
        "logprobs are not supported with reasoning models.",
    );
    refuses(
        json!({ "model": "gpt-4.1", "reasoning": { "effort": "low" } }),
        "reasoning.effort",
        "unsupported_parameter",
        "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    );
}

#[test]
fn a_choice_names_tools_of_the_request() {
    let with =
        |choice: Value| json!({ "tools": [function("f"), function("g")], "tool_choice": choice });
    for word in ["none", "auto", "required"] {
        accepts(with(json!(word)));
    }
    for word in ["none", "auto"] {
        accepts(json!({ "tool_choice": word }));
        accepts(json!({ "tool_choice": word, "tools": [] }));
    }
    let required = "Tool choice 'required' must be specified with 'tools' parameter.";
    refuses(json!({ "tool_choice": "required" }), "tool_choice", None, required);
    refuses(
        with(json!("bogus")),
        "tool_choice",
        "invalid_value",
        "Invalid value: 'bogus'. Supported values are: 'none', 'auto', and 'required'.",
    );
    accepts(with(json!({ "type": "function", "name": "g" })));
    let absent = "Tool choice 'function' not found in 'tools' parameter.";
    refuses(with(json!({ "type": "function", "name": "h" })), "tool_choice", None, absent);
    refuses(
        with(json!({ "type": "function", "function": { "name": "g" } })),
        "tool_choice.name",
        "missing_required_parameter",
        "Missing required parameter: 'tool_choice.name'.",
    );
}

#[test]
fn a_mask_is_flat_and_names_tools_of_the_request() {
    let with = |tools: Value, mode: Value| {
        let choice = json!({ "type": "allowed_tools", "mode": mode, "tools": tools });
        json!({ "tools": [function("f"), function("g")], "tool_choice": choice })
    };
    accepts(with(json!([function("g")]), json!("required")));
    accepts(with(json!([function("g"), function("f")]), json!("auto")));
    let absent = "Tool choice 'function' not found in 'tools' parameter.";
    refuses(
        with(json!([function("g"), function("h")]), json!("auto")),
        "tool_choice",
        None,
        absent,
    );
    refuses(
        with(json!([{ "type": "function", "function": { "name": "g" } }]), json!("auto")),
        "tool_choice.tools[0].name",
        "missing_required_parameter",
        "Missing required parameter: 'tool_choice.tools[0].name'.",
    );
    refuses(
        with(json!([function("g")]), json!("any")),
        "tool_choice.mode",
        "invalid_value",
        "Invalid value: 'any'. Supported values are: 'auto' and 'required'.",
    );
    let nested = json!({ "type": "allowed_tools", "allowed_tools": { "mode": "auto", "tools": [function("g")] } });
    refuses(
        json!({ "tools": [function("g")], "tool_choice": nested }),
        "tool_choice.allowed_tools",
        "unknown_parameter",
        "Unknown parameter: 'tool_choice.allowed_tools'.",
    );
}
