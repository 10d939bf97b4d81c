//! What goes wrong, in the words of many servers.

use oncue_agent::{Disclosure, ModelErrorKind as Kind};

use super::super::Chat;
use super::endpoint;
use crate::wire::Wire;

/// Statuses and bodies, with the kind and the words of the error that they are.
const ROWS: [(u16, &str, Kind, &str); 17] = [
    (
        400,
        r#"{"error":{"message":"Invalid 'tools': array too long.","type":"invalid_request_error","param":"tools","code":"array_above_max_length"}}"#,
        Kind::InvalidRequest,
        "Invalid 'tools': array too long. (tools)",
    ),
    (
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        Kind::ContextFull,
        "This model's maximum context length is 8192 tokens. (messages)",
    ),
    (
        401,
        r#"{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}"#,
        Kind::Authentication,
        "Incorrect API key provided.",
    ),
    (
        429,
        r#"{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","code":"insufficient_quota"}}"#,
        Kind::Quota,
        "You exceeded your current quota.",
    ),
    (
        429,
        r#"{"error":{"message":"Rate limit reached.","type":"requests","code":"rate_limit_exceeded"}}"#,
        Kind::RateLimited,
        "Rate limit reached.",
    ),
    (
        404,
        r#"{"error":{"message":"The model `x` does not exist.","type":"invalid_request_error","code":"model_not_found"}}"#,
        Kind::NotFound,
        "The model `x` does not exist.",
    ),
    (
        500,
        r#"{"error":{"message":"The server had an error.","type":"server_error"}}"#,
        Kind::Unavailable,
        "The server had an error.",
    ),
    // Ollama.
    (404, r#"{"error":"model 'x' not found"}"#, Kind::NotFound, "model 'x' not found"),
    (
        400,
        r#"{"error":{"message":"x does not support tools","type":"api_error","param":null,"code":null}}"#,
        Kind::Unavailable,
        "x does not support tools",
    ),
    // llama.cpp.
    (
        400,
        r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}"#,
        Kind::ContextFull,
        "the request exceeds the available context size",
    ),
    (
        503,
        r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
        Kind::Unavailable,
        "Loading model",
    ),
    // vLLM, of two ages.
    (
        400,
        r#"{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","param":null,"code":400}"#,
        Kind::ContextFull,
        "This model's maximum context length is 4096 tokens.",
    ),
    (
        400,
        r#"{"error":{"message":"\"auto\" tool choice requires --enable-auto-tool-choice","type":"BadRequestError","param":null,"code":400}}"#,
        Kind::InvalidRequest,
        "\"auto\" tool choice requires --enable-auto-tool-choice",
    ),
    // Gemini's compatible endpoint.
    (
        400,
        r#"[{"error":{"code":400,"message":"Invalid JSON payload","status":"INVALID_ARGUMENT"}}]"#,
        Kind::InvalidRequest,
        "Invalid JSON payload",
    ),
    // No JSON.
    (
        502,
        "<html><title>Bad Gateway</title></html>",
        Kind::Unavailable,
        "status 502 with a web page titled `Bad Gateway`; is the address right, or is a proxy in between?",
    ),
    (404, "404 page not found", Kind::NotFound, "404 page not found"),
    (429, "", Kind::RateLimited, "status 429 without a word; is the address right?"),
];

#[test]
fn errors_have_kinds_and_words() {
    let wire = Chat::new(endpoint(Disclosure::Append));
    for (status, body, kind, message) in ROWS {
        let error = wire.error(status, &[], body.as_bytes());
        assert_eq!(
            (error.kind, error.message.as_str(), error.status),
            (kind, message, Some(status)),
            "{body}"
        );
    }
}
