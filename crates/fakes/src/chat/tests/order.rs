//! Messages: roles, contents, and calls with their results.

use serde_json::{Value, json};

use super::{accepts, refuses};

fn call(id: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": "f", "arguments": "{}" } })
}

fn calls(ids: &[&str]) -> Value {
    let calls: Vec<Value> = ids.iter().map(|id| call(id)).collect();
    json!({ "role": "assistant", "content": null, "tool_calls": calls })
}

fn result(id: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": "done" })
}

fn user() -> Value {
    json!({ "role": "user", "content": "hello" })
}

fn messages(messages: &[Value]) -> Value {
    json!({ "messages": messages })
}

#[test]
fn every_call_is_answered_once_right_behind_it() {
    accepts(messages(&[user(), calls(&["a"]), result("a")]));
    accepts(messages(&[user(), calls(&["a", "b"]), result("b"), result("a"), user()]));
    accepts(messages(&[user(), calls(&["a"]), result("a"), calls(&["b"]), result("b")]));
    let unanswered = |list: &[Value], param: &str, ids: &str| {
        let message = format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {ids}"
        );
        refuses(messages(list), param, None, &message);
    };
    unanswered(&[user(), calls(&["a"]), user()], "messages.[2].role", "a");
    unanswered(&[user(), calls(&["a", "b"]), result("a"), user()], "messages.[3].role", "b");
    unanswered(&[user(), calls(&["a", "b"])], "messages", "a, b");
}

#[test]
fn a_result_answers_a_call_of_the_message_before() {
    let orphan = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
    for list in
        [vec![user(), result("a")], vec![user(), calls(&["a"]), result("a"), user(), result("a")]]
    {
        let param = format!("messages.[{}].role", list.len() - 1);
        refuses(messages(&list), param.as_str(), None, orphan);
    }
    refuses(
        messages(&[user(), calls(&["a"]), result("b")]),
        "messages.[2].tool_call_id",
        None,
        "Invalid parameter: 'tool_call_id' of 'b' not found in 'tool_calls' of previous message.",
    );
    refuses(
        messages(&[user(), calls(&["a"]), result("a"), result("a")]),
        "messages",
        None,
        "Duplicate value for 'tool_call_id' of a in message[3]",
    );
}

#[test]
fn ids_are_unique_and_of_40_characters_at_most() {
    for list in [
        vec![user(), calls(&["a", "a"]), result("a")],
        vec![user(), calls(&["a"]), result("a"), calls(&["a"]), result("a")],
    ] {
        let at = if list.len() == 3 { 1 } else { 3 };
        let message = format!("Duplicate value for 'tool_call_id' of a in message[{at}]");
        refuses(messages(&list), "messages", None, &message);
    }
    let id = "x".repeat(40);
    accepts(messages(&[user(), calls(&[&id]), result(&id)]));
    let id = "x".repeat(41);
    refuses(
        messages(&[user(), calls(&[&id]), result(&id)]),
        "messages[1].tool_calls[0].id",
        "string_above_max_length",
        "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
    );
}

#[test]
fn a_call_has_an_id_a_name_and_a_text_of_arguments() {
    let with = |call: Value| {
        messages(&[user(), json!({ "role": "assistant", "tool_calls": [call] }), result("a")])
    };
    for (field, path) in [("id", "id"), ("type", "type"), ("function", "function")] {
        let mut call = call("a");
        call.as_object_mut().unwrap().remove(field);
        let path = format!("messages[1].tool_calls[0].{path}");
        let message = format!("Missing required parameter: '{path}'.");
        refuses(with(call), path.as_str(), "missing_required_parameter", &message);
    }
    let mut object = call("a");
    object["function"]["arguments"] = json!({});
    let path = "messages[1].tool_calls[0].function.arguments";
    let message =
        format!("Invalid type for '{path}': expected a string, but got an object instead.");
    refuses(with(object), path, "invalid_type", &message);
    // The server does not read the text.
    let mut broken = call("a");
    broken["function"]["arguments"] = json!("{\"half");
    accepts(with(broken));
    let mut dotted = call("a");
    dotted["function"]["name"] = json!("files.read");
    refuses(
        with(dotted),
        "messages[1].tool_calls[0].function.name",
        "invalid_value",
        "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    );
    refuses(
        messages(&[user(), json!({ "role": "assistant", "tool_calls": [] })]),
        "messages[1].tool_calls",
        "empty_array",
        "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    );
}

#[test]
fn roles_are_known_and_have_their_own_parts() {
    refuses(
        messages(&[json!({ "role": "model", "content": "x" })]),
        "messages[0].role",
        "invalid_value",
        "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    );
    refuses(
        messages(&[json!({ "content": "x" })]),
        "messages[0].role",
        "missing_required_parameter",
        "Missing required parameter: 'messages[0].role'.",
    );
    accepts(messages(&[
        json!({ "role": "user" }),
        json!({ "role": "assistant", "content": null }),
    ]));
    let part = |role: &str, part: Value| messages(&[json!({ "role": role, "content": [part] })]);
    accepts(part("user", json!({ "type": "text", "text": "x" })));
    accepts(part("user", json!({ "type": "image_url", "image_url": { "url": "data:," } })));
    accepts(part("developer", json!({ "type": "text", "text": "x" })));
    refuses(
        part("system", json!({ "type": "image_url", "image_url": {} })),
        "messages[0].content[0].type",
        "invalid_value",
        "Invalid value: 'image_url'. Supported values are: 'text'.",
    );
    refuses(
        part("user", json!({ "type": "text" })),
        "messages[0].content[0].text",
        "missing_required_parameter",
        "Missing required parameter: 'messages[0].content[0].text'.",
    );
    refuses(
        messages(&[user(), calls(&["a"]), json!({ "role": "tool", "tool_call_id": "a" })]),
        "messages[2].content",
        "missing_required_parameter",
        "Missing required parameter: 'messages[2].content'.",
    );
}
