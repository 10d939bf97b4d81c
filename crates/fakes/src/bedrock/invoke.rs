//! The door of Bedrock to a vendor's own bodies, with the Messages API behind it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::{Value, json};

use super::{auth, error, frame, path};
use crate::anthropic::{Door, Messages};
use crate::limits::RUNTIME_BODY_BYTES_MAX;
use crate::{Asked, Failure, Glance, Refusal, Scripted, Wire};

/// `POST /model/{id}/invoke` and `…/invoke-with-response-stream` with bodies of the Messages API.
#[derive(Debug)]
pub struct BedrockInvoke {
    messages: Messages,
}

impl Default for BedrockInvoke {
    fn default() -> Self {
        Self { messages: Messages::behind(Door::Invoke) }
    }
}

/// Puts a refusal of the vendor in the words of the cloud.
fn translated(refusal: Refusal) -> Refusal {
    match refusal.status {
        404 => error::invalid("The provided model identifier is invalid."),
        _ => error::invalid(refusal.message),
    }
}

impl Wire for BedrockInvoke {
    fn name(&self) -> &'static str {
        "bedrock-invoke"
    }

    fn serves(&self, path: &str) -> bool {
        path::does(path, &["invoke", "invoke-with-response-stream"])
    }

    fn check(&self, asked: &Asked) -> Result<(), Refusal> {
        auth::check(asked)?;
        if asked.body.to_string().len() > RUNTIME_BODY_BYTES_MAX {
            return Err(error::invalid("Input is too long for requested model."));
        }
        self.messages.check(asked).map_err(translated)
    }

    fn prompt(&self, asked: &Asked) -> Prompt {
        self.messages.prompt(asked)
    }

    fn cache_rules(&self, asked: &Asked) -> CacheRules {
        self.messages.cache_rules(asked)
    }

    fn cache_key(&self, asked: &Asked) -> String {
        auth::caller(asked)
    }

    fn streams(&self, asked: &Asked) -> bool {
        asked.path.ends_with("/invoke-with-response-stream")
    }

    fn answer(&self, asked: &Asked, scripted: &Scripted, used: &CacheUse, number: u64) -> Value {
        self.messages.answer(asked, scripted, used, number)
    }

    fn stream(
        &self,
        asked: &Asked,
        scripted: &Scripted,
        used: &CacheUse,
        number: u64,
    ) -> Vec<Vec<u8>> {
        let failure = |failed: &Failure| self.failure(failed);
        let mut events = self.messages.events(asked, scripted, used, number, failure);
        if let Scripted::Error(failed) = scripted {
            let refusal = self.failure(failed);
            // The vendor's own event gives way to the cloud's exception.
            events.pop();
            let ending = frame::exception(&error::in_stream(&refusal), &error::body(&refusal));
            return events.iter().map(chunk).chain([ending]).collect();
        }
        let output = events.iter().find_map(|event| {
            // Only the last event but one has the final count.
            event.get("delta")?.get("stop_reason")?;
            event.get("usage")?.get("output_tokens").cloned()
        });
        if let Some(last) = events.last_mut().and_then(Value::as_object_mut) {
            let metrics = json!({
                "inputTokenCount": used.uncached,
                "outputTokenCount": output,
                "invocationLatency": 1,
                "firstByteLatency": 1,
                "cacheReadInputTokenCount": used.read,
                "cacheWriteInputTokenCount": used.written,
            });
            last.insert("amazon-bedrock-invocationMetrics".to_owned(), metrics);
        }
        events.iter().map(chunk).collect()
    }

    fn stream_type(&self) -> &'static str {
        frame::MEDIA_TYPE
    }

    fn headers(&self, asked: &Asked, number: u64) -> Vec<(&'static str, String)> {
        super::converse::request_headers(asked, number)
    }

    fn error_kind(&self, status: u16) -> &'static str {
        error::exception(status)
    }

    fn error(&self, refusal: &Refusal, _: u64) -> Value {
        error::body(refusal)
    }

    fn error_headers(&self, refusal: &Refusal) -> Vec<(&'static str, String)> {
        error::headers(refusal)
    }

    fn glance(&self, asked: &Asked) -> Option<Glance> {
        self.messages.glance(asked)
    }
}

/// Wraps an event of the vendor.
fn chunk(event: &Value) -> Vec<u8> {
    let bytes = STANDARD.encode(event.to_string());
    frame::event("chunk", &json!({ "bytes": bytes, "p": "abcdefgh" }))
}
