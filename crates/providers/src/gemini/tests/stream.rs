//! Streamed answers, cut and broken in every place.

use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Delta, Disclosure, Finish, ModelErrorKind as Kind, Reply, Usage};
use serde_json::{Value, json};

use super::super::Gemini;
use super::{endpoint, names};
use crate::chaos;
use crate::samples::{call, text};

fn wire() -> Gemini {
    Gemini::new(endpoint(Disclosure::Append))
}

fn framed(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "literals read better without a sign")]
fn chunk(parts: Value, reason: Value) -> Value {
    json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason}],
        "usageMetadata": {"promptTokenCount": 20, "totalTokenCount": 20},
    })
}

/// Thoughts, text and two calls, with signatures of each kind.
fn recorded() -> (String, Reply) {
    let read = json!({"functionCall": {"id": "x", "name": "readTable", "args": {"table": "a"}}, "thoughtSignature": "c2ln"});
    let search = json!({"functionCall": {"name": "search", "args": {}}});
    let none = || Value::Null;
    let mut last = chunk(json!([search]), json!("STOP"));
    last["usageMetadata"] = json!({"promptTokenCount": 20, "cachedContentTokenCount": 16, "candidatesTokenCount": 3, "thoughtsTokenCount": 2});
    let chunks = [
        chunk(json!([{"text": "Hm", "thought": true}]), none()),
        chunk(json!([{"text": ".", "thought": true}]), none()),
        chunk(json!([{"text": "표를 "}]), none()),
        chunk(json!([{"text": "읽어요."}]), none()),
        chunk(json!([{"text": "", "thoughtSignature": "c2lnMA=="}]), none()),
        chunk(json!([{"text": ""}]), none()),
        chunk(json!([read]), none()),
        last,
    ];
    let content = json!({"role": "model", "parts": [
        {"text": "Hm.", "thought": true},
        {"text": "표를 읽어요."},
        {"text": "", "thoughtSignature": "c2lnMA=="},
        read,
        search,
    ]});
    let reply = Reply {
        parts: vec![
            Part::Reasoning { text: "Hm.".to_owned() },
            text("표를 읽어요."),
            call("x", "readTable", r#"{"table":"a"}"#),
            call("", "search", "{}"),
        ],
        raw: Some(Raw { wire: "gemini".to_owned(), value: content }),
        finish: Finish::Done,
        usage: Usage { uncached: 4, cache_read: 16, cache_write: 0, output: 5 },
        ..Reply::default()
    };
    (framed(&chunks), reply)
}

#[test]
fn a_stream_is_the_same_reply_wherever_it_is_cut() {
    let (stream, reply) = recorded();
    chaos::check(&wire(), &names(), &stream, &reply);
}

#[test]
fn pieces_are_heard_as_they_come() {
    let (stream, _) = recorded();
    let (_, heard) = chaos::stream(&wire(), &names(), &[stream.as_bytes()]);
    let text = |text: &str| Delta::Text(text.to_owned());
    assert_eq!(
        heard,
        [
            Delta::Reasoning("Hm".to_owned()),
            Delta::Reasoning(".".to_owned()),
            text("표를 "),
            text("읽어요."),
            Delta::Call("readTable".to_owned()),
            Delta::Call("search".to_owned()),
        ]
    );
}

#[test]
fn what_breaks_off_or_fails_is_an_error() {
    let said = || chunk(json!([{"text": "a"}]), Value::Null);
    let rows = [
        (vec![], Kind::Interrupted),
        (vec![said()], Kind::Interrupted),
        (
            vec![said(), json!({"error": {"code": 503, "message": "no", "status": "UNAVAILABLE"}})],
            Kind::Overloaded,
        ),
        (vec![said(), chunk(json!([]), json!("MALFORMED_FUNCTION_CALL"))], Kind::Malformed),
    ];
    for (chunks, kind) in rows {
        let (reply, _) = chaos::stream(&wire(), &names(), &[framed(&chunks).as_bytes()]);
        assert_eq!(reply.map_err(|error| error.kind), Err(kind), "{chunks:?}");
    }
    let (reply, _) = chaos::stream(&wire(), &names(), &[b"data: [\n\n"]);
    assert_eq!(reply.map_err(|error| error.kind), Err(Kind::Malformed));
    let refused = json!({"promptFeedback": {"blockReason": "SAFETY"}});
    let (reply, _) = chaos::stream(&wire(), &names(), &[framed(&[refused]).as_bytes()]);
    assert_eq!(reply.unwrap().finish, Finish::Refused);
}
