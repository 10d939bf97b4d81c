//! Answers, and streams that must add up to them.

use oncue_agent::cache::CacheUse;
use serde_json::{Map, Value, json};

use super::{answer, asked, body, events};
use crate::{Chat, Declared, Failure, Glance, Outcome, Piece, Scripted, Wire};

fn call(name: &str, arguments: Value) -> Piece {
    Piece::Call { name: name.to_owned(), arguments }
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

/// Joins chunks as a client does, into the choice of a plain answer.
fn joined(chunks: &[Value]) -> Value {
    let mut message = Map::new();
    let mut finish = Value::Null;
    for chunk in chunks {
        let Some(choice) = chunk["choices"].as_array().and_then(|choices| choices.first()) else {
            continue;
        };
        join(&mut message, &choice["delta"]);
        if !choice["finish_reason"].is_null() {
            finish = choice["finish_reason"].clone();
        }
    }
    json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": finish })
}

fn join(into: &mut Map<String, Value>, delta: &Value) {
    for (name, value) in delta.as_object().unwrap() {
        match (into.get_mut(name), value) {
            (Some(Value::Array(calls)), Value::Array(more)) => {
                for more in more {
                    let index = more["index"].as_u64().unwrap() as usize;
                    match calls.get_mut(index) {
                        Some(call) => {
                            assert!(
                                more.get("id").is_none() && more["function"].get("name").is_none()
                            );
                            let text = call["function"]["arguments"].as_str().unwrap().to_owned()
                                + more["function"]["arguments"].as_str().unwrap();
                            call["function"]["arguments"] = json!(text);
                        }
                        None => calls.push(without_index(more)),
                    }
                }
            }
            (None, Value::Array(calls)) if name == "tool_calls" => {
                into.insert(name.clone(), calls.iter().map(without_index).collect());
            }
            (Some(Value::String(text)), Value::String(more)) => text.push_str(more),
            _ => {
                into.insert(name.clone(), value.clone());
            }
        }
    }
}

fn without_index(call: &Value) -> Value {
    let mut call = call.clone();
    call.as_object_mut().unwrap().remove("index");
    call
}

#[test]
fn a_reply_with_text_and_parallel_calls() {
    let said = Scripted::Reply(vec![
        text("I look."),
        call("Read", json!({ "path": "a" })),
        Piece::RawCall { name: "Find".to_owned(), arguments: "not json".to_owned() },
    ]);
    let answer = answer(&Chat::openai(), json!({}), &said);
    assert_eq!(answer["object"], "chat.completion");
    assert_eq!(answer["id"], "chatcmpl-7");
    assert_eq!(
        answer["choices"],
        json!([{
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "I look.",
                "refusal": null,
                "tool_calls": [
                    { "id": "call_7_0", "type": "function", "function": { "name": "Read", "arguments": "{\"path\":\"a\"}" } },
                    { "id": "call_7_1", "type": "function", "function": { "name": "Find", "arguments": "not json" } },
                ],
            },
            "logprobs": null,
            "finish_reason": "tool_calls",
        }])
    );
}

#[test]
fn streams_add_up_to_the_plain_answer() {
    let opaque = Piece::Opaque(json!({ "annotations": [{ "type": "url_citation" }] }));
    let replies = [
        Scripted::Reply(vec![]),
        Scripted::Reply(vec![text("short")]),
        Scripted::Reply(vec![
            Piece::Reasoning("let me see now".to_owned()),
            text("a longer text, in pieces"),
            opaque,
        ]),
        Scripted::Reply(vec![
            call("Read", json!({ "path": "a/long/path" })),
            call("Now", json!({})),
        ]),
        Scripted::CutOff(vec![text("before"), call("Read", json!({ "path": "a/long/path" }))]),
        Scripted::Refusal("I will not do that.".to_owned()),
    ];
    for server in [Chat::openai(), Chat::local()] {
        for said in &replies {
            let plain = answer(&server, json!({}), said);
            let events = events(&server, json!({ "stream": true }), said);
            let (done, chunks) = events.split_last().unwrap();
            assert_eq!(done, "[DONE]");
            for chunk in chunks {
                assert_eq!(chunk["object"], "chat.completion.chunk");
                assert_eq!(chunk["id"], plain["id"]);
                assert!(chunk.get("usage").is_none());
            }
            assert_eq!(joined(chunks), plain["choices"][0], "{said:?}");
        }
    }
}

