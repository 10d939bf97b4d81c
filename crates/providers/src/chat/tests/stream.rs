//! Streamed answers, cut and broken in every place.

use oncue_agent::conversation::Part;
use oncue_agent::{Delta, Disclosure, Finish, ModelErrorKind, Reply, Usage};
use serde_json::{Value, json};

use super::super::Chat;
use super::{endpoint, names, replied};
use crate::chaos;
use crate::samples::{call, text};
use crate::wire::Wire;

fn wire(is_lenient: bool) -> Chat {
    Chat::new(endpoint(Disclosure::Append).with_lenient_calls(is_lenient))
}

/// Returns the events of a stream, one chunk each.
fn events(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "literals read better without a sign")]
fn delta(delta: Value) -> Value {
    json!({"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn end(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn cost() -> Value {
    json!({"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 16}}})
}

const COST: Usage = Usage { uncached: 4, cache_read: 16, cache_write: 0, output: 5 };

/// Two calls with text and thoughts, in pieces, as OpenAI and its kind send them.
fn two_calls() -> (String, Reply) {
    let chunks = [
        delta(json!({"role": "assistant", "content": "", "refusal": null})),
        delta(json!({"reasoning_content": "Which"})),
        delta(json!({"reasoning_content": " table?"})),
        delta(json!({"content": "표를 "})),
        delta(json!({"content": "읽어요."})),
        delta(
            json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": {"name": "readTable", "arguments": ""}}]}),
        ),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"table\": "}}]})),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"a\"}"}}]})),
        delta(
            json!({"tool_calls": [{"index": 1, "id": "c2", "type": "function", "function": {"name": "search", "arguments": "{}"}, "extra": 1}]}),
        ),
        end("tool_calls"),
        cost(),
    ];
    let message = json!({
        "role": "assistant", "content": "표를 읽어요.", "reasoning_content": "Which table?",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "readTable", "arguments": "{\"table\": \"a\"}"}},
            {"id": "c2", "type": "function", "function": {"name": "search", "arguments": "{}"}, "extra": 1},
        ],
    });
    let parts = vec![
        Part::Reasoning { text: "Which table?".to_owned() },
        text("표를 읽어요."),
        call("c1", "readTable", r#"{"table": "a"}"#),
        call("c2", "search", "{}"),
    ];
    (events(&chunks) + "data: [DONE]\n\n", replied(message, parts, Finish::Done, COST))
}

#[test]
fn a_stream_is_the_same_reply_wherever_it_is_cut() {
    let (stream, reply) = two_calls();
    chaos::check(&wire(false), &names(), &stream, &reply);
    chaos::check(&wire(true), &names(), &stream.replace('\n', "\r\n"), &reply);
    let commented = stream.replace("\n\n", "\n\n: keep-alive\n\n");
    chaos::check(&wire(false), &names(), &commented, &reply);
}

#[test]
fn pieces_are_heard_as_they_come() {
    let (stream, _) = two_calls();
    let (_, heard) = chaos::stream(&wire(false), &names(), &[stream.as_bytes()]);
    let reasoning = |text: &str| Delta::Reasoning(text.to_owned());
    let text = |text: &str| Delta::Text(text.to_owned());
    let call = |name: &str| Delta::Call(name.to_owned());
    assert_eq!(
        heard,
        [
            reasoning("Which"),
            reasoning(" table?"),
            text("표를 "),
            text("읽어요."),
            call("readTable"),
            call("search")
        ]
    );
}

#[test]
fn odd_streams_are_read_as_they_are_meant() {
    let read = |id: &str, arguments: &str| call(id, "readTable", arguments);
    let of = |calls: Value| delta(json!({"tool_calls": calls}));
    let function = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let rows: Vec<(&str, Vec<Value>, Vec<Part>)> = vec![
        (
            "no index",
            vec![
                of(json!([{"id": "a", "function": function("readTable", json!("{\"table\""))}])),
                of(json!([{"function": {"arguments": ":1}"}}])),
                of(json!([{"id": "b", "function": function("readTable", json!("{}"))}])),
            ],
            vec![read("a", "{\"table\":1}"), read("b", "{}")],
        ),
        (
            "the same index twice",
            vec![
                of(
                    json!([{"index": 0, "id": "a", "function": function("readTable", json!("{}"))}]),
                ),
                of(json!([{"index": 0, "id": "b", "function": function("search", json!("{\"q"))}])),
                of(json!([{"index": 0, "function": {"arguments": "\":1}"}}])),
            ],
            vec![read("a", "{}"), call("b", "search", "{\"q\":1}")],
        ),
        (
            "names and ids in every piece",
            vec![
                of(
                    json!([{"index": 0, "id": "a", "function": function("readTable", json!("{\"table"))}]),
                ),
                of(
                    json!([{"index": 0, "id": "a", "function": function("readTable", json!("\":1}"))}]),
                ),
            ],
            vec![read("a", "{\"table\":1}")],
        ),
        (
            "empty names and ids in later pieces",
            vec![
                of(
                    json!([{"index": 0, "id": "a", "function": function("readTable", json!(null))}]),
                ),
                of(json!([{"index": 0, "id": "", "function": function("", json!("{}"))}])),
            ],
            vec![read("a", "{}")],
        ),
        (
            "whole calls in one piece",
            vec![of(json!([
                {"index": 0, "id": "a", "function": function("functions.readTable", json!({"table": 1}))},
                {"index": 1, "function": function("readTable", json!("{}"))},
            ]))],
            vec![read("a", "{\"table\":1}"), read("", "{}")],
        ),
        (
            "calls out of order",
            vec![
                of(json!([{"index": 1, "id": "b", "function": function("search", json!("{"))}])),
                of(
                    json!([{"index": 0, "id": "a", "function": function("readTable", json!("{}"))}]),
                ),
                of(json!([{"index": 1, "function": {"arguments": "}"}}])),
            ],
            vec![call("b", "search", "{}"), read("a", "{}")],
        ),
    ];
    for (row, mut chunks, parts) in rows {
        chunks.extend([end("tool_calls"), cost()]);
        let stream = events(&chunks) + "data: [DONE]\n\n";
        let (reply, _) = chaos::stream(&wire(false), &names(), &[stream.as_bytes()]);
        let reply = reply.unwrap();
        assert_eq!(reply.parts, parts, "{row}");
        chaos::check(&wire(false), &names(), &stream, &reply);
    }
}

