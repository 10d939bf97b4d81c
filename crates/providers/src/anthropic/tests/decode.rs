//! Whole answers, and errors.

use oncue_agent::cache::MissReason;
use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Finish, ModelError, ModelErrorKind as Kind, Reply, Usage};
use serde_json::{Value, json};

use super::super::{decode, error};
use crate::Names;
use crate::samples::{call, text};

fn whole(answer: Value) -> Result<Reply, ModelError> {
    decode::whole(answer, &Names::default(), "m")
}

#[test]
fn an_answer_is_read_and_kept() {
    let content = json!([
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "text", "text": "I read."},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "x", "input": {}},
        {"type": "tool_use", "id": "toolu_1", "name": "readTable", "input": {"table": "a"}},
        {"type": "from_the_future", "n": [1]},
    ]);
    let reply = whole(json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": "tool_use", "stop_sequence": null,
        "usage": {"input_tokens": 3, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20, "output_tokens": 7},
        "diagnostics": {"cache_miss_reason": {"type": "tools_changed", "cache_missed_input_tokens": 5}},
    }))
    .unwrap();
    let reasoning = Part::Reasoning { text: "Hm.".to_owned() };
    let expected = Reply {
        losses: Vec::new(),
        parts: vec![reasoning, text("I read."), call("toolu_1", "readTable", r#"{"table":"a"}"#)],
        raw: Some(Raw {
            wire: "anthropic".to_owned(),
            value: json!({"id": "msg_1", "model": "m", "content": content}),
        }),
        finish: Finish::Done,
        usage: Usage { uncached: 3, cache_read: 100, cache_write: 20, output: 7 },
        cache_miss: Some(MissReason::ToolsChanged),
    };
    assert_eq!(reply, expected);
}

#[test]
fn each_reason_to_stop_is_understood() {
    let cases = [
        ("end_turn", Finish::Done),
        ("stop_sequence", Finish::Done),
        ("tool_use", Finish::Done),
        ("max_tokens", Finish::Length),
        ("refusal", Finish::Refused),
        ("pause_turn", Finish::Paused),
        ("model_context_window_exceeded", Finish::ContextFull),
        ("from_the_future", Finish::Done),
    ];
    for (reason, finish) in cases {
        let reply = whole(json!({"content": [], "stop_reason": reason})).unwrap();
        assert_eq!((reply.finish, reply.parts), (finish, vec![]), "{reason}");
    }
}

#[test]
fn each_reason_for_a_miss_is_understood() {
    let cases = [
        ("model_changed", Some(MissReason::ModelChanged)),
        ("system_changed", Some(MissReason::SystemChanged)),
        ("tools_changed", Some(MissReason::ToolsChanged)),
        ("messages_changed", Some(MissReason::MessagesChanged)),
        ("previous_message_not_found", None),
        ("unavailable", None),
    ];
    for (reason, expected) in cases {
        let diagnostics = json!({"cache_miss_reason": {"type": reason}});
        let answer = json!({"content": [], "stop_reason": "end_turn", "diagnostics": diagnostics});
        assert_eq!(whole(answer).unwrap().cache_miss, expected, "{reason}");
    }
}

#[test]
fn what_is_no_message_is_an_error() {
    let error = json!({"type": "overloaded_error", "message": "Overloaded"});
    let cases = [
        (json!([]), "malformed answer: the answer is no message: it has no content"),
        (json!({"content": "x"}), "malformed answer: the answer is no message: it has no content"),
        (json!({"content": []}), "interrupted: the answer broke off before its end"),
        (json!({"type": "error", "error": error}), "overloaded: Overloaded"),
    ];
    for (answer, expected) in cases {
        assert_eq!(whole(answer).unwrap_err().to_string(), expected);
    }
}

#[test]
fn each_error_has_a_kind() {
    let cases = [
        (400, "invalid_request_error", "no", Kind::InvalidRequest),
        (
            400,
            "invalid_request_error",
            "prompt is too long: 2 tokens > 1 maximum",
            Kind::ContextFull,
        ),
        (401, "authentication_error", "no", Kind::Authentication),
        (402, "billing_error", "no", Kind::Quota),
        (403, "permission_error", "no", Kind::Permission),
        (404, "not_found_error", "no", Kind::NotFound),
        (413, "request_too_large", "no", Kind::InvalidRequest),
        (429, "rate_limit_error", "no", Kind::RateLimited),
        (500, "api_error", "no", Kind::Unavailable),
        (504, "timeout_error", "no", Kind::TimedOut),
        (529, "overloaded_error", "no", Kind::Overloaded),
        (529, "from_the_future", "no", Kind::Overloaded),
    ];
    for (status, kind, message, expected) in cases {
        let body = json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"});
        let error = error::of_answer(status, &[], body.to_string().as_bytes());
        assert_eq!(
            (error.kind, error.message.as_str(), error.status, error.request_id.as_deref()),
            (expected, message, Some(status), Some("req_1")),
        );
    }
    let details = json!({"error": {"type": "invalid_request_error", "message": "no", "details": {"error_code": "tool_name_conflict"}}});
    let error = error::of_answer(400, &[], details.to_string().as_bytes());
    assert_eq!(error.to_string(), "invalid request: no (tool_name_conflict)");
    let page = error::of_answer(502, &[], b"<html>");
    assert_eq!(page.kind, Kind::Unavailable);
}