#[test]
fn a_cut_reply_ends_in_the_middle_of_its_last_piece() {
    let said = Scripted::CutOff(vec![text("whole"), call("f", json!({ "a": 1 }))]);
    let choice = &answer(&Chat::openai(), json!({}), &said)["choices"][0];
    assert_eq!(choice["finish_reason"], "length");
    assert_eq!(choice["message"]["content"], "whole");
    // Half of the seven bytes of {"a":1}.
    assert_eq!(choice["message"]["tool_calls"][0]["function"]["arguments"], "{\"a");
}

#[test]
fn thoughts_are_counted_and_only_local_servers_show_them() {
    let said = Scripted::Reply(vec![Piece::Reasoning("12345678".to_owned()), text("1234")]);
    let openai = answer(&Chat::openai(), json!({}), &said);
    assert_eq!(openai["choices"][0]["message"].get("reasoning_content"), None);
    assert_eq!(openai["usage"]["completion_tokens"], 3);
    assert_eq!(openai["usage"]["completion_tokens_details"]["reasoning_tokens"], 2);
    let local = answer(&Chat::local(), json!({}), &said);
    assert_eq!(local["choices"][0]["message"]["reasoning_content"], "12345678");
}

#[test]
fn usage_is_streamed_on_request_without_choices() {
    let said = Scripted::Reply(vec![text("1234")]);
    let options = json!({ "include_usage": true, "include_obfuscation": false });
    let events =
        events(&Chat::openai(), json!({ "stream": true, "stream_options": options }), &said);
    let [chunks @ .., usage, done] = events.as_slice() else { panic!() };
    assert_eq!(done, "[DONE]");
    assert_eq!((&usage["choices"], &usage["usage"]["completion_tokens"]), (&json!([]), &json!(1)));
    for chunk in chunks {
        assert_eq!(chunk.get("usage"), Some(&Value::Null));
        assert_eq!(chunk.get("obfuscation"), None);
    }
}

#[test]
fn a_failure_has_the_words_of_its_status() {
    let failed = |status| Failure { mid_stream: true, ..Failure::of(status) };
    let said = Scripted::Error(failed(429));
    let error = json!({ "error": {
        "message": "Rate limit reached for requests. Please try again later. Visit https://platform.openai.com/account/rate-limits to learn more.",
        "type": "tokens",
        "param": null,
        "code": "rate_limit_exceeded",
    } });
    assert_eq!(answer(&Chat::openai(), json!({}), &said), error);
    let events = events(&Chat::openai(), json!({ "stream": true }), &said);
    assert_eq!(events.len(), 2);
    assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
    assert_eq!(events[1], error);
    let said = Scripted::Error(failed(500));
    assert_eq!(answer(&Chat::openai(), json!({}), &said)["error"]["type"], "server_error");
}

#[test]
fn a_stream_is_what_the_request_asks_for() {
    for (fields, streams) in
        [(json!({}), false), (json!({ "stream": false }), false), (json!({ "stream": true }), true)]
    {
        assert_eq!(Chat::openai().streams(&asked(body(fields))), streams);
    }
    let used = CacheUse::default();
    let said = Scripted::Broken { pieces: vec![text("whole")], bytes: 3 };
    let stream = Chat::openai().stream(&asked(body(json!({}))), &said, &used, 1);
    assert!(stream.concat().ends_with(b"data: [DONE]\n\n"));
}

#[test]
fn an_onlooker_sees_tools_and_what_came_of_calls() {
    let result = |id: &str, content: Value| json!({ "role": "tool", "tool_call_id": id, "content": content });
    let call = |id: &str, name: &str| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": "{}" } });
    let body = body(json!({
        "tools": [{ "type": "function", "function": { "name": "Find", "parameters": { "type": "object" } } }],
        "messages": [
            { "role": "user", "content": "before" },
            { "role": "assistant", "tool_calls": [call("a", "Old")] },
            result("a", json!("old")),
            { "role": "user", "content": [{ "type": "text", "text": "no" }, { "type": "text", "text": "w" }] },
            { "role": "assistant", "tool_calls": [call("b", "Find"), call("c", "Read")] },
            result("c", json!("three")),
            result("b", json!([{ "type": "text", "text": "two" }])),
        ],
    }));
    let outcome = |name: &str, text: &str| Outcome {
        name: name.to_owned(),
        text: text.to_owned(),
        shows: vec![],
    };
    let expected = Glance {
        said: "now".to_owned(),
        tools: vec![Declared { name: "Find".to_owned(), parameters: json!({ "type": "object" }) }],
        results: vec![outcome("Read", "three"), outcome("Find", "two")],
    };
    assert_eq!(Chat::openai().glance(&asked(body)), Some(expected));
}
