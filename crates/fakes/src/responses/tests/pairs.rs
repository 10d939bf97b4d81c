//! Items against each other: calls with outputs, and thoughts with what they led to.

use serde_json::{Value, json};

use super::{accepts, answer, function, refuses, refuses_with, search, user};
use crate::{Piece, Responses, Scripted};

fn call(id: &str) -> Value {
    json!({ "type": "function_call", "call_id": id, "name": "f", "arguments": "{}" })
}

fn output(id: &str) -> Value {
    json!({ "type": "function_call_output", "call_id": id, "output": "done" })
}

fn searched(id: &str) -> Value {
    json!({ "type": "tool_search_call", "call_id": id, "execution": "client", "arguments": {} })
}

fn found(id: &str) -> Value {
    json!({ "type": "tool_search_output", "call_id": id, "execution": "client", "tools": [function("f")] })
}

fn input(items: &[Value]) -> Value {
    json!({ "input": items })
}

#[test]
fn every_call_has_one_output_behind_it() {
    accepts(input(&[user("x"), call("a"), call("b"), output("b"), output("a"), user("y")]));
    accepts(input(&[user("x"), searched("s"), found("s"), call("a"), output("a")]));
    for (items, message) in [
        (vec![call("a")], "No tool output found for function call a."),
        (vec![call("a"), call("b"), output("a")], "No tool output found for function call b."),
        (vec![output("a")], "No tool call found for function call output with call_id a."),
        (
            vec![output("a"), call("a")],
            "No tool call found for function call output with call_id a.",
        ),
        (
            vec![call("a"), output("a"), output("a")],
            "No tool call found for function call output with call_id a.",
        ),
        (vec![searched("s")], "No tool output found for tool search call s."),
        (vec![found("s")], "No tool call found for tool search output with call_id s."),
        (vec![call("s"), found("s")], "No tool output found for function call s."),
        (
            vec![searched("s"), output("s")],
            "No tool call found for function call output with call_id s.",
        ),
    ] {
        refuses(input(&items), "input", None, message);
    }
    let hosted = json!({ "type": "tool_search_call", "execution": "server", "call_id": null, "arguments": {} });
    accepts(input(&[user("x"), hosted]));
}

#[test]
fn ids_stand_once() {
    let twice = "Remove duplicate items from your input and try again.";
    let items = [call("a"), output("a"), call("a"), output("a")];
    refuses(input(&items), "input", None, &format!("Duplicate item found with id a. {twice}"));
    let message = json!({ "type": "message", "role": "assistant", "id": "msg_1", "content": "x" });
    let items = [message.clone(), user("x"), message];
    refuses(input(&items), "input", None, &format!("Duplicate item found with id msg_1. {twice}"));
}

/// What the fake answered to a request for thoughts and two calls.
fn replied() -> Vec<Value> {
    let piece = |name: &str| Piece::Call { name: name.to_owned(), arguments: json!({}) };
    let said = Scripted::Reply(vec![
        Piece::Reasoning("I think.".to_owned()),
        piece("f"),
        piece("tool_search"),
        Piece::Text("So be it.".to_owned()),
    ]);
    let answer = answer(&Responses::openai(), json!({ "tools": [function("f"), search()] }), &said);
    answer["output"].as_array().unwrap().clone()
}

/// The next request after `replied`: what was said, then what came of the calls.
fn next(replied: &[Value]) -> Value {
    let mut items = vec![user("x")];
    items.extend_from_slice(replied);
    items.extend([output("call_7_1"), found("call_7_2")]);
    json!({ "store": false, "tools": [function("g"), search()], "input": items })
}

#[test]
fn whatever_is_answered_may_be_sent_back() {
    accepts(next(&replied()));
    let opaque =
        Scripted::Reply(vec![Piece::Opaque(json!({ "type": "web_search_call", "id": "ws_1" }))]);
    let answer = answer(&Responses::openai(), json!({}), &opaque);
    accepts(input(&[user("x"), answer["output"][0].clone()]));
}

#[test]
fn what_came_of_a_thought_needs_the_thought() {
    let all = replied();
    refuses(
        next(&all[1..]),
        "input",
        None,
        "Item 'fc_7_1_of_0' of type 'function_call' was provided without its required 'reasoning' item: 'rs_7_0'.",
    );
    // Items without an id cannot be told apart, and are taken.
    let mut nameless = all[1..].to_vec();
    for item in &mut nameless {
        item.as_object_mut().unwrap().remove("id");
    }
    accepts(next(&nameless));
}

#[test]
fn thoughts_come_back_sealed_as_they_were() {
    let mut opened = replied();
    opened[0].as_object_mut().unwrap().remove("encrypted_content");
    let lost = "Item with id 'rs_7_0' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.";
    refuses_with(404, next(&opened), "input", None, lost);
    let mut broken = replied();
    broken[0]["encrypted_content"] = json!("gAAAAA-other");
    refuses(
        next(&broken),
        None,
        "invalid_encrypted_content",
        "The encrypted content for item rs_7_0 could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    );
    let reference = json!({ "type": "item_reference", "id": "msg_1" });
    let lost = lost.replace("rs_7_0", "msg_1");
    refuses_with(404, input(&[user("x"), reference]), "input", None, &lost);
}
