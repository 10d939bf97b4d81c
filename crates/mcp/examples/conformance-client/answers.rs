//! What the client answers where it is asked: it accepts, and takes the defaults that a form has.

use oncue_mcp::{Exchange, Handler, Notification, Raw, Request, RpcError, Told, empty};
use oncue_tools::BoxFuture;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

/// Answers a server of the older era.
pub(crate) struct Accepting;

impl Handler for Accepting {
    fn request<'a>(
        &'a self,
        request: Request,
        _: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>> {
        let answer = match &*request.method {
            "ping" => Ok(empty()),
            method => match answer(method, request.params.as_deref()) {
                Some(answer) => to_raw_value(&answer).map_err(|_| RpcError::internal()),
                None => Err(RpcError::method_not_found(method)),
            },
        };
        Box::pin(std::future::ready(answer))
    }

    fn notification(&self, _: Notification, _: Told) {}
}

/// Returns the answer to a question; nothing where it is none that a client answers.
pub(crate) fn answer(method: &str, params: Option<&RawValue>) -> Option<Value> {
    let params: Value = params.and_then(|raw| serde_json::from_str(raw.get()).ok())?;
    match method {
        "elicitation/create" => {
            let schema = &params["requestedSchema"];
            Some(json!({ "action": "accept", "content": filled(schema) }))
        }
        "sampling/createMessage" => Some(json!({
            "role": "assistant",
            "content": { "type": "text", "text": "An answer" },
            "model": "none",
            "stopReason": "endTurn",
        })),
        "roots/list" => Some(json!({ "roots": [] })),
        _ => None,
    }
}

/// Returns an object that fits a schema: its defaults, and something of the right kind for the rest.
pub(crate) fn filled(schema: &Value) -> Value {
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let value = |schema: &Value| match schema.get("default") {
        Some(default) => default.clone(),
        None => match schema["type"].as_str() {
            Some("integer" | "number") => json!(2),
            Some("boolean") => json!(true),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => schema["enum"].get(0).cloned().unwrap_or_else(|| json!("text")),
        },
    };
    let filled: Map<String, Value> =
        properties.iter().map(|(name, schema)| (name.clone(), value(schema))).collect();
    Value::from(filled)
}
