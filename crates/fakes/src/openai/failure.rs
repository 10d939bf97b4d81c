//! Failures of the server in OpenAI's form.

use serde_json::{Value, json};

use crate::{Failure, Refusal};

/// The kind, the code and the message of a failure with this status.
fn words(status: u16) -> (&'static str, Option<&'static str>, &'static str) {
    match status {
        401 => (
            "invalid_request_error",
            Some("invalid_api_key"),
            "Incorrect API key provided: fake. You can find your API key at https://platform.openai.com/account/api-keys.",
        ),
        403 => (
            "invalid_request_error",
            Some("unsupported_country_region_territory"),
            "Country, region, or territory not supported",
        ),
        404 => (
            "invalid_request_error",
            Some("model_not_found"),
            "The model does not exist or you do not have access to it.",
        ),
        429 => (
            "tokens",
            Some("rate_limit_exceeded"),
            "Rate limit reached for requests. Please try again later. Visit https://platform.openai.com/account/rate-limits to learn more.",
        ),
        503 => (
            "service_unavailable_error",
            Some("server_is_overloaded"),
            "Our servers are currently overloaded. Please try again later.",
        ),
        500.. => (
            "server_error",
            None,
            "The server had an error while processing your request. Sorry about that!",
        ),
        _ => ("invalid_request_error", None, "The request is invalid."),
    }
}

/// Returns a refusal that stands for the failure.
pub(crate) fn refusal(failure: &Failure) -> Refusal {
    let (kind, code, message) = words(failure.status);
    let refusal = Refusal::new(
        failure.status,
        failure.kind.as_deref().unwrap_or(kind),
        failure.message.as_deref().unwrap_or(message),
    );
    match code.filter(|_| failure.kind.is_none()) {
        Some(code) => refusal.with("code", code),
        None => refusal,
    }
}

/// Returns the kind of an error with this status.
pub(crate) fn kind(status: u16) -> &'static str {
    words(status).0
}

/// Returns the fields of an error.
pub(crate) fn fields(refusal: &Refusal) -> Value {
    let detail = |wanted: &str| {
        let mut details = refusal.details.iter().filter(|(detail, _)| detail == wanted);
        details.next().map(|(_, value)| value.as_str())
    };
    json!({
        "message": refusal.message,
        "type": refusal.kind,
        "param": detail("param"),
        "code": detail("code"),
    })
}
