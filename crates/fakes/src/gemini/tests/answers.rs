//! Answers, and streams that must add up to them.

use std::time::Duration;

use serde_json::{Value, json};

use super::{answer, asked, body, chunks, user};
use crate::{Declared, Failure, Gemini, Glance, Outcome, Piece, Scripted, Wire};

fn call(name: &str, arguments: Value) -> Piece {
    Piece::Call { name: name.to_owned(), arguments }
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

/// Joins chunks as a client does: neighbouring texts of one kind become one, their signature included.
fn joined(chunks: &[Value]) -> Value {
    let mut parts: Vec<Value> = Vec::new();
    let mut candidate = json!({});
    for chunk in chunks {
        let more = &chunk["candidates"][0];
        for part in more["content"]["parts"].as_array().into_iter().flatten() {
            match (parts.last_mut(), part["text"].as_str()) {
                (Some(last), Some(more))
                    if last["text"].is_string()
                        && (more.is_empty() || last["thought"] == part["thought"]) =>
                {
                    last["text"] = json!(last["text"].as_str().unwrap().to_owned() + more);
                    if let Some(signature) = part.get("thoughtSignature") {
                        last["thoughtSignature"] = signature.clone();
                    }
                }
                _ => parts.push(part.clone()),
            }
        }
        candidate = more.clone();
    }
    if !parts.is_empty() {
        candidate["content"]["parts"] = json!(parts);
    }
    candidate
}

#[test]
fn a_reply_with_text_and_parallel_calls() {
    let said = Scripted::Reply(vec![
        text("I look."),
        call("Read", json!({ "path": "a" })),
        Piece::RawCall { name: "Now".to_owned(), arguments: "{}".to_owned() },
    ]);
    let old = answer("gemini-2.5-flash", json!({}), &said);
    assert_eq!(
        old["candidates"],
        json!([{
            "content": {
                "parts": [
                    { "text": "I look." },
                    { "functionCall": { "name": "Read", "args": { "path": "a" } } },
                    { "functionCall": { "name": "Now", "args": {} } },
                ],
                "role": "model",
            },
            "finishReason": "STOP",
            "index": 0,
        }])
    );
    assert_eq!(
        (&old["modelVersion"], &old["responseId"]),
        (&json!("gemini-2.5-flash"), &json!("response-7"))
    );
    // From the third generation on calls have ids, and the first one a signature.
    let new = answer("gemini-3-pro", json!({}), &said);
    let parts = &new["candidates"][0]["content"]["parts"];
    assert_eq!(parts[0], json!({ "text": "I look." }));
    assert_eq!(parts[1]["functionCall"]["id"], "call-7-1");
    // "thought/7/1/Read" in base64.
    assert_eq!(parts[1]["thoughtSignature"], "dGhvdWdodC83LzEvUmVhZA==");
    assert_eq!(parts[2].get("thoughtSignature"), None);
}

#[test]
fn a_reply_without_calls_is_signed_in_its_last_text() {
    let said = Scripted::Reply(vec![text("one"), text("two")]);
    let parts = &answer("gemini-3-pro", json!({}), &said)["candidates"][0]["content"]["parts"];
    assert_eq!(parts[0], json!({ "text": "one" }));
    // "thought/7/1/" in base64.
    assert_eq!(parts[1], json!({ "text": "two", "thoughtSignature": "dGhvdWdodC83LzEv" }));
}

#[test]
fn thoughts_are_shown_on_request_and_always_counted() {
    let said = Scripted::Reply(vec![Piece::Reasoning("12345678".to_owned()), text("1234")]);
    let shown = json!({ "generationConfig": { "thinkingConfig": { "includeThoughts": true } } });
    let parts = |fields: Value| {
        answer("gemini-2.5-flash", fields, &said)["candidates"][0]["content"]["parts"].clone()
    };
    assert_eq!(parts(json!({})), json!([{ "text": "1234" }]));
    assert_eq!(parts(shown), json!([{ "text": "12345678", "thought": true }, { "text": "1234" }]));
    let usage = &answer("gemini-2.5-flash", json!({}), &said)["usageMetadata"];
    assert_eq!(
        (&usage["thoughtsTokenCount"], &usage["candidatesTokenCount"], &usage["totalTokenCount"]),
        (&json!(2), &json!(1), &json!(3))
    );
}

#[test]
fn streams_add_up_to_the_plain_answer() {
    let opaque = Piece::Opaque(json!({ "executableCode": { "language": "PYTHON", "code": "1" } }));
    let thoughts = json!({ "generationConfig": { "thinkingConfig": { "includeThoughts": true } } });
    let replies = [
        Scripted::Reply(vec![]),
        Scripted::Reply(vec![text("a longer text, in pieces")]),
        Scripted::Reply(vec![
            Piece::Reasoning("let me see now".to_owned()),
            text("a longer text, in pieces"),
            opaque,
        ]),
        Scripted::Reply(vec![
            text("first"),
            call("Read", json!({ "path": "a" })),
            call("Now", json!({})),
        ]),
        Scripted::Reply(vec![Piece::RawCall {
            name: "Read".to_owned(),
            arguments: "{\"half".to_owned(),
        }]),
        Scripted::CutOff(vec![text("a longer text, in pieces")]),
        Scripted::Refusal("I will not do that.".to_owned()),
    ];
    for model in ["gemini-2.5-flash", "gemini-3-pro"] {
        for said in &replies {
            let plain = answer(model, thoughts.clone(), said);
            let chunks = chunks(model, thoughts.clone(), said);
            assert_eq!(joined(&chunks), plain["candidates"][0], "{said:?}");
            let (last, before) = chunks.split_last().unwrap();
            assert_eq!(last["usageMetadata"], plain["usageMetadata"]);
            for chunk in before {
                assert_eq!(chunk["candidates"][0].get("finishReason"), None);
                assert_eq!(chunk["responseId"], plain["responseId"]);
            }
        }
    }
}

#[test]
fn ends_have_their_reasons() {
    let end = |said: Scripted| answer("gemini-3-pro", json!({}), &said)["candidates"][0].clone();
    let cut = end(Scripted::CutOff(vec![text("12345678")]));
    assert_eq!(
        (&cut["finishReason"], &cut["content"]["parts"][0]["text"]),
        (&json!("MAX_TOKENS"), &json!("1234"))
    );
    // A call that is cut is not there.
    let cut = end(Scripted::CutOff(vec![call("f", json!({}))]));
    assert_eq!(
        (&cut["finishReason"], &cut["content"]),
        (&json!("MAX_TOKENS"), &json!({ "role": "model" }))
    );
    let refused = end(Scripted::Refusal("no".to_owned()));
    assert_eq!(
        (&refused["finishReason"], &refused["finishMessage"], &refused["content"]),
        (&json!("SAFETY"), &json!("no"), &json!({ "role": "model" }))
    );
    // Arguments that are no object cannot be said.
    let raw = Piece::RawCall { name: "f".to_owned(), arguments: "[1]".to_owned() };
    let malformed = end(Scripted::Reply(vec![raw]));
    assert_eq!(malformed["finishReason"], "MALFORMED_FUNCTION_CALL");
    assert_eq!(malformed["finishMessage"], "Malformed function call: f([1])");
}

#[test]
fn a_failure_has_the_words_of_its_status() {
    let failed = Failure {
        retry_after: Some(Duration::from_millis(1_500)),
        mid_stream: true,
        ..Failure::of(429)
    };
    let said = Scripted::Error(failed);
    let error = json!({ "error": {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.5s" }],
    } });
    assert_eq!(answer("gemini-3-pro", json!({}), &said), error);
    let chunks = chunks("gemini-3-pro", json!({}), &said);
    assert_eq!((chunks.len(), &chunks[1]), (2, &error));
    let overloaded = answer("gemini-3-pro", json!({}), &Scripted::Error(Failure::of(503)));
    assert_eq!(overloaded["error"]["status"], "UNAVAILABLE");
}

#[test]
fn an_onlooker_sees_functions_and_what_came_of_calls() {
    let response = |name: &str, response: Value| json!({ "functionResponse": { "name": name, "response": response } });
    let called =
        |name: &str| json!({ "role": "model", "parts": [{ "functionCall": { "name": name } }] });
    let body = body(json!({
        "tools": [{ "functionDeclarations": [
            { "name": "Find", "parametersJsonSchema": { "type": "object" } },
            { "name": "Read", "parameters": { "type": "OBJECT" } },
            { "name": "Now" },
        ] }],
        "contents": [
            user("before"),
            called("Old"),
            { "role": "user", "parts": [response("Old", json!({}))] },
            user("now"),
            called("Find"),
            { "role": "user", "parts": [response("Find", json!({ "output": "two" }))] },
            called("Read"),
            { "role": "user", "parts": [response("Read", json!({ "rows": 3 }))] },
        ],
    }));
    let declared = |name: &str, parameters: Value| Declared { name: name.to_owned(), parameters };
    let outcome = |name: &str, text: &str| Outcome {
        name: name.to_owned(),
        text: text.to_owned(),
        shows: vec![],
    };
    let expected = Glance {
        said: "now".to_owned(),
        tools: vec![
            declared("Find", json!({ "type": "object" })),
            declared("Read", json!({ "type": "OBJECT" })),
            declared("Now", Value::Null),
        ],
        results: vec![outcome("Find", "two"), outcome("Read", "{\"rows\":3}")],
    };
    assert_eq!(Gemini::new().glance(&asked(body)), Some(expected));
}
