//! Streamed answers, cut and broken in every place.

use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Delta, Disclosure, Finish, ModelErrorKind as Kind, Reply, Usage};
use serde_json::{Value, json};

use super::super::Responses;
use super::{endpoint, names};
use crate::chaos;
use crate::samples::{call, text};
use crate::wire::Wire;

fn wire() -> Responses {
    Responses::new(endpoint(Disclosure::ClientSearch))
}

/// Returns events as the vendor frames them.
fn framed(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()))
        .collect()
}

fn item(kind: &str, at: u64, item: &Value) -> Value {
    json!({"type": format!("response.output_item.{kind}"), "output_index": at, "item": item})
}

fn done(output: &Value) -> Value {
    json!({"type": "response.completed", "response": {
        "id": "resp_1", "status": "completed", "error": null, "output": output,
        "usage": {"input_tokens": 20, "input_tokens_details": {"cached_tokens": 16}, "output_tokens": 5},
    }})
}

/// Thoughts, text, a search and a call, the arguments of which come whole.
fn recorded() -> (String, Reply) {
    let thoughts = json!({"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "gA"});
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "표를 읽어요.", "annotations": []}]});
    let search = json!({"id": "tsc_1", "type": "tool_search_call", "call_id": "call_1", "execution": "client", "status": "completed", "arguments": {"query": "stop"}});
    let read = json!({"id": "fc_1", "type": "function_call", "call_id": "call_2", "name": "readTable", "arguments": "{\"table\": \"a\"}", "status": "completed"});
    let mut begun = read.clone();
    begun["arguments"] = json!("");
    let output = json!([thoughts, message, search, read]);
    let events = [
        json!({"type": "response.created", "response": {"id": "resp_1", "status": "in_progress", "output": []}}),
        item("added", 0, &json!({"id": "rs_1", "type": "reasoning", "summary": []})),
        json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "Hm."}),
        item("done", 0, &thoughts),
        item(
            "added",
            1,
            &json!({"id": "msg_1", "type": "message", "role": "assistant", "content": []}),
        ),
        json!({"type": "response.output_text.delta", "output_index": 1, "delta": "표를 ", "obfuscation": "xx"}),
        json!({"type": "response.output_text.delta", "output_index": 1, "delta": "읽어요."}),
        item("done", 1, &message),
        item("added", 2, &search),
        item("done", 2, &search),
        item("added", 3, &begun),
        json!({"type": "response.function_call_arguments.done", "output_index": 3, "arguments": "{\"table\": \"a\"}"}),
        item("done", 3, &read),
        json!({"type": "response.something.new", "output_index": 9}),
        done(&output),
    ];
    let reply = Reply {
        parts: vec![
            Part::Reasoning { text: "Hm.".to_owned() },
            text("표를 읽어요."),
            call("call_1", "search", r#"{"query":"stop"}"#),
            call("call_2", "readTable", r#"{"table": "a"}"#),
        ],
        raw: Some(Raw {
            wire: "responses".to_owned(),
            value: json!({"id": "resp_1", "output": output}),
        }),
        finish: Finish::Done,
        usage: Usage { uncached: 4, cache_read: 16, cache_write: 0, output: 5 },
        ..Reply::default()
    };
    (framed(&events), reply)
}

#[test]
fn a_stream_is_the_same_reply_wherever_it_is_cut() {
    let (stream, reply) = recorded();
    chaos::check(&wire(), &names(), &stream, &reply);
    let unnamed: String = stream
        .lines()
        .filter(|line| !line.starts_with("event"))
        .map(|line| format!("{line}\n"))
        .collect();
    chaos::check(&wire(), &names(), &unnamed, &reply);
}

#[test]
fn pieces_are_heard_as_they_come() {
    let (stream, _) = recorded();
    let (_, heard) = chaos::stream(&wire(), &names(), &[stream.as_bytes()]);
    assert_eq!(
        heard,
        [
            Delta::Reasoning("Hm.".to_owned()),
            Delta::Text("표를 ".to_owned()),
            Delta::Text("읽어요.".to_owned()),
            Delta::Call("search".to_owned()),
            Delta::Call("readTable".to_owned()),
        ]
    );
}

#[test]
fn a_last_event_without_output_ends_what_came_before() {
    let begun = json!({"id": "fc_1", "type": "function_call", "call_id": "c", "name": "readTable", "arguments": ""});
    let arguments = json!({"type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{\"table\":1}"});
    let stream = framed(&[item("added", 0, &begun), arguments, done(&json!([]))]);
    let (reply, _) = chaos::stream(&wire(), &names(), &[stream.as_bytes()]);
    assert_eq!(reply.unwrap().parts, [call("c", "readTable", r#"{"table":1}"#)]);
}

#[test]
fn a_reply_may_be_cut_off() {
    let said = json!({"id": "msg_1", "type": "message", "role": "assistant", "status": "incomplete", "content": [{"type": "output_text", "text": "Half"}]});
    let event = json!({"type": "response.incomplete", "response": {"id": "r", "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [said]}});
    let (reply, _) = chaos::stream(&wire(), &names(), &[framed(&[event]).as_bytes()]);
    let reply = reply.unwrap();
    assert_eq!((reply.finish, reply.parts), (Finish::Length, vec![text("Half")]));
}

#[test]
fn errors_in_a_stream_are_errors() {
    let failed = |error: Value| json!({"type": "response.failed", "response": {"id": "r", "status": "failed", "error": error}});
    for (event, kind) in [
        (failed(json!({"code": "server_error", "message": "no"})), Kind::Unavailable),
        (failed(json!({"code": "rate_limit_exceeded", "message": "no"})), Kind::RateLimited),
        (failed(json!(null)), Kind::Unavailable),
        (
            json!({"type": "error", "code": "server_error", "message": "no", "param": null}),
            Kind::Unavailable,
        ),
        (
            json!({"type": "error", "error": {"type": "rate_limit_error", "code": null, "message": "no"}}),
            Kind::RateLimited,
        ),
        (json!({"type": "response.output_item.added"}), Kind::Malformed),
    ] {
        let (reply, _) =
            chaos::stream(&wire(), &names(), &[framed(std::slice::from_ref(&event)).as_bytes()]);
        assert_eq!(reply.map_err(|error| error.kind), Err(kind), "{event}");
    }
    for (stream, kind) in [
        ("data: {\n\n", Kind::Malformed),
        ("data: [DONE]\n\n", Kind::Interrupted),
        ("", Kind::Interrupted),
    ] {
        let (reply, _) = chaos::stream(&wire(), &names(), &[stream.as_bytes()]);
        assert_eq!(reply.map_err(|error| error.kind), Err(kind), "{stream}");
    }
}

#[test]
fn a_body_asks_for_a_stream() {
    let body = wire().streaming(br#"{"model":"m"}"#.to_vec()).unwrap();
    assert_eq!(body, br#"{"model":"m","stream":true}"#);
}
