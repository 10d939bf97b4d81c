//! Contents: parts, turns of calls, and signatures.

use serde_json::{Value, json};

use super::{accepts, answer, asked_of, body, breaks, refuses, user};
use crate::{Gemini, Piece, Scripted, Wire};

fn call(name: &str) -> Value {
    json!({ "functionCall": { "name": name, "args": {} } })
}

fn response(name: &str) -> Value {
    json!({ "functionResponse": { "name": name, "response": { "output": "done" } } })
}

fn model(parts: &[Value]) -> Value {
    json!({ "role": "model", "parts": parts })
}

fn results(parts: &[Value]) -> Value {
    json!({ "role": "user", "parts": parts })
}

fn contents(contents: &[Value]) -> Value {
    json!({ "contents": contents })
}

#[test]
fn contents_have_known_roles_and_parts() {
    for contents in [json!([]), Value::Null] {
        breaks(json!({ "contents": contents }), "contents", "contents is not specified");
    }
    accepts(contents(&[json!({ "parts": [{ "text": "x" }] })]));
    accepts(contents(&[user("x"), model(&[json!({ "text": "y" })]), user("z")]));
    for role in ["assistant", "function", "system"] {
        let content = json!({ "role": role, "parts": [{ "text": "x" }] });
        refuses(contents(&[content]), "Please use a valid role: user, model.");
    }
    breaks(
        contents(&[json!({ "role": "user", "parts": [] })]),
        "contents[0].parts",
        "contents.parts must not be empty.",
    );
    breaks(
        json!({ "systemInstruction": { "parts": [{ "text": "" }] } }),
        "system_instruction.parts[0].data",
        "required oneof field 'data' must have one initialized field",
    );
}

#[test]
fn a_part_has_one_kind_of_data() {
    let with = |part: Value| contents(&[json!({ "role": "user", "parts": [part] })]);
    let problem = "required oneof field 'data' must have one initialized field";
    for part in [json!({}), json!({ "text": "" }), json!({ "thought": true })] {
        breaks(with(part), "contents[0].parts[0].data", problem);
    }
    // Such a part ends a stream.
    accepts(with(json!({ "text": "", "thoughtSignature": "c2ln" })));
    accepts(with(json!({ "inlineData": { "mimeType": "image/png", "data": "" } })));
    refuses(
        with(json!({ "text": "x", "functionCall": { "name": "f" } })),
        "Invalid value at 'contents[0].parts[0]' (oneof), oneof field 'data' is already set. Cannot set 'functionCall'",
    );
}

#[test]
fn arguments_and_responses_are_objects() {
    let with = |call: Value, response: Value| {
        let call = json!({ "functionCall": call });
        let response = json!({ "functionResponse": response });
        contents(&[user("x"), model(&[call]), results(&[response])])
    };
    let called = json!({ "name": "f", "args": {} });
    let answered = json!({ "name": "f", "response": {} });
    accepts(with(called.clone(), answered.clone()));
    accepts(with(json!({ "name": "f" }), answered.clone()));
    for value in [json!("done"), json!(["done"])] {
        let kind = "type.googleapis.com/google.protobuf.Struct";
        refuses(
            with(json!({ "name": "f", "args": value }), answered.clone()),
            &format!(
                "Invalid value at 'contents[1].parts[0].function_call.args' ({kind}), {value}"
            ),
        );
        refuses(
            with(called.clone(), json!({ "name": "f", "response": value })),
            &format!(
                "Invalid value at 'contents[2].parts[0].function_response.response' ({kind}), {value}"
            ),
        );
    }
    let empty = "Name cannot be empty.";
    breaks(with(json!({ "args": {} }), answered), "contents[1].parts[0].function_call.name", empty);
    breaks(
        with(called.clone(), json!({ "response": {} })),
        "contents[2].parts[0].function_response.name",
        empty,
    );
    breaks(
        with(called, json!({ "name": "f" })),
        "contents[2].parts[0].function_response.response",
        "response is not specified.",
    );
}

