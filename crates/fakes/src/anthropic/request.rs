//! A request to the Messages API as its rules and its cache look at it, whichever door it came through.

use serde_json::{Map, Value};

use super::Door;
use super::betas::Betas;
use super::models::{ModelRow, model};
use crate::{Asked, Refusal, read};

/// The first version of the protocol that was kept.
pub(super) const FIRST_VERSION: &str = "2023-06-01";

/// The version that knows no sampling, and no citations of the user's.
pub(super) const SECOND_VERSION: &str = "2026-10-21";

/// A request whose headers are in order.
pub(super) struct Request<'a> {
    pub(super) body: &'a Map<String, Value>,
    pub(super) betas: Betas,
    /// The model as the request names it.
    pub(super) model_name: String,
    pub(super) model: &'static ModelRow,
    pub(super) door: Door,
    /// Whether it speaks the second version of the protocol.
    pub(super) is_second_version: bool,
}

/// A refusal of something that the client can mend.
pub(super) fn invalid(message: impl Into<String>) -> Refusal {
    Refusal::new(400, "invalid_request_error", message)
}

/// Returns a text field; empty where it is absent.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    read::text(value.get(name))
}

impl<'a> Request<'a> {
    /// Reads what the request says outside its conversation.
    pub(super) fn of(asked: &'a Asked, door: Door) -> Result<Self, Refusal> {
        let Some(body) = asked.body.as_object() else {
            return Err(invalid("Input should be a valid dictionary"));
        };
        let names: Vec<&str> = match door {
            Door::Direct => asked
                .headers
                .iter()
                .filter(|(header, _)| header == "anthropic-beta")
                .flat_map(|(_, value)| value.split(','))
                .collect(),
            Door::Invoke => {
                read::list(body.get("anthropic_beta")).iter().filter_map(Value::as_str).collect()
            }
        };
        let betas = Betas::of(names).map_err(|unknown| match door {
            Door::Direct => invalid(format!(
                "Unexpected value(s) `{unknown}` for the `anthropic-beta` header. Please consult our documentation or try again without the header."
            )),
            Door::Invoke => invalid("invalid beta flag"),
        })?;
        if door == Door::Invoke && betas.inline_tools {
            return Err(invalid("invalid beta flag"));
        }
        let model_name = match door {
            Door::Direct => match body.get("model") {
                Some(Value::String(name)) => name.clone(),
                Some(_) => return Err(invalid("model: Input should be a valid string")),
                None => return Err(invalid("model: Field required")),
            },
            Door::Invoke => crate::bedrock::vendor_model(&asked.path),
        };
        let Some(model) = model(&model_name) else {
            let message = format!("model: {model_name}");
            return Err(Refusal::new(404, "not_found_error", message));
        };
        let is_second_version = asked.header("anthropic-version") == Some(SECOND_VERSION);
        Ok(Self { body, betas, model_name, model, door, is_second_version })
    }

    pub(super) fn tools(&self) -> &'a [Value] {
        read::list(self.body.get("tools"))
    }

    pub(super) fn messages(&self) -> &'a [Value] {
        read::list(self.body.get("messages"))
    }
}

/// Says whether a tool is hidden until something shows it.
pub(super) fn is_deferred(tool: &Value) -> bool {
    tool.get("defer_loading").and_then(Value::as_bool).unwrap_or_default()
}

/// Returns the blocks of a message; none where its content is a text.
pub(super) fn blocks(message: &Value) -> &[Value] {
    read::list(message.get("content"))
}
