//! Streams of Converse, cut and broken in every place.

use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Delta, Finish, ModelError, ModelErrorKind as Kind, Reply, Usage};
use serde_json::{Value, json};

use super::super::converse::Converse;
use super::{CLAUDE, endpoint, event, frame, read};
use crate::Names;
use crate::samples::{call, text};
use crate::wire::Wire;

/// Every kind of event, as the vendor's model of the protocol has them.
fn recorded() -> Vec<Vec<u8>> {
    let delta = |index: u64, delta: Value| {
        event("contentBlockDelta", &json!({"contentBlockIndex": index, "delta": delta}))
    };
    let stop = |index: u64| event("contentBlockStop", &json!({"contentBlockIndex": index}));
    let start = |index: u64, id: &str, name: &str| {
        let start = json!({"toolUse": {"toolUseId": id, "name": name}});
        event("contentBlockStart", &json!({"contentBlockIndex": index, "start": start}))
    };
    vec![
        event("messageStart", &json!({"role": "assistant", "p": "abc"})),
        delta(0, json!({"reasoningContent": {"text": "Let me"}})),
        delta(0, json!({"reasoningContent": {"text": " see."}})),
        delta(0, json!({"reasoningContent": {"signature": "c2ln"}})),
        stop(0),
        delta(1, json!({"text": "표를 "})),
        delta(1, json!({"text": "읽어요."})),
        stop(1),
        start(2, "t1", "readTable"),
        delta(2, json!({"toolUse": {"input": ""}})),
        delta(2, json!({"toolUse": {"input": "{\"table\": \"or"}})),
        delta(2, json!({"toolUse": {"input": "ders\"}"}})),
        stop(2),
        start(3, "t2", "listTables"),
        stop(3),
        delta(4, json!({"reasoningContent": {"redactedContent": "eA=="}})),
        stop(4),
        event("messageStop", &json!({"stopReason": "tool_use"})),
        event(
            "metadata",
            &json!({"usage": {"inputTokens": 25, "outputTokens": 89, "cacheReadInputTokens": 400, "cacheWriteInputTokens": 8}}),
        ),
    ]
}

/// What the recorded stream says, written by hand.
fn expected() -> Reply {
    let content = json!([
        {"reasoningContent": {"reasoningText": {"text": "Let me see.", "signature": "c2ln"}}},
        {"text": "표를 읽어요."},
        {"toolUse": {"toolUseId": "t1", "name": "readTable", "input": {"table": "orders"}}},
        {"toolUse": {"toolUseId": "t2", "name": "listTables", "input": {}}},
        {"reasoningContent": {"redactedContent": "eA=="}},
    ]);
    Reply {
        parts: vec![
            Part::Reasoning { text: "Let me see.".to_owned() },
            text("표를 읽어요."),
            call("t1", "readTable", r#"{"table":"orders"}"#),
            call("t2", "listTables", "{}"),
        ],
        raw: Some(Raw {
            wire: "bedrock".to_owned(),
            value: json!({"model": CLAUDE, "content": content}),
        }),
        finish: Finish::Done,
        usage: Usage { uncached: 25, cache_read: 400, cache_write: 8, output: 89 },
        ..Reply::default()
    }
}

fn feed(pieces: &[&[u8]]) -> (Result<Reply, ModelError>, Vec<Delta>) {
    let mut heard = Vec::new();
    let decoder = Converse::new(endpoint(CLAUDE)).decoder(Names::default());
    let reply = read(decoder, pieces, &mut heard);
    (reply, heard)
}

#[test]
fn a_stream_is_the_reply_that_it_spells_wherever_it_is_cut() {
    let bytes = recorded().concat();
    let (reply, heard) = feed(&[&bytes]);
    assert_eq!(reply.unwrap(), expected());
    let said = [
        Delta::Reasoning("Let me".into()),
        Delta::Reasoning(" see.".into()),
        Delta::Text("표를 ".into()),
        Delta::Text("읽어요.".into()),
        Delta::Call("readTable".into()),
        Delta::Call("listTables".into()),
    ];
    assert_eq!(heard, said);
    for at in 0..bytes.len() {
        let (head, tail) = bytes.split_at(at);
        assert_eq!(feed(&[head, tail]).0.unwrap(), expected(), "cut at {at}");
        let kind = feed(&[head]).0.unwrap_err().kind;
        assert_eq!(kind, Kind::Interrupted, "broken off at {at}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(feed(&single).0.unwrap(), expected());
}

#[test]
fn a_frame_that_is_broken_is_no_event() {
    let bytes = recorded().concat();
    let message = |bytes: &[u8]| feed(&[bytes]).0.unwrap_err().to_string();
    for at in [0, 5, 9, 14, 40] {
        let mut broken = bytes.clone();
        broken[at] ^= 0x80;
        assert!(message(&broken).starts_with("malformed answer: the stream has "), "{at}");
    }
    assert_eq!(
        message(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        "malformed answer: the stream has a frame of a wrong length"
    );
    assert_eq!(
        message(b"HTTP/1.1 200 OK"),
        "malformed answer: the stream has a frame that is too long, or is none"
    );
    assert_eq!(
        message(&frame(&[(":message-type", "odd")], "{}")),
        "malformed answer: the stream has a frame of an unknown kind"
    );
}

#[test]
fn exceptions_in_the_middle_are_told() {
    let exception = |name: &str, payload: &str| {
        frame(&[(":message-type", "exception"), (":exception-type", name)], payload)
    };
    let cases = [
        (exception("throttlingException", r#"{"message":"slow down"}"#), "rate limited: slow down"),
        (exception("modelStreamErrorException", "{}"), "interrupted: modelStreamErrorException"),
        (exception("internalServerException", ""), "unavailable: internalServerException"),
        (
            frame(
                &[(":message-type", "error"), (":error-code", "x"), (":error-message", "gone")],
                "",
            ),
            "unavailable: gone",
        ),
    ];
    for (last, told) in cases {
        let mut frames = recorded();
        frames.truncate(7);
        frames.push(last);
        assert_eq!(feed(&[&frames.concat()]).0.unwrap_err().to_string(), told);
    }
}

#[test]
fn what_is_cut_off_is_shown_and_not_replayed() {
    let frames = [
        event(
            "contentBlockDelta",
            &json!({"contentBlockIndex": 0, "delta": {"reasoningContent": {"text": "Hm"}}}),
        ),
        event(
            "contentBlockStart",
            &json!({"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "t", "name": "readTable"}}}),
        ),
        event(
            "contentBlockDelta",
            &json!({"contentBlockIndex": 1, "delta": {"toolUse": {"input": "{\"tab"}}}),
        ),
        event("messageStop", &json!({"stopReason": "max_tokens"})),
        event("metadata", &json!({"usage": {}})),
    ];
    let reply = feed(&[&frames.concat()]).0.unwrap();
    assert_eq!(reply.finish, Finish::Length);
    assert_eq!(
        reply.parts,
        [Part::Reasoning { text: "Hm".to_owned() }, call("t", "readTable", "{\"tab")]
    );
    let content = &reply.raw.unwrap().value["content"];
    let input = json!({"toolUseId": "t", "name": "readTable", "input": {}});
    assert_eq!(content, &json!([{"toolUse": input}]));
}
