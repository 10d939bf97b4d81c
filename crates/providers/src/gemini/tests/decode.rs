//! What whole answers mean.

use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Disclosure, Finish, ModelErrorKind as Kind, Reply, Usage};
use serde_json::{Value, json};

use super::super::Gemini;
use super::{endpoint, names};
use crate::samples::{call, text};
use crate::wire::Wire;

fn decode(answer: Value) -> Result<Reply, (Kind, String)> {
    let wire = Gemini::new(endpoint(Disclosure::Append));
    wire.decode(answer, &names()).map_err(|error| (error.kind, error.message))
}

#[test]
fn parts_are_understood_and_kept() {
    let content = json!({"role": "model", "parts": [
        {"text": "Hm.", "thought": true},
        {"text": "I read."},
        {"functionCall": {"id": "x", "name": "readTable", "args": {"table": "a"}}, "thoughtSignature": "c2ln"},
        {"functionCall": {"name": "search"}},
        {"executableCode": {"code": "1"}},
    ]});
    let answer = json!({
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 2000, "cachedContentTokenCount": 1500, "toolUsePromptTokenCount": 10, "candidatesTokenCount": 20, "thoughtsTokenCount": 30, "totalTokenCount": 2060},
        "modelVersion": "gemini-3-pro", "responseId": "r",
    });
    assert_eq!(
        decode(answer),
        Ok(Reply {
            parts: vec![
                Part::Reasoning { text: "Hm.".to_owned() },
                text("I read."),
                call("x", "readTable", r#"{"table":"a"}"#),
                call("", "search", ""),
            ],
            raw: Some(Raw { wire: "gemini".to_owned(), value: content }),
            finish: Finish::Done,
            usage: Usage { uncached: 510, cache_read: 1500, cache_write: 0, output: 50 },
            ..Reply::default()
        })
    );
}

#[test]
fn the_end_of_a_reply_has_a_reason() {
    let end = |reason: &str, parts: Value| {
        let answer = json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason, "finishMessage": "so"}]});
        decode(answer).map(|reply| (reply.finish, reply.raw.is_some()))
    };
    let said = || json!([{"text": "a"}]);
    assert_eq!(end("STOP", said()), Ok((Finish::Done, true)));
    assert_eq!(end("MAX_TOKENS", said()), Ok((Finish::Length, true)));
    assert_eq!(end("MAX_TOKENS", json!([])), Ok((Finish::Length, false)));
    assert_eq!(end("SAFETY", json!([])), Ok((Finish::Refused, false)));
    assert_eq!(end("PROHIBITED_CONTENT", json!([])), Ok((Finish::Refused, false)));
    assert_eq!(end("OTHER", said()), Ok((Finish::Done, true)));
    let failed = |kind, reason: &str| Err((kind, format!("the reply ended with `{reason}`: so")));
    for (reason, parts) in [
        ("MALFORMED_FUNCTION_CALL", json!([])),
        ("UNEXPECTED_TOOL_CALL", said()),
        ("OTHER", json!([])),
    ] {
        assert_eq!(end(reason, parts), failed(Kind::Malformed, reason));
    }
    assert!(Kind::Malformed.is_retryable());
    let unsigned = "MISSING_THOUGHT_SIGNATURE";
    assert_eq!(end(unsigned, json!([])), failed(Kind::InvalidRequest, unsigned));
}

#[test]
fn a_prompt_may_be_refused() {
    let answer = json!({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 7}});
    let reply = decode(answer).unwrap();
    assert_eq!((reply.finish, reply.parts, reply.raw), (Finish::Refused, vec![], None));
    assert_eq!(reply.usage.uncached, 7);
}

#[test]
fn what_is_no_answer_is_malformed() {
    for answer in [json!({}), json!({"candidates": []}), json!([]), json!({"usageMetadata": {}})] {
        let expected = Err((Kind::Malformed, "the answer has no candidate".to_owned()));
        assert_eq!(decode(answer.clone()), expected, "{answer}");
    }
}