#[test]
fn calls_are_answered_one_for_one_in_the_next_turn() {
    accepts(contents(&[user("x"), model(&[call("f")]), results(&[response("f")])]));
    accepts(contents(&[
        user("x"),
        model(&[call("f"), call("g")]),
        results(&[response("g"), response("f")]),
        user("y"),
    ]));
    accepts(contents(&[
        user("x"),
        model(&[call("f")]),
        results(&[response("f")]),
        model(&[call("g")]),
        results(&[response("g")]),
    ]));
    let number = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    for list in [
        vec![user("x"), model(&[call("f")])],
        vec![user("x"), model(&[call("f")]), user("y")],
        vec![user("x"), model(&[call("f"), call("g")]), results(&[response("f")])],
        vec![
            user("x"),
            model(&[call("f"), call("g")]),
            results(&[response("f")]),
            results(&[response("g")]),
        ],
    ] {
        refuses(contents(&list), number);
    }
    let behind_call =
        "Please ensure that function response turn comes immediately after a function call turn.";
    for list in [
        vec![user("x"), results(&[response("f")])],
        vec![user("x"), model(&[call("f")]), results(&[response("f")]), results(&[response("f")])],
    ] {
        refuses(contents(&list), behind_call);
    }
    let behind_user = "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
    for list in [
        vec![model(&[call("f")]), results(&[response("f")])],
        vec![
            user("x"),
            model(&[json!({ "text": "y" })]),
            model(&[call("f")]),
            results(&[response("f")]),
        ],
    ] {
        refuses(contents(&list), behind_user);
    }
}

#[test]
fn results_pair_by_id_or_else_by_name() {
    let with = |calls: &[(&str, Option<&str>)], responses: &[(&str, Option<&str>)]| {
        let part = |kind: &str, payload: &str, (name, id): &(&str, Option<&str>)| {
            let mut function = json!({ "name": name, payload: {} });
            if let Some(id) = id {
                function["id"] = json!(id);
            }
            json!({ kind: function })
        };
        let calls: Vec<Value> =
            calls.iter().map(|call| part("functionCall", "args", call)).collect();
        let responses: Vec<Value> = responses
            .iter()
            .map(|response| part("functionResponse", "response", response))
            .collect();
        contents(&[user("x"), model(&calls), results(&responses)])
    };
    accepts(with(&[("f", Some("1")), ("f", Some("2"))], &[("f", Some("2")), ("f", Some("1"))]));
    accepts(with(&[("f", None), ("f", None)], &[("f", None), ("f", None)]));
    accepts(with(&[("f", Some("1"))], &[("f", None)]));
    let message = "Please ensure that function response parts match the function call parts of the function call turn by id and name.";
    refuses(with(&[("f", None)], &[("g", None)]), message);
    refuses(with(&[("f", Some("1"))], &[("f", Some("2"))]), message);
    refuses(with(&[("f", Some("1"))], &[("g", Some("1"))]), message);
    refuses(with(&[("f", None), ("g", None)], &[("f", None), ("f", None)]), message);
}

/// The content of a reply of gemini-3 with two calls.
fn replied() -> Value {
    let piece = |name: &str| Piece::Call { name: name.to_owned(), arguments: json!({}) };
    let said = Scripted::Reply(vec![Piece::Text("So.".to_owned()), piece("f"), piece("g")]);
    answer("gemini-3-pro", json!({}), &said)["candidates"][0]["content"].clone()
}

/// Returns what gemini-3 says against these contents.
fn refused(contents: &[Value]) -> Option<String> {
    let asked = asked_of("gemini-3-pro", body(json!({ "contents": contents })));
    Gemini::new().check(&asked).err().map(|refusal| refusal.message)
}

#[test]
fn signatures_come_back_on_the_first_call_of_a_step() {
    let both = results(&[response("f"), response("g")]);
    assert_eq!(refused(&[user("x"), replied(), both.clone()]), None);
    let missing = |name: &str, position: usize| {
        Some(format!(
            "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:{name}` , position {position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
        ))
    };
    let mut bare = replied();
    bare["parts"][1].as_object_mut().unwrap().remove("thoughtSignature");
    assert_eq!(refused(&[user("x"), bare.clone(), both.clone()]), missing("f", 2));
    // Each step of the turn counts, turns before it do not.
    assert_eq!(
        refused(&[user("x"), replied(), both.clone(), bare.clone(), both.clone()]),
        missing("f", 4)
    );
    assert_eq!(refused(&[user("x"), bare.clone(), both.clone(), user("y")]), None);
    // Older models do not sign.
    accepts(contents(&[user("x"), bare, both]));
}

#[test]
fn signatures_stand_where_they_stood() {
    let both = results(&[response("f"), response("g")]);
    let invalid = Some("Thought signature is not valid.".to_owned());
    let with = |signature: &str| {
        let mut content = replied();
        content["parts"][1]["thoughtSignature"] = json!(signature);
        refused(&[user("x"), content, both.clone()])
    };
    assert_eq!(with("c2ln"), invalid);
    assert_eq!(with("not base64!"), invalid);
    assert_eq!(with("skip_thought_signature_validator"), None);
    // The calls have changed their places and left the signature behind.
    let mut swapped = replied();
    let name = swapped["parts"][1]["functionCall"].take();
    swapped["parts"][1]["functionCall"] = swapped["parts"][2]["functionCall"].take();
    swapped["parts"][2]["functionCall"] = name;
    assert_eq!(refused(&[user("x"), swapped, both.clone()]), invalid);
}
