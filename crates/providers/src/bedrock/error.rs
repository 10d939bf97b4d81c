//! Exceptions, in answers and in the middle of streams.

use oncue_agent::{ModelError, ModelErrorKind};
use serde_json::Value;

use crate::http::{Failure, header};

/// The header that names the exception.
const KIND: &str = "x-amzn-errortype";

/// How messages about a conversation that is too long begin; the vendor has no other sign of it.
const TOO_LONG: [&str; 2] = ["Input is too long", "prompt is too long"];

/// Reads an answer that is no success.
pub(super) fn of_answer(status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
    let failure = Failure { status, headers, body };
    let body = failure.json();
    let text = |field: &str| body.as_ref()?.get(field)?.as_str();
    let name = header(headers, KIND).or(text("__type"));
    let Some(message) = text("message").or(text("Message")) else { return failure.plain() };
    let kind = name.and_then(|name| kind(name, message)).unwrap_or(failure.kind());
    failure.error(kind, message)
}

/// Reads an exception of a stream: its name and its payload.
pub(super) fn of_exception(name: &str, payload: &str) -> ModelError {
    let said: Option<Value> = serde_json::from_str(payload).ok();
    let said = match &said {
        Some(said) => said.get("message").and_then(Value::as_str).unwrap_or_default(),
        None => payload,
    };
    let message = if said.trim().is_empty() { name } else { said };
    ModelError::new(kind(name, message).unwrap_or(ModelErrorKind::Unavailable), message)
}

/// Returns the kind of an exception; its name may have a namespace in front and an address behind.
fn kind(name: &str, message: &str) -> Option<ModelErrorKind> {
    let name = name.split(':').next().unwrap_or_default();
    let name = name.rsplit('#').next().unwrap_or_default();
    // In streams names begin with a small letter.
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    Some(match name.as_str() {
        "ValidationException" if TOO_LONG.iter().any(|start| message.contains(start)) => {
            ModelErrorKind::ContextFull
        }
        "ValidationException" => ModelErrorKind::InvalidRequest,
        "ThrottlingException" => ModelErrorKind::RateLimited,
        "ServiceQuotaExceededException" => ModelErrorKind::Quota,
        "AccessDeniedException" => ModelErrorKind::Permission,
        "UnrecognizedClientException"
        | "InvalidSignatureException"
        | "IncompleteSignatureException"
        | "MissingAuthenticationTokenException"
        | "ExpiredTokenException" => ModelErrorKind::Authentication,
        "ResourceNotFoundException" => ModelErrorKind::NotFound,
        "ModelTimeoutException" => ModelErrorKind::TimedOut,
        "ModelNotReadyException" => ModelErrorKind::Overloaded,
        "ModelStreamErrorException" => ModelErrorKind::Interrupted,
        "ModelErrorException" | "InternalServerException" | "ServiceUnavailableException" => {
            ModelErrorKind::Unavailable
        }
        _ => return None,
    })
}
