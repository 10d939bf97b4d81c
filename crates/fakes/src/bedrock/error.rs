//! Errors of the runtime: the exceptions of its model, in a header and in streams.

use serde_json::{Value, json};

use crate::Refusal;

/// Returns the exception of a status.
pub(super) const fn exception(status: u16) -> &'static str {
    match status {
        401 | 403 => "AccessDeniedException",
        404 => "ResourceNotFoundException",
        408 => "ModelTimeoutException",
        424 => "ModelErrorException",
        429 => "ThrottlingException",
        503 => "ServiceUnavailableException",
        400..500 => "ValidationException",
        _ => "InternalServerException",
    }
}

/// A refusal of a request that is not valid.
pub(super) fn invalid(message: impl Into<String>) -> Refusal {
    Refusal::new(400, exception(400), message)
}

/// Returns the exception's name without what servers append to it.
fn kind(refusal: &Refusal) -> &str {
    match refusal.kind.as_str() {
        "" => exception(refusal.status),
        kind => kind,
    }
}

/// Returns the header that names the exception, with the appendix that the real server gives it.
pub(super) fn headers(refusal: &Refusal) -> Vec<(&'static str, String)> {
    let appendix = "http://internal.amazon.com/coral/com.amazon.bedrock/";
    vec![("x-amzn-errortype", format!("{}:{appendix}", kind(refusal)))]
}

/// Returns the body of an error.
pub(super) fn body(refusal: &Refusal) -> Value {
    json!({ "message": refusal.message })
}

/// Returns the name of the exception in a stream, which begins in lower case.
pub(super) fn in_stream(refusal: &Refusal) -> String {
    let name = match refusal.status {
        // A stream knows an exception of its own for a model that fails.
        424 => "ModelStreamErrorException",
        _ => kind(refusal),
    };
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}
