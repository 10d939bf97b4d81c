//! Google's refusals in Google's words.

use serde_json::{Value, json};

use crate::{Failure, Refusal};

/// A request that is wrong in itself.
pub(super) fn invalid(message: impl Into<String>) -> Refusal {
    Refusal::new(400, status(400), message)
}

/// A field that breaks a rule of the message that it is part of.
pub(super) fn broken(path: &str, problem: &str) -> Refusal {
    invalid(format!("* GenerateContentRequest.{path}: {problem}\n"))
}

/// A field that nobody knows; `path` names what it stands in, empty for the request.
pub(super) fn unknown(path: &str, key: &str) -> Refusal {
    let at = if path.is_empty() { String::new() } else { format!(" at '{path}'") };
    let problem = format!("Unknown name \"{key}\"{at}: Cannot find field.");
    unreadable(path, &problem)
}

/// A value that is not of its field's type.
pub(super) fn wrong_value(path: &str, kind: &str, got: &Value) -> Refusal {
    unreadable(path, &format!("Invalid value at '{path}' ({kind}), {got}"))
}

/// A list where one value stands.
pub(super) fn repeated(path: &str, key: &str) -> Refusal {
    let problem = format!(
        "Unknown name \"{key}\" at '{path}': Proto field is not repeating, cannot start list."
    );
    unreadable(path, &problem)
}

/// A body that cannot be read as a request.
fn unreadable(path: &str, problem: &str) -> Refusal {
    let message = match problem.starts_with("Unknown name") {
        true => format!("Invalid JSON payload received. {problem}"),
        false => problem.to_owned(),
    };
    invalid(message.clone()).with("field", path).with("description", message)
}

/// Returns Google's word for a status.
pub(super) fn status(status: u16) -> &'static str {
    match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        409 => "ABORTED",
        429 => "RESOURCE_EXHAUSTED",
        499 => "CANCELLED",
        500 => "INTERNAL",
        501 => "UNIMPLEMENTED",
        503 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        _ => "UNKNOWN",
    }
}

/// Returns a refusal that stands for a scripted failure.
pub(super) fn failure(failure: &Failure) -> Refusal {
    let message = match failure.status {
        403 => "Your API key was reported as leaked. Please use another API key.",
        404 => {
            "models/none is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods."
        }
        429 => "You exceeded your current quota, please check your plan and billing details.",
        500 => {
            "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"
        }
        503 => "The model is overloaded. Please try again later.",
        504 => "The request timed out. Please try again.",
        _ => "The request failed.",
    };
    let refusal = Refusal::new(
        failure.status,
        failure.kind.as_deref().unwrap_or(status(failure.status)),
        failure.message.as_deref().unwrap_or(message),
    );
    match failure.retry_after {
        Some(wait) => refusal.with("retryDelay", format!("{}s", wait.as_secs_f64())),
        None => refusal,
    }
}

/// Returns the body of an error.
pub(super) fn error(refusal: &Refusal) -> Value {
    let detail = |wanted: &str| {
        let mut details = refusal.details.iter().filter(|(detail, _)| detail == wanted);
        details.next().map(|(_, value)| value.as_str())
    };
    let mut details = Vec::new();
    if let Some(description) = detail("description") {
        let violation = match detail("field") {
            None | Some("") => json!({ "description": description }),
            Some(field) => json!({ "field": field, "description": description }),
        };
        details.push(json!({
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [violation],
        }));
    }
    if let Some(delay) = detail("retryDelay") {
        details.push(json!({
            "@type": "type.googleapis.com/google.rpc.RetryInfo",
            "retryDelay": delay,
        }));
    }
    let mut error = json!({
        "code": refusal.status,
        "message": refusal.message,
        "status": refusal.kind,
    });
    if !details.is_empty() {
        error["details"] = json!(details);
    }
    json!({ "error": error })
}
