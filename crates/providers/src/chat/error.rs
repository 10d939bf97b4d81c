//! Errors, in answers and in the middle of streams.

use oncue_agent::{ModelError, ModelErrorKind};
use serde_json::Value;

use crate::http::Failure;

/// What servers say of a conversation that is too long where they have no code for it; some have the words in lower case alone.
const TOO_LONG: [&str; 6] = [
    "maximum context length",
    "context window",
    "exceeds the available context size",
    "exceed context limit",
    "prompt is too long",
    "too many tokens in the prompt",
];

/// Reads an answer that is no success.
pub(crate) fn of_answer(status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
    let failure = Failure { status, headers, body };
    let said = failure.json().and_then(|body| said(&body).cloned());
    match said {
        Some(said) => {
            let kind = kind(&said, Some(failure.kind())).unwrap_or(failure.kind());
            failure.error(kind, &message(&said))
        }
        None => failure.plain(),
    }
}

/// Returns the error that an answer is although its status is a success, or that came in a stream.
pub(crate) fn within(answer: &Value) -> Option<ModelError> {
    let has_choices =
        answer.get("choices").and_then(Value::as_array).is_some_and(|c| !c.is_empty());
    let error = answer.get("error").filter(|error| !error.is_null());
    let error = match error {
        Some(_) => said(answer),
        None if !has_choices && string(answer, "object") == Some("error") => Some(answer),
        None => None,
    }?;
    let status =
        error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let status = status.filter(|status| (400..600).contains(status));
    let of_status = status.map(|status| Failure { status, headers: &[], body: b"" }.kind());
    let kind = kind(error, of_status).or(of_status).unwrap_or(ModelErrorKind::Unavailable);
    Some(ModelError { status, ..ModelError::new(kind, message(error)) })
}

/// Returns what is said of an error, an object or a text, in one of the forms that servers have.
fn said(body: &Value) -> Option<&Value> {
    let body = match body {
        Value::Array(list) => list.first()?,
        body => body,
    };
    let error = body.get("error").filter(|error| error.is_object() || error.is_string());
    error.or_else(|| body.get("message").is_some_and(Value::is_string).then_some(body))
}

/// Returns what is said of an error.
pub(crate) fn message(said: &Value) -> String {
    let text = said.as_str().or_else(|| string(said, "message")).or_else(|| string(said, "type"));
    let message = text.unwrap_or("an error without a word");
    match string(said, "param").filter(|param| !param.is_empty()) {
        Some(param) => format!("{message} ({param})"),
        None => message.to_owned(),
    }
}

/// Returns the kind that the vendor's words tell better than the status.
pub(crate) fn kind(said: &Value, of_status: Option<ModelErrorKind>) -> Option<ModelErrorKind> {
    let words = [string(said, "code"), string(said, "type")];
    let told = words.into_iter().flatten().find_map(|word| {
        Some(match word {
            "context_length_exceeded" | "exceed_context_size_error" | "string_above_max_length" => {
                ModelErrorKind::ContextFull
            }
            "insufficient_quota" | "billing_hard_limit_reached" | "billing_not_active" => {
                ModelErrorKind::Quota
            }
            "rate_limit_exceeded" | "rate_limit_error" | "too_many_requests" => {
                ModelErrorKind::RateLimited
            }
            "invalid_api_key" | "authentication_error" => ModelErrorKind::Authentication,
            "model_not_found" | "not_found_error" => ModelErrorKind::NotFound,
            "permission_error" => ModelErrorKind::Permission,
            "overloaded_error" | "server_overloaded" | "engine_overloaded" => {
                ModelErrorKind::Overloaded
            }
            "server_error" | "api_error" | "unavailable_error" | "internal_server_error" => {
                ModelErrorKind::Unavailable
            }
            "invalid_request_error" if of_status.is_none() => ModelErrorKind::InvalidRequest,
            _ => return None,
        })
    });
    let may_be_too_long = match told.or(of_status) {
        None | Some(ModelErrorKind::InvalidRequest | ModelErrorKind::Unavailable) => true,
        Some(_) => false,
    };
    let text = message(said).to_lowercase();
    match may_be_too_long && TOO_LONG.iter().any(|words| text.contains(words)) {
        true => Some(ModelErrorKind::ContextFull),
        false => told,
    }
}

fn string<'v>(value: &'v Value, field: &str) -> Option<&'v str> {
    value.get(field).and_then(Value::as_str)
}
