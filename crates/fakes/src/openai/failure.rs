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
    let code = code.map(|code| ("code".to_owned(), code.to_owned()));
    Refusal {
        status: failure.status,
        kind: kind.to_owned(),
        message: message.to_owned(),
        details: code.into_iter().collect(),
    }
}

/// Returns the fields of an error; a refusal without words has those of its status.
pub(crate) fn fields(refusal: &Refusal) -> Value {
    let (kind, code, message) = words(refusal.status);
    let detail = |name: &str| {
        refusal.details.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    };
    let given = |text: &str, otherwise: &str| match text {
        "" => otherwise.to_owned(),
        text => text.to_owned(),
    };
    let code = if refusal.kind.is_empty() { detail("code").or(code) } else { detail("code") };
    json!({
        "message": given(&refusal.message, message),
        "type": given(&refusal.kind, kind),
        "param": detail("param"),
        "code": code,
    })
}
