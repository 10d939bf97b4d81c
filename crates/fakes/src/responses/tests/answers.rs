//! Answers, and streams that must add up to them.

use oncue_agent::cache::{CacheUse, MissReason};
use serde_json::{Value, json};

use super::{answer, asked, body, events, function, search, user};
use crate::{Declared, Failure, Glance, Outcome, Piece, Responses, Scripted, Wire};

fn call(name: &str, arguments: Value) -> Piece {
    Piece::Call { name: name.to_owned(), arguments }
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

/// Rebuilds the items from their pieces alone, without the events that hold them whole.
fn joined(events: &[Value]) -> Vec<Value> {
    let mut items: Vec<Value> = Vec::new();
    for event in events {
        let at = event["output_index"].as_u64().map(|at| at as usize);
        let delta = event["delta"].as_str().unwrap_or_default();
        let append = |item: &mut Value, place: &str| {
            let Some(Value::String(text)) = item.pointer_mut(place) else { panic!("{event}") };
            text.push_str(delta);
        };
        match (event["type"].as_str().unwrap(), at) {
            ("response.output_item.added", Some(at)) => {
                assert_eq!(at, items.len());
                items.push(event["item"].clone());
            }
            ("response.content_part.added", Some(at)) => {
                items[at]["content"] = json!([event["part"]]);
            }
            ("response.reasoning_summary_part.added", Some(at)) => {
                items[at]["summary"] = json!([event["part"]]);
            }
            ("response.output_text.delta", Some(at)) => append(&mut items[at], "/content/0/text"),
            ("response.refusal.delta", Some(at)) => append(&mut items[at], "/content/0/refusal"),
            ("response.function_call_arguments.delta", Some(at)) => {
                append(&mut items[at], "/arguments");
            }
            ("response.reasoning_summary_text.delta", Some(at)) => {
                append(&mut items[at], "/summary/0/text");
            }
            _ => {}
        }
    }
    items
}

/// Returns an item without what only its last event tells.
fn unfinished(item: &Value) -> Value {
    let mut item = item.clone();
    let fields = item.as_object_mut().unwrap();
    fields.remove("status");
    if fields["type"] == "tool_search_call" {
        fields.remove("arguments");
    }
    item
}

fn request() -> Value {
    json!({ "tools": [function("Read"), search()], "reasoning": { "summary": "auto" } })
}

#[test]
fn a_reply_is_a_row_of_items() {
    let said = Scripted::Reply(vec![
        Piece::Reasoning("Let me see.".to_owned()),
        text("I look."),
        call("Read", json!({ "path": "a" })),
        call("tool_search", json!({ "query": "csv" })),
        Piece::RawCall { name: "Read".to_owned(), arguments: "not json".to_owned() },
    ]);
    let answer = answer(&Responses::openai(), request(), &said);
    assert_eq!((&answer["object"], &answer["status"]), (&json!("response"), &json!("completed")));
    assert_eq!(
        answer["output"],
        json!([
            {
                "id": "rs_7_0",
                "type": "reasoning",
                "summary": [{ "type": "summary_text", "text": "Let me see." }],
                "encrypted_content": "gAAAAA-rs_7_0",
            },
            {
                "id": "msg_7_1_of_0",
                "type": "message",
                "status": "completed",
                "role": "assistant",
                "content": [{ "type": "output_text", "annotations": [], "logprobs": [], "text": "I look." }],
            },
            {
                "id": "fc_7_2_of_0",
                "type": "function_call",
                "status": "completed",
                "arguments": "{\"path\":\"a\"}",
                "call_id": "call_7_2",
                "name": "Read",
            },
            {
                "id": "tsc_7_3_of_0",
                "type": "tool_search_call",
                "status": "completed",
                "arguments": { "query": "csv" },
                "call_id": "call_7_3",
                "execution": "client",
            },
            {
                "id": "fc_7_4_of_0",
                "type": "function_call",
                "status": "completed",
                "arguments": "not json",
                "call_id": "call_7_4",
                "name": "Read",
            },
        ])
    );
}

#[test]
fn thoughts_are_told_on_request_alone() {
    let said = Scripted::Reply(vec![Piece::Reasoning("Let me see.".to_owned())]);
    let answer = answer(&Responses::openai(), json!({}), &said);
    assert_eq!(answer["output"][0]["summary"], json!([]));
    assert_eq!(answer["usage"]["output_tokens_details"]["reasoning_tokens"], 3);
}

#[test]
fn a_call_into_a_namespace_tells_it() {
    let space = json!({ "type": "namespace", "name": "crm", "description": "d", "tools": [function("getOrder"), function("Read")] });
    let said = Scripted::Reply(vec![call("getOrder", json!({})), call("Read", json!({}))]);
    let late = json!({ "type": "tool_search_output", "execution": "client", "call_id": "c", "tools": [space] });
    for fields in [
        json!({ "tools": [function("Read"), space] }),
        json!({ "tools": [function("Read")], "input": [user("x"), late] }),
    ] {
        let answer = answer(&Responses::openai(), fields, &said);
        assert_eq!(answer["output"][0]["namespace"], "crm");
        assert_eq!(answer["output"][0]["name"], "getOrder");
        // A function of its own comes before one of its name in a namespace.
        assert_eq!(answer["output"][1].get("namespace"), None);
    }
}

#[test]
fn streams_add_up_to_the_plain_answer() {
    let replies = [
        Scripted::Reply(vec![]),
        Scripted::Reply(vec![text("a longer text, in pieces")]),
        Scripted::Reply(vec![
            Piece::Reasoning("let me see now".to_owned()),
            call("Read", json!({ "path": "a/long/path" })),
            call("Read", json!({})),
            call("tool_search", json!({ "query": "csv" })),
        ]),
        Scripted::Reply(vec![Piece::Opaque(json!({ "type": "web_search_call", "id": "ws_1" }))]),
        Scripted::CutOff(vec![text("before"), call("Read", json!({ "path": "a/long/path" }))]),
        Scripted::CutOff(vec![text("a longer text")]),
        Scripted::Refusal("I will not do that.".to_owned()),
    ];
    for said in &replies {
        let plain = answer(&Responses::openai(), request(), said);
        let events = events(&Responses::openai(), request(), said);
        let [created, progress, .., last] = events.as_slice() else { panic!() };
        assert_eq!(
            (&created["type"], &progress["type"]),
            (&json!("response.created"), &json!("response.in_progress"))
        );
        assert_eq!(
            (&created["response"]["output"], &created["response"]["status"]),
            (&json!([]), &json!("in_progress"))
        );
        assert_eq!(last["response"], plain);
        assert_eq!(last["type"], format!("response.{}", plain["status"].as_str().unwrap()));
        let items = plain["output"].as_array().unwrap();
        let done: Vec<Value> = events
            .iter()
            .filter(|event| event["type"] == "response.output_item.done")
            .map(|event| event["item"].clone())
            .collect();
        assert_eq!(&done, items);
        let joined: Vec<Value> = joined(&events).iter().map(unfinished).collect();
        assert_eq!(joined, items.iter().map(unfinished).collect::<Vec<_>>(), "{said:?}");
    }
}

#[test]
fn the_events_of_a_text_come_in_their_order() {
    let said = Scripted::Reply(vec![text("12345678")]);
    let kinds: Vec<String> = events(&Responses::openai(), json!({}), &said)
        .iter()
        .map(|event| event["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        kinds,
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.completed",
        ]
    );
}

#[test]
fn arguments_may_come_whole() {
    let said = Scripted::Reply(vec![call("Read", json!({ "path": "a/long/path" }))]);
    let count = |server: &Responses, kind: &str| {
        let events = events(server, json!({}), &said);
        events.iter().filter(|event| event["type"] == kind).count()
    };
    let delta = "response.function_call_arguments.delta";
    // 22 characters in fragments of 7.
    assert_eq!(count(&Responses::openai(), delta), 4);
    let whole = Responses::openai().with_whole_arguments();
    assert_eq!(
        (count(&whole, delta), count(&whole, "response.function_call_arguments.done")),
        (0, 1)
    );
}

#[test]
fn a_cut_reply_is_incomplete_in_its_last_item() {
    let said = Scripted::CutOff(vec![text("whole"), call("f", json!({ "a": 1 }))]);
    let answer = answer(&Responses::openai(), json!({}), &said);
    assert_eq!(answer["status"], "incomplete");
    assert_eq!(answer["incomplete_details"], json!({ "reason": "max_output_tokens" }));
    assert_eq!(answer["output"][0]["status"], "completed");
    assert_eq!(answer["output"][1]["status"], "incomplete");
    // Half of the seven bytes of {"a":1}.
    assert_eq!(answer["output"][1]["arguments"], "{\"a");
}

#[test]
fn a_failure_in_a_stream_is_an_error_and_a_failed_response() {
    let said = Scripted::Error(Failure { mid_stream: true, ..Failure::of(429) });
    let events = events(&Responses::openai(), json!({}), &said);
    let [_, _, error, failed] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(error["type"], "error");
    assert_eq!(
        (&error["error"]["type"], &error["error"]["code"]),
        (&json!("tokens"), &json!("rate_limit_exceeded"))
    );
    assert_eq!(
        (&failed["type"], &failed["response"]["status"]),
        (&json!("response.failed"), &json!("failed"))
    );
    assert_eq!(failed["response"]["error"]["code"], "rate_limit_exceeded");
}

#[test]
fn diagnostics_tell_what_the_cache_missed() {
    let fields = json!({ "prompt_cache_options": { "comparison_response_id": "resp_1" } });
    let told = |fields: &Value, used: &CacheUse| {
        let request = asked(body(fields.clone()));
        let said = Scripted::Reply(vec![]);
        Responses::openai().answer(&request, &said, used, 1)["prompt_cache_diagnostics"].clone()
    };
    let hit = CacheUse::default();
    assert_eq!(told(&fields, &hit), json!({ "type": "cache_hit" }));
    assert_eq!(told(&json!({}), &hit), Value::Null);
    for (miss, reason) in [
        (MissReason::ModelChanged, "model_changed"),
        (MissReason::ToolsChanged, "tools_changed"),
        (MissReason::SystemChanged, "input_changed"),
        (MissReason::MessagesChanged, "input_changed"),
    ] {
        let missed = CacheUse { miss: Some(miss), missed: 9, ..hit };
        let expected = json!({ "type": "cache_miss", "reason": reason, "cache_missed_tokens": 9 });
        assert_eq!(told(&fields, &missed), expected);
    }
}

#[test]
fn an_onlooker_sees_tools_and_what_came_of_calls() {
    let found = json!({ "type": "function", "name": "export", "parameters": { "type": "object" } });
    let space = json!({ "type": "namespace", "name": "n", "description": "d", "tools": [function("inner")] });
    let body = body(json!({
        "tools": [search(), function("Read")],
        "input": [
            user("before"),
            { "type": "function_call", "call_id": "a", "name": "Old", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "a", "output": "old" },
            { "role": "user", "content": [{ "type": "input_text", "text": "now" }] },
            { "type": "tool_search_call", "call_id": "s", "execution": "client", "arguments": {} },
            { "type": "tool_search_output", "call_id": "s", "execution": "client", "tools": [found, space] },
            { "type": "function_call", "call_id": "b", "name": "export", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "b", "output": [{ "type": "input_text", "text": "3 rows" }] },
        ],
    }));
    let declared = |name: &str, parameters: Value| Declared { name: name.to_owned(), parameters };
    let expected = Glance {
        said: "now".to_owned(),
        tools: vec![
            declared("tool_search", search()["parameters"].clone()),
            declared("Read", Value::Null),
            declared("export", json!({ "type": "object" })),
            declared("inner", Value::Null),
        ],
        results: vec![
            Outcome {
                name: "tool_search".to_owned(),
                text: String::new(),
                shows: vec!["export".to_owned(), "inner".to_owned()],
            },
            Outcome { name: "export".to_owned(), text: "3 rows".to_owned(), shows: vec![] },
        ],
    };
    assert_eq!(Responses::openai().glance(&asked(body)), Some(expected));
}
