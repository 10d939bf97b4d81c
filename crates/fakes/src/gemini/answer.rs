//! The answer as one object.

use oncue_agent::cache::CacheUse;
use serde_json::{Value, json};

use super::said::Said;

pub(super) fn answer(model: &str, said: &Said, used: &CacheUse, number: u64) -> Value {
    frame(model, &candidate(&said.parts, Some(said)), usage(said, used), number)
}

/// Returns one answer or one chunk of it.
pub(super) fn frame(model: &str, candidate: &Value, usage: Value, number: u64) -> Value {
    let mut frame = json!({ "candidates": [candidate] });
    frame["usageMetadata"] = usage;
    frame["modelVersion"] = json!(model);
    frame["responseId"] = json!(format!("response-{number}"));
    frame
}

/// Returns a candidate with these parts; with `said` it ends.
pub(super) fn candidate(parts: &[Value], said: Option<&Said>) -> Value {
    let mut candidate = json!({ "content": { "role": "model" } });
    if !parts.is_empty() {
        candidate["content"] = json!({ "parts": parts, "role": "model" });
    }
    if let Some(said) = said {
        candidate["finishReason"] = json!(said.finish);
        if let Some(message) = &said.message {
            candidate["finishMessage"] = json!(message);
        }
        if said.finish == "SAFETY" {
            candidate["safetyRatings"] = json!([{
                "category": "HARM_CATEGORY_DANGEROUS_CONTENT",
                "probability": "HIGH",
                "blocked": true,
            }]);
        }
    }
    candidate["index"] = json!(0);
    candidate
}

/// Returns the usage. What was read from the cache is part of the prompt's tokens, and thoughts are apart from the rest.
pub(super) fn usage(said: &Said, used: &CacheUse) -> Value {
    let prompt = used.read + used.written + used.uncached;
    let (thoughts, all) = said.tokens;
    let mut usage = json!({
        "promptTokenCount": prompt,
        "candidatesTokenCount": all - thoughts,
        "totalTokenCount": prompt + all,
        "promptTokensDetails": [{ "modality": "TEXT", "tokenCount": prompt }],
    });
    if used.read > 0 {
        usage["cachedContentTokenCount"] = json!(used.read);
        usage["cacheTokensDetails"] = json!([{ "modality": "TEXT", "tokenCount": used.read }]);
    }
    if thoughts > 0 {
        usage["thoughtsTokenCount"] = json!(thoughts);
    }
    usage
}
