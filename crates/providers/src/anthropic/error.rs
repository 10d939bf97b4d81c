//! Errors, in answers and in the middle of streams.

use oncue_agent::{ModelError, ModelErrorKind};
use serde_json::Value;

use crate::http::Failure;

/// How the message about a conversation that is too long begins; the vendor has no other sign of it.
const TOO_LONG: &str = "prompt is too long";

/// Reads an answer that is no success.
pub(super) fn of_answer(status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
    let failure = Failure { status, headers, body };
    let Some(body) = failure.json() else { return failure.plain() };
    let Some(said) = body.get("error").filter(|said| said.is_object()) else {
        return failure.plain();
    };
    let kind = kind(said).unwrap_or(failure.kind());
    let id = body.get("request_id").and_then(Value::as_str).map(str::to_owned);
    ModelError { request_id: id, ..failure.error(kind, &message(said)) }
}

/// Reads the error of an answer that pretends to be a success, or that came in a stream.
pub(super) fn of_value(said: &Value) -> ModelError {
    ModelError::new(kind(said).unwrap_or(ModelErrorKind::Unavailable), message(said))
}

fn message(said: &Value) -> String {
    let text = |pointer: &str| said.pointer(pointer).and_then(Value::as_str);
    let message = text("/message").or(text("/type")).unwrap_or("an error without a word");
    match text("/details/error_code") {
        Some(code) => format!("{message} ({code})"),
        None => message.to_owned(),
    }
}

fn kind(said: &Value) -> Option<ModelErrorKind> {
    let text = |field: &str| said.get(field).and_then(Value::as_str);
    Some(match text("type")? {
        "invalid_request_error" if text("message").is_some_and(|m| m.starts_with(TOO_LONG)) => {
            ModelErrorKind::ContextFull
        }
        "invalid_request_error" | "request_too_large" => ModelErrorKind::InvalidRequest,
        "authentication_error" => ModelErrorKind::Authentication,
        "billing_error" => ModelErrorKind::Quota,
        "permission_error" => ModelErrorKind::Permission,
        "not_found_error" => ModelErrorKind::NotFound,
        "rate_limit_error" => ModelErrorKind::RateLimited,
        "timeout_error" => ModelErrorKind::TimedOut,
        "overloaded_error" => ModelErrorKind::Overloaded,
        "api_error" => ModelErrorKind::Unavailable,
        _ => return None,
    })
}
