//! What whole answers mean.

use oncue_agent::cache::MissReason;
use oncue_agent::conversation::{Part, Raw};
use oncue_agent::{Disclosure, Finish, ModelErrorKind as Kind, Reply, Usage};
use serde_json::{Value, json};

use super::super::Responses;
use super::{endpoint, names};
use crate::samples::{call, text};
use crate::wire::Wire;

fn decode(answer: Value) -> Result<Reply, (Kind, String)> {
    let wire = Responses::new(endpoint(Disclosure::ClientSearch));
    wire.decode(answer, &names()).map_err(|error| (error.kind, error.message))
}

fn said(part: &Value) -> Value {
    json!({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]})
}

#[test]
fn items_become_parts_in_their_order() {
    let output = json!([
        {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}], "encrypted_content": "gA"},
        {"id": "rs_2", "type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Open."}]},
        {"id": "rs_3", "type": "reasoning", "summary": []},
        said(&json!({"type": "output_text", "text": "I look.", "annotations": []})),
        {"id": "tsc_1", "type": "tool_search_call", "call_id": "call_1", "execution": "client", "status": "completed", "arguments": {"query": "stop", "max_results": 3}},
        {"id": "tsc_2", "type": "tool_search_call", "call_id": null, "execution": "server", "status": "completed", "arguments": {}},
        {"id": "fc_1", "type": "function_call", "call_id": "call_2", "name": "readTable", "arguments": "{\"table\": \"a\"}", "namespace": "tables"},
        {"id": "xx", "type": "unheard_of"},
    ]);
    let answer = json!({
        "id": "resp_1", "object": "response", "status": "completed", "error": null, "output": output,
        "usage": {"input_tokens": 2000, "input_tokens_details": {"cached_tokens": 1536, "cache_write_tokens": 400}, "output_tokens": 30, "output_tokens_details": {"reasoning_tokens": 20}},
        "prompt_cache_diagnostics": {"type": "cache_miss", "reason": "tools_changed", "cache_missed_tokens": 9},
    });
    let thought = |text: &str| Part::Reasoning { text: text.to_owned() };
    assert_eq!(
        decode(answer),
        Ok(Reply {
            losses: Vec::new(),
            parts: vec![
                thought("One.\n\nTwo."),
                thought("Open."),
                text("I look."),
                call("call_1", "search", r#"{"query":"stop","max_results":3}"#),
                call("call_2", "readTable", r#"{"table": "a"}"#),
            ],
            raw: Some(Raw {
                wire: "responses".to_owned(),
                value: json!({"id": "resp_1", "output": output})
            }),
            finish: Finish::Done,
            usage: Usage { uncached: 64, cache_read: 1536, cache_write: 400, output: 30 },
            cache_miss: Some(MissReason::ToolsChanged),
        })
    );
}

#[test]
fn the_end_of_a_reply_has_a_reason() {
    let finish = |status: &str, reason: Value, part: Value| {
        let answer =
            json!({"status": status, "incomplete_details": reason, "output": [said(&part)]});
        let reply = decode(answer).unwrap();
        (reply.finish, reply.parts)
    };
    let plain = || json!({"type": "output_text", "text": "a"});
    assert_eq!(finish("completed", json!(null), plain()), (Finish::Done, vec![text("a")]));
    assert_eq!(
        finish("incomplete", json!({"reason": "max_output_tokens"}), plain()).0,
        Finish::Length
    );
    assert_eq!(
        finish("incomplete", json!({"reason": "content_filter"}), plain()).0,
        Finish::Refused
    );
    let refusal = json!({"type": "refusal", "refusal": "I will not."});
    assert_eq!(
        finish("completed", json!(null), refusal),
        (Finish::Refused, vec![text("I will not.")])
    );
}

#[test]
fn what_failed_or_is_no_response_is_an_error() {
    let rows = [
        (
            json!({"status": "failed", "error": {"code": "server_error", "message": "no"}, "output": []}),
            Kind::Unavailable,
            "no",
        ),
        (
            json!({"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "slow"}}),
            Kind::RateLimited,
            "slow",
        ),
        (
            json!({"status": "failed", "error": {"code": "invalid_prompt", "message": "bad"}}),
            Kind::InvalidRequest,
            "bad",
        ),
        (
            json!({"status": "failed", "error": {"code": "image_too_large", "message": "big"}}),
            Kind::InvalidRequest,
            "big",
        ),
        (
            json!({"status": "failed", "error": null}),
            Kind::Unavailable,
            "the response failed, and does not say why",
        ),
        (
            json!({"status": "in_progress", "output": []}),
            Kind::Malformed,
            "the response has the status `in_progress`",
        ),
        (
            json!({"error": {"message": "no", "type": "invalid_request_error", "code": null}}),
            Kind::InvalidRequest,
            "no",
        ),
        (
            json!({"status": "completed"}),
            Kind::Malformed,
            "the answer is no response: it has no output",
        ),
        (json!([]), Kind::Malformed, "the answer is no response: it has no output"),
    ];
    for (answer, kind, message) in rows {
        assert_eq!(decode(answer.clone()), Err((kind, message.to_owned())), "{answer}");
    }
}

#[test]
fn refusals_over_http_have_kinds() {
    let wire = Responses::new(endpoint(Disclosure::ClientSearch));
    let body = br#"{"error":{"message":"Tool 'tool_search' is not supported with gpt-4.1.","type":"invalid_request_error","param":"tools","code":null}}"#;
    let error = wire.error(400, &[], body);
    assert_eq!(
        error.to_string(),
        "invalid request: Tool 'tool_search' is not supported with gpt-4.1. (tools)"
    );
}
