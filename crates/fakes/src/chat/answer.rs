//! The answer as one object.

use oncue_agent::cache::CacheUse;
use serde_json::{Map, Value, json};

use super::said::{Call, Said};
use crate::Asked;
use crate::openai::model;

/// A time that never passes, in seconds since 1970.
pub(super) const CREATED: u64 = 1_790_000_000;

pub(super) fn answer(asked: &Asked, said: &Said, used: &CacheUse, number: u64) -> Value {
    json!({
        "id": format!("chatcmpl-{number}"),
        "object": "chat.completion",
        "created": CREATED,
        "model": asked.body["model"],
        "choices": [{
            "index": 0,
            "message": message(said),
            "logprobs": null,
            "finish_reason": said.finish,
        }],
        "usage": usage(asked, said, used),
        "service_tier": "default",
        "system_fingerprint": null,
    })
}

fn message(said: &Said) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("content".to_owned(), json!(said.content));
    message.insert("refusal".to_owned(), json!(said.refusal));
    if let Some(reasoning) = &said.reasoning {
        message.insert("reasoning_content".to_owned(), json!(reasoning));
    }
    if !said.calls.is_empty() {
        message.insert("tool_calls".to_owned(), said.calls.iter().map(Call::value).collect());
    }
    message.extend(said.further.clone());
    Value::Object(message)
}

/// Returns the usage. What was read from and written to the cache is part of the prompt's tokens.
pub(super) fn usage(asked: &Asked, said: &Said, used: &CacheUse) -> Value {
    let prompt = used.read + used.written + used.uncached;
    let (thoughts, output) = said.tokens;
    let mut details = json!({ "cached_tokens": used.read, "audio_tokens": 0 });
    if model::tells_cache_writes(asked.body["model"].as_str().unwrap_or_default()) {
        details["cache_write_tokens"] = json!(used.written);
    }
    json!({
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": prompt + output,
        "prompt_tokens_details": details,
        "completion_tokens_details": {
            "reasoning_tokens": thoughts,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    })
}
