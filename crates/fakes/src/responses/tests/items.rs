//! Items of the input, each for itself.

use serde_json::{Value, json};

use super::{accepts, check, function, refuses, search, user};

fn input(items: &[Value]) -> Value {
    json!({ "input": items })
}

#[test]
fn kinds_of_items_are_known() {
    let message = check(input(&[json!({ "type": "bogus_item" })])).unwrap_err().message;
    assert!(
        message
            .starts_with("Invalid value: 'bogus_item'. Supported values are: 'additional_tools', ")
    );
    assert!(message.ends_with("'tool_search_call', 'tool_search_output', and 'web_search_call'."));
    accepts(input(&[json!({ "type": "message", "role": "user", "content": "x" })]));
    // Kinds that the fake does not look into pass.
    accepts(input(&[
        user("x"),
        json!({ "type": "web_search_call", "id": "ws_1", "status": "completed" }),
    ]));
}

#[test]
fn messages_have_roles_and_contents() {
    let roles = "Supported values are: 'assistant', 'system', 'developer', and 'user'.";
    refuses(
        input(&[json!({ "role": "tool", "content": "x" })]),
        "input[0]",
        "invalid_value",
        &format!("Invalid value: 'tool'. {roles}"),
    );
    refuses(
        input(&[json!({ "role": "user" })]),
        "input[0].content",
        "missing_required_parameter",
        "Missing required parameter: 'input[0].content'.",
    );
    let with =
        |role: &str, part: Value| input(&[user("x"), json!({ "role": role, "content": [part] })]);
    let of = |kind: &str| json!({ "type": kind, "text": "x" });
    accepts(with("user", of("input_text")));
    accepts(with("assistant", of("output_text")));
    accepts(with("assistant", json!({ "type": "refusal", "refusal": "no" })));
    refuses(
        with("user", of("output_text")),
        "input[1].content[0]",
        "invalid_value",
        "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', 'input_file', 'scoped_content', and 'input_audio'.",
    );
    refuses(
        with("assistant", of("input_text")),
        "input[1].content[0]",
        "invalid_value",
        "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    );
    refuses(
        with("user", json!({ "type": "input_text" })),
        "input[1].content[0].text",
        "missing_required_parameter",
        "Missing required parameter: 'input[1].content[0].text'.",
    );
    let phased = |role: &str, phase: &str| {
        input(&[json!({ "role": role, "content": "x", "phase": phase }), user("y")])
    };
    accepts(phased("assistant", "commentary"));
    refuses(
        phased("assistant", "bogus"),
        "input[0].phase",
        "invalid_value",
        "Invalid value: 'bogus'. Supported values are: 'commentary' and 'final_answer'.",
    );
    refuses(
        phased("user", "commentary"),
        "input[0].phase",
        "unknown_parameter",
        "Unknown parameter: 'input[0].phase'.",
    );
}

#[test]
fn arguments_of_functions_are_texts_and_those_of_searches_objects() {
    let call = |arguments: Value| {
        let call =
            json!({ "type": "function_call", "call_id": "c", "name": "f", "arguments": arguments });
        let output = json!({ "type": "function_call_output", "call_id": "c", "output": "done" });
        input(&[user("x"), call, output])
    };
    accepts(call(json!("{}")));
    refuses(
        call(json!({})),
        "input[1].arguments",
        "invalid_type",
        "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
    );
    let searched = |arguments: Value| {
        let call = json!({ "type": "tool_search_call", "call_id": "c", "execution": "client", "arguments": arguments });
        let output = json!({ "type": "tool_search_output", "call_id": "c", "execution": "client", "tools": [] });
        json!({ "tools": [search()], "input": [user("x"), call, output] })
    };
    accepts(searched(json!({ "query": "x" })));
    refuses(
        searched(json!("{}")),
        "input[1].arguments",
        "invalid_type",
        "Invalid type for 'input[1].arguments': expected an object, but got a string instead.",
    );
}

#[test]
fn calls_and_outputs_have_their_parts() {
    let call = json!({ "type": "function_call", "call_id": "c", "name": "f", "arguments": "{}" });
    let output = json!({ "type": "function_call_output", "call_id": "c", "output": "done" });
    let searched = json!({ "type": "tool_search_call", "call_id": "s", "execution": "client", "arguments": {} });
    let found = json!({ "type": "tool_search_output", "call_id": "s", "execution": "client", "tools": [function("f")] });
    let all = [call, output, searched, found];
    accepts(input(&all));
    for (at, field) in [
        (0, "call_id"),
        (0, "name"),
        (0, "arguments"),
        (1, "call_id"),
        (1, "output"),
        (2, "call_id"),
        (2, "arguments"),
        (3, "call_id"),
        (3, "tools"),
    ] {
        let mut items = all.clone();
        items[at].as_object_mut().unwrap().remove(field);
        let path = format!("input[{at}].{field}");
        let message = format!("Missing required parameter: '{path}'.");
        refuses(input(&items), path.as_str(), "missing_required_parameter", &message);
    }
    let mut parts = all.clone();
    parts[1]["output"] = json!([{ "type": "input_text", "text": "done" }]);
    accepts(input(&parts));
    parts[1]["output"] = json!({ "ok": true });
    refuses(
        input(&parts),
        "input[1].output",
        "invalid_type",
        "Invalid type for 'input[1].output': expected one of a string or array of objects, but got an object instead.",
    );
    let mut bad = all;
    bad[3]["tools"] = json!([{ "name": "f" }]);
    refuses(
        input(&bad),
        "input[3].tools[0].type",
        "missing_required_parameter",
        "Missing required parameter: 'input[3].tools[0].type'.",
    );
}

#[test]
fn ids_begin_as_their_kind_does() {
    let with = |id: &str| {
        let call = json!({ "type": "function_call", "id": id, "call_id": "c", "name": "f", "arguments": "{}" });
        input(&[call, json!({ "type": "function_call_output", "call_id": "c", "output": "done" })])
    };
    accepts(with("fc_1"));
    refuses(
        with("call_1"),
        "input[0].id",
        "invalid_value",
        "Invalid 'input[0].id': 'call_1'. Expected an ID that begins with 'fc'.",
    );
    let long = format!("fc_{}", "x".repeat(61));
    accepts(with(&long));
    refuses(
        with(&format!("{long}x")),
        "input[0].id",
        "string_above_max_length",
        "Invalid 'input[0].id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    );
    refuses(
        with("fc_1.2"),
        "input[0].id",
        "invalid_value",
        "Invalid 'input[0].id': 'fc_1.2'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
    );
}
