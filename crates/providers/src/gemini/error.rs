//! Errors, in answers and in the middle of streams.

use std::time::Duration;

use oncue_agent::{ModelError, ModelErrorKind};
use serde_json::Value;

use crate::http::Failure;

/// What the vendor says of a conversation that is too long; it has no other sign of it.
const TOO_LONG: &str = "exceeds the maximum number of tokens";

/// What the vendor says of keys in `reason`, although its status calls the request invalid.
const BAD_KEYS: [&str; 2] = ["API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED"];

/// Reads an answer that is no success.
pub(super) fn of_answer(status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
    let failure = Failure { status, headers, body };
    let body = failure.json();
    match body.as_ref().and_then(said) {
        Some(said) => {
            let error = failure.error(kind(said).unwrap_or(failure.kind()), message(said));
            ModelError { retry_after: retry_after(said), ..error }
        }
        None => failure.plain(),
    }
}

/// Returns the error that an answer is although its status is a success, or that came in a stream.
pub(super) fn within(answer: &Value) -> Option<ModelError> {
    let said = said(answer)?;
    let kind = kind(said).unwrap_or(ModelErrorKind::Unavailable);
    let status = said.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let retry_after = retry_after(said);
    Some(ModelError { status, retry_after, ..ModelError::new(kind, message(said)) })
}

/// Returns what is said of an error; some answers are lists of pieces.
fn said(body: &Value) -> Option<&Value> {
    let body = match body {
        Value::Array(pieces) => pieces.iter().find(|piece| piece.get("error").is_some())?,
        body => body,
    };
    body.get("error").filter(|error| error.is_object())
}

fn message(said: &Value) -> &str {
    let text = |field: &str| said.get(field).and_then(Value::as_str);
    text("message").or(text("status")).unwrap_or("an error without a word")
}

fn kind(said: &Value) -> Option<ModelErrorKind> {
    let mut reasons = details(said).filter_map(|detail| detail.get("reason")?.as_str());
    if reasons.any(|reason| BAD_KEYS.contains(&reason)) {
        return Some(ModelErrorKind::Authentication);
    }
    Some(match said.get("status").and_then(Value::as_str)? {
        "INVALID_ARGUMENT" if message(said).contains(TOO_LONG) => ModelErrorKind::ContextFull,
        "INVALID_ARGUMENT" | "OUT_OF_RANGE" | "UNIMPLEMENTED" => ModelErrorKind::InvalidRequest,
        "UNAUTHENTICATED" => ModelErrorKind::Authentication,
        "PERMISSION_DENIED" => ModelErrorKind::Permission,
        "NOT_FOUND" => ModelErrorKind::NotFound,
        "RESOURCE_EXHAUSTED" if is_daily(said) => ModelErrorKind::Quota,
        "RESOURCE_EXHAUSTED" => ModelErrorKind::RateLimited,
        "CANCELLED" | "ABORTED" => ModelErrorKind::Interrupted,
        "DEADLINE_EXCEEDED" => ModelErrorKind::TimedOut,
        "UNAVAILABLE" => ModelErrorKind::Overloaded,
        "INTERNAL" | "UNKNOWN" => ModelErrorKind::Unavailable,
        _ => return None,
    })
}

/// Says whether the quota of a day is used up, which no short wait gives back.
fn is_daily(said: &Value) -> bool {
    let violations = details(said).filter_map(|detail| detail.get("violations")?.as_array());
    let mut ids = violations.flatten().filter_map(|violation| violation.get("quotaId")?.as_str());
    ids.any(|id| id.contains("PerDay"))
}

/// Returns how long the vendor wants to be left alone: seconds as a text, such as `3.5s`.
fn retry_after(said: &Value) -> Option<Duration> {
    let mut delays = details(said).filter_map(|detail| detail.get("retryDelay")?.as_str());
    let seconds = delays.next()?.strip_suffix('s')?.parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn details(said: &Value) -> impl Iterator<Item = &Value> {
    said.get("details").and_then(Value::as_array).into_iter().flatten()
}
