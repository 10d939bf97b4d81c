//! Errors in responses and in the middle of streams; those of other answers have the form of Chat Completions.

use oncue_agent::{ModelError, ModelErrorKind};
use serde_json::Value;

use crate::chat;

/// Returns the error of a response that failed.
pub(super) fn of_response(response: &Value) -> Option<ModelError> {
    let has_failed = response.get("status").is_some_and(|status| status == "failed");
    let said = response.get("error").filter(|said| said.is_object());
    match said {
        Some(said) if has_failed => Some(of_value(said)),
        None if has_failed => {
            let what = "the response failed, and does not say why";
            Some(ModelError::new(ModelErrorKind::Unavailable, what))
        }
        Some(_) | None => None,
    }
}

/// Returns the error of an event, which has the error in it or is the error itself.
pub(super) fn of_event(event: &Value) -> ModelError {
    of_value(event.get("error").filter(|said| said.is_object()).unwrap_or(event))
}

fn of_value(said: &Value) -> ModelError {
    let kind = chat::error::kind(said, None).unwrap_or_else(|| {
        let code = said.get("code").and_then(Value::as_str).unwrap_or_default();
        // What is wrong with the prompt or a picture in it will be wrong again.
        let is_ours = ["invalid", "image", "policy"].iter().any(|word| code.contains(word));
        if is_ours { ModelErrorKind::InvalidRequest } else { ModelErrorKind::Unavailable }
    });
    ModelError::new(kind, chat::error::message(said))
}