#[test]
fn a_call_in_text_is_not_heard_as_text() {
    let said = |pieces: &[&str]| {
        let mut chunks: Vec<Value> =
            pieces.iter().map(|piece| delta(json!({"content": piece}))).collect();
        chunks.extend([end("stop"), cost()]);
        events(&chunks) + "data: [DONE]\n\n"
    };
    let stream = said(&["```json\n{\"name\": \"read", "Table\", \"arguments\": {}}", "\n```"]);
    let (reply, heard) = chaos::stream(&wire(true), &names(), &[stream.as_bytes()]);
    assert_eq!(reply.unwrap().parts, [call("", "readTable", "{}")]);
    assert_eq!(heard, [Delta::Call("readTable".to_owned())]);

    // What only looked like one is heard in the end, and what does not is heard at once.
    for (pieces, expected) in [
        (&["[1]: a ", "note"][..], vec!["[1]: a note"]),
        (&["A ", "note"], vec!["A ", "note"]),
        (&["  ", "A note"], vec!["  A note"]),
    ] {
        let stream = said(pieces);
        let (reply, heard) = chaos::stream(&wire(true), &names(), &[stream.as_bytes()]);
        let expected: Vec<Delta> =
            expected.into_iter().map(|text| Delta::Text(text.to_owned())).collect();
        assert_eq!((chaos::text(&heard), heard), (pieces.concat(), expected));
        assert_eq!(reply.unwrap().parts, [text(&pieces.concat())]);
    }
}

#[test]
fn a_stream_may_end_without_saying_so_once_all_is_said() {
    let said = delta(json!({"content": "a"}));
    let whole = |chunks: &[Value], done: &str| {
        let stream = events(chunks) + done;
        chaos::stream(&wire(false), &names(), &[stream.as_bytes()])
            .0
            .map(|reply| reply.parts)
            .map_err(|error| error.kind)
    };
    let all = [said, end("stop"), cost()];
    let done = "data: [DONE]\n\n";
    assert_eq!(whole(&all, done), Ok(vec![text("a")]));
    assert_eq!(whole(&all, ""), Ok(vec![text("a")]));
    assert_eq!(whole(&all[..2], done), Ok(vec![text("a")]));
    assert_eq!(whole(&all[..1], done), Ok(vec![text("a")]));
    let interrupted = Err(ModelErrorKind::Interrupted);
    assert_eq!(whole(&all[..2], ""), interrupted);
    assert_eq!(whole(&all[..1], ""), interrupted);
    assert_eq!(whole(&[], done), interrupted);
    assert_eq!(whole(&[], ""), interrupted);
}

#[test]
fn errors_in_a_stream_are_errors() {
    let said = delta(json!({"content": "a"}));
    for (event, kind) in [
        (
            r#"data: {"error":{"message":"no","type":"server_error","code":500}}"#,
            ModelErrorKind::Unavailable,
        ),
        (
            r#"data: {"error":{"message":"slow","code":429},"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}"#,
            ModelErrorKind::RateLimited,
        ),
        ("event: error\ndata: {\"error\":\"no\"}", ModelErrorKind::Unavailable),
        (
            "data: {\"object\":\"error\",\"message\":\"no\",\"code\":400}",
            ModelErrorKind::InvalidRequest,
        ),
        ("data: {\"choices\"", ModelErrorKind::Malformed),
    ] {
        let stream = events(std::slice::from_ref(&said)) + event + "\n\n";
        let (reply, heard) = chaos::stream(&wire(false), &names(), &[stream.as_bytes()]);
        assert_eq!(reply.map_err(|error| error.kind), Err(kind), "{event}");
        assert_eq!(chaos::text(&heard), "a");
    }
}

#[test]
fn a_body_asks_for_a_stream_and_its_cost() {
    let streaming = |endpoint: crate::Endpoint| {
        let body = Chat::new(endpoint).streaming(br#"{"model":"m"}"#.to_vec()).unwrap();
        String::from_utf8(body).unwrap()
    };
    let endpoint = || endpoint(Disclosure::Append);
    assert_eq!(
        streaming(endpoint()),
        r#"{"model":"m","stream":true,"stream_options":{"include_usage":true}}"#
    );
    let without = endpoint().with_extra("stream_options", Value::Null);
    assert_eq!(streaming(without), r#"{"model":"m","stream":true}"#);
}
