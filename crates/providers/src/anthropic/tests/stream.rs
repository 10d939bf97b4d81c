//! Streamed answers, cut and broken in every place.

use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Delta, Finish, ModelError, ModelErrorKind as Kind, Reply, Usage};
use serde_json::{Value, json};

use super::super::{decode, stream::Stream};
use crate::Names;
use crate::samples::{call, text};
use oncue_sse::Sse;

use crate::limits::EVENT_BYTES_MAX;
use crate::wire::Decode;

/// Every kind of event, as the vendor's documentation frames them, with a name that is changed on the wire.
const RECORDED: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":25,"cache_read_input_tokens":400,"cache_creation_input_tokens":8,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":" see."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"표를 "}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"읽어요."}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"cited_text":"a"}}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"q\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}}

event: content_block_stop
data: {"type":"content_block_stop","index":3}

event: content_block_start
data: {"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"toolu_1","name":"readTable","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":4,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":4,"delta":{"type":"input_json_delta","partial_json":"{\"table\": \"or"}}

event: content_block_delta
data: {"type":"content_block_delta","index":4,"delta":{"type":"input_json_delta","partial_json":"ders\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":4}

event: content_block_start
data: {"type":"content_block_start","index":5,"content_block":{"type":"tool_use","id":"toolu_2","name":"listTables","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":5}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}

event: message_stop
data: {"type":"message_stop"}

"#;

/// What the recorded stream says, written by hand.
fn recorded() -> Reply {
    let content = json!([
        {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"},
        {"type": "text", "text": "표를 읽어요.", "citations": [{"cited_text": "a"}]},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
        {"type": "tool_use", "id": "toolu_1", "name": "readTable", "input": {"table": "orders"}},
        {"type": "tool_use", "id": "toolu_2", "name": "listTables", "input": {}},
    ]);
    Reply {
        parts: vec![
            Part::Reasoning { text: "Let me see.".to_owned() },
            text("표를 읽어요."),
            call("toolu_1", "readTable", r#"{"table":"orders"}"#),
            call("toolu_2", "listTables", "{}"),
        ],
        raw: Some(Raw {
            wire: "anthropic".to_owned(),
            value: json!({"id": "msg_1", "model": "m", "content": content}),
        }),
        finish: Finish::Done,
        usage: Usage { uncached: 25, cache_read: 400, cache_write: 8, output: 89 },
        ..Reply::default()
    }
}

/// Feeds pieces of a stream.
fn read(pieces: &[&[u8]], heard: &mut Vec<Delta>) -> Result<Reply, ModelError> {
    let (mut sse, mut stream) =
        (Sse::new(EVENT_BYTES_MAX), Box::new(Stream::new(Names::default(), "m".to_owned())));
    for piece in pieces {
        for event in sse.feed(piece).unwrap() {
            stream.event(&event, &mut |delta| heard.push(delta))?;
        }
    }
    if let Some(event) = sse.end() {
        stream.event(&event, &mut |delta| heard.push(delta))?;
    }
    stream.finish()
}

fn reply(text: &str) -> Result<Reply, ModelError> {
    read(&[text.as_bytes()], &mut Vec::new())
}

/// A stream of these events, each a JSON value.
fn events(values: &[Value]) -> String {
    values.iter().map(|value| format!("data: {value}\n\n")).collect()
}

#[test]
fn a_stream_is_the_reply_that_it_spells() {
    let mut heard = Vec::new();
    assert_eq!(read(&[RECORDED.as_bytes()], &mut heard).unwrap(), recorded());
    let expected = [
        Delta::Reasoning("Let me".into()),
        Delta::Reasoning(" see.".into()),
        Delta::Text("표를 ".into()),
        Delta::Text("읽어요.".into()),
        Delta::Call("readTable".into()),
        Delta::Call("listTables".into()),
    ];
    assert_eq!(heard, expected);
}

#[test]
fn a_whole_answer_is_the_same_reply() {
    let whole = json!({
        "id": "msg_1", "content": recorded().raw.unwrap().value["content"], "stop_reason": "tool_use",
        "usage": {"input_tokens": 25, "cache_read_input_tokens": 400, "cache_creation_input_tokens": 8, "output_tokens": 89},
    });
    assert_eq!(decode::whole(whole, &Names::default(), "m").unwrap(), recorded());
}

#[test]
fn where_the_bytes_are_cut_in_two_does_not_matter() {
    let (bytes, expected) = (RECORDED.as_bytes(), recorded());
    for at in 0..bytes.len() {
        let (head, tail) = bytes.split_at(at);
        assert_eq!(read(&[head, tail], &mut Vec::new()).unwrap(), expected, "cut at {at}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(&single, &mut Vec::new()).unwrap(), expected);
    let other_ends = RECORDED.replace('\n', "\r\n");
    assert_eq!(reply(&other_ends).unwrap(), expected);
}

#[test]
fn a_stream_that_breaks_off_is_an_error_or_the_same_reply() {
    let (bytes, expected) = (RECORDED.as_bytes(), recorded());
    // From the end of the event that says why the answer ended, nothing is missing.
    let end = RECORDED.find("event: message_stop").unwrap() - 1;
    for at in 0..bytes.len() {
        match read(&[&bytes[..at]], &mut Vec::new()) {
            Ok(reply) => assert!(at >= end && reply == expected, "cut at {at}"),
            Err(error) => {
                assert!(at < end, "cut at {at}");
                assert_eq!(error.kind, Kind::Interrupted, "cut at {at}");
            }
        }
    }
}

#[test]
fn arguments_that_are_cut_off_are_shown_and_not_replayed() {
    let stream = events(&[
        json!({"type": "message_start", "message": {"id": "msg_1", "usage": {"input_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "readTable", "input": {}}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"tab"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]);
    let reply = reply(&stream).unwrap();
    assert_eq!(reply.finish, Finish::Length);
    assert_eq!(reply.parts, [call("t", "readTable", "{\"tab")]);
    let input = &reply.raw.unwrap().value["content"][0]["input"];
    assert_eq!(input, &json!({}));
}

#[test]
fn thoughts_that_are_cut_off_are_not_replayed() {
    let stream = events(&[
        json!({"type": "message_start", "message": {"id": "msg_1"}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}),
    ]);
    let reply = reply(&stream).unwrap();
    assert_eq!(reply.parts, [Part::Reasoning { text: "Hm".to_owned() }]);
    assert_eq!(reply.raw.unwrap().value, json!({"id": "msg_1", "model": "m", "content": []}));
}

#[test]
fn pieces_of_unknown_kinds_are_kept() {
    let stream = events(&[
        json!({"type": "from_the_future", "n": 1}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "compaction", "content": null}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "compaction_delta", "content": "a", "encrypted_content": null}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "compaction_delta", "content": "b", "list": [1]}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
    ]);
    let content = &reply(&stream).unwrap().raw.unwrap().value["content"];
    assert_eq!(content, &json!([{"type": "compaction", "content": "ab", "list": [1]}]));
}

#[test]
fn errors_in_the_middle_are_told() {
    let start = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}});
    let cases = [
        (
            events(&[
                start.clone(),
                json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            ]),
            "overloaded: Overloaded",
        ),
        ("event: error\ndata: {}\n\n".to_owned(), "unavailable: an error without a word"),
        ("data: {\n\n".to_owned(), "malformed answer: the stream has an event that is no JSON"),
        (
            events(&[json!({"type": "content_block_delta", "index": 0, "delta": {}})]),
            "malformed answer: the stream has a piece of a block that has not begun",
        ),
        (
            events(&[json!({"type": "content_block_start", "content_block": {}})]),
            "malformed answer: the stream has a block without an index",
        ),
        (events(&[start]), "interrupted: the answer broke off before its end"),
        (String::new(), "interrupted: the answer broke off before its end"),
    ];
    for (stream, expected) in cases {
        assert_eq!(reply(&stream).unwrap_err().to_string(), expected);
    }
}
