//! The Messages protocol behind the vendor's door.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oncue_agent::{Delta, Disclosure, Encode};
use serde_json::{Value, json};

use super::super::invoke::Invoke;
use super::{CLAUDE, endpoint, event, read};
use crate::Names;
use crate::samples::{Asked, text, user};
use crate::wire::Wire;

fn wire() -> Invoke {
    Invoke::new(endpoint(CLAUDE).with_disclosure(Disclosure::ByReference))
}

#[test]
fn the_body_is_that_of_the_messages_protocol() {
    let asked = Asked::new(vec![user("Hi.")]);
    let body = asked.with(|request| wire().encode(request).unwrap().body);
    let body = wire().streaming(body).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["anthropic_version"], "bedrock-2023-05-31");
    assert!(body.get("model").is_none() && body.get("stream").is_none(), "the path says both");
    assert_eq!(body["tools"][2]["defer_loading"], true);
    assert_eq!(wire().path(false), "/model/eu.anthropic.claude-x-v1%3A0/invoke");
    assert_eq!(
        wire().path(true),
        "/model/eu.anthropic.claude-x-v1%3A0/invoke-with-response-stream"
    );
}

#[test]
fn events_are_taken_out_of_their_chunks() {
    let chunk = |inner: Value| {
        event("chunk", &json!({"bytes": STANDARD.encode(inner.to_string()), "p": "abc"}))
    };
    let frames = [
        event("from_the_future", &json!({})),
        chunk(json!({"type": "message_start", "message": {"id": "msg_1"}})),
        chunk(
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        ),
        chunk(
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi."}}),
        ),
        chunk(json!({"type": "content_block_stop", "index": 0})),
        chunk(
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}),
        ),
        chunk(json!({"type": "message_stop", "amazon-bedrock-invocationMetrics": {}})),
    ];
    let mut heard = Vec::new();
    let reply = read(wire().decoder(Names::default()), &[&frames.concat()], &mut heard).unwrap();
    assert_eq!(reply.parts, [text("Hi.")]);
    assert_eq!(reply.usage.output, 2);
    assert_eq!(heard, [Delta::Text("Hi.".to_owned())]);

    let broken = event("chunk", &json!({"bytes": "?"}));
    let error = read(wire().decoder(Names::default()), &[&broken], &mut heard).unwrap_err();
    assert_eq!(error.to_string(), "malformed answer: the stream has a chunk without an event");
}
