//! The answer as chunks.

use oncue_agent::cache::CacheUse;
use serde_json::{Value, json};

use super::answer::{candidate, frame, usage};
use super::said::Said;
use crate::frame as framing;

/// Returns the chunks: texts in pieces, calls whole, and a last one that ends the reply.
pub(super) fn stream(model: &str, said: &Said, used: &CacheUse, number: u64) -> Vec<Vec<u8>> {
    let mut parts: Vec<Value> = said.parts.iter().flat_map(pieces).collect();
    let last = parts.pop();
    let send =
        |candidate: &Value, usage: Value| framing::data(&frame(model, candidate, usage, number));
    let mut sent: Vec<Vec<u8>> = parts
        .iter()
        .map(|part| send(&candidate(std::slice::from_ref(part), None), so_far(used)))
        .collect();
    let last: Vec<Value> = last.into_iter().collect();
    sent.push(send(&candidate(&last, Some(said)), usage(said, used)));
    sent
}

/// Returns a stream that ends in an error behind its first chunk.
pub(super) fn broken(model: &str, error: &Value, used: &CacheUse, number: u64) -> Vec<Vec<u8>> {
    let first = frame(model, &candidate(&[json!({ "text": "" })], None), so_far(used), number);
    vec![framing::data(&first), framing::data(error)]
}

/// Usage that is known before the end.
fn so_far(used: &CacheUse) -> Value {
    let prompt = used.read + used.written + used.uncached;
    json!({ "promptTokenCount": prompt, "totalTokenCount": prompt })
}

/// Cuts a text into fragments, its signature behind them in a part without text.
fn pieces(part: &Value) -> Vec<Value> {
    let Some(text) = part["text"].as_str() else { return vec![part.clone()] };
    let mut pieces: Vec<Value> = framing::fragments(text)
        .into_iter()
        .map(|fragment| match part["thought"].as_bool() {
            Some(thought) => json!({ "text": fragment, "thought": thought }),
            None => json!({ "text": fragment }),
        })
        .collect();
    if let Some(signature) = part.get("thoughtSignature") {
        pieces.push(json!({ "text": "", "thoughtSignature": signature }));
    }
    pieces
}
