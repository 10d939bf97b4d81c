//! Replies of Converse.

use oncue_agent::cache::CacheUse;
use serde_json::{Map, Value, json};

use crate::anthropic::{Sent, signature};
use crate::tokens::tokens;
use crate::{Asked, Piece, Scripted};

/// A reply, before it is one answer or many events.
pub(super) struct Reply {
    /// The blocks of the message.
    pub(super) content: Vec<Value>,
    /// By block: the text of the arguments of a call, as the model wrote it.
    pub(super) inputs: Vec<String>,
    pub(super) stop_reason: &'static str,
    pub(super) usage: Value,
    /// Whether the last block was cut off.
    pub(super) is_cut: bool,
}

impl Reply {
    /// Returns the whole answer.
    pub(super) fn value(&self) -> Value {
        json!({
            "output": { "message": { "role": "assistant", "content": self.content } },
            "stopReason": self.stop_reason,
            "usage": self.usage,
            "metrics": { "latencyMs": 1 },
        })
    }
}

/// Returns the reply that the script wants.
pub(super) fn reply(
    asked: &Asked,
    sent: &Sent,
    scripted: &Scripted,
    used: &CacheUse,
    number: u64,
) -> Reply {
    let (pieces, is_cut) = match scripted {
        Scripted::CutOff(pieces) => (Piece::cut_off(pieces), true),
        Scripted::Reply(pieces) | Scripted::Broken { pieces, .. } => (pieces.clone(), false),
        Scripted::Refusal(why) => (vec![Piece::Text(why.clone())], false),
        Scripted::Error(_) => (Vec::new(), false),
    };
    let (mut content, mut inputs) = (Vec::new(), Vec::new());
    let mut is_malformed = false;
    for piece in &pieces {
        let id = format!("tooluse_{number:012}_{}", content.len());
        let (block, input) = match piece {
            Piece::Text(text) => (json!({ "text": text }), String::new()),
            Piece::Reasoning(text) => {
                let thoughts = json!({ "text": text, "signature": signature(text) });
                (json!({ "reasoningContent": { "reasoningText": thoughts } }), String::new())
            }
            Piece::Call { name, arguments } => (call(&id, name, arguments), arguments.to_string()),
            Piece::RawCall { name, arguments } => {
                let parsed = serde_json::from_str::<Map<String, Value>>(arguments);
                is_malformed |= parsed.is_err();
                let input = Value::Object(parsed.unwrap_or_default());
                (call(&id, name, &input), arguments.clone())
            }
            Piece::Opaque(block) => {
                sent.keep(block);
                (block.clone(), String::new())
            }
        };
        content.push(block);
        inputs.push(input);
    }
    let has_calls = content.iter().any(|block| block.get("toolUse").is_some());
    let stop_reason = match scripted {
        Scripted::Refusal(_) => "content_filtered",
        _ if is_cut => "max_tokens",
        _ if is_malformed => "malformed_tool_use",
        _ if has_calls => "tool_use",
        _ => "end_turn",
    };
    let usage = usage(asked, used, &content);
    Reply { content, inputs, stop_reason, usage, is_cut }
}

fn call(id: &str, name: &str, input: &Value) -> Value {
    json!({ "toolUse": { "toolUseId": id, "name": name, "input": input } })
}

/// The counts do not overlap, and the total is the sum of all of them.
fn usage(asked: &Asked, used: &CacheUse, content: &[Value]) -> Value {
    let output: u64 = content.iter().map(|block| tokens(block.to_string().len())).sum();
    let ttl = match first_ttl(&asked.body) {
        Some("1h") => "1h",
        _ => "5m",
    };
    let details = match used.written {
        0 => json!([]),
        written => json!([{ "ttl": ttl, "inputTokens": written }]),
    };
    json!({
        "inputTokens": used.uncached,
        "outputTokens": output,
        "totalTokens": used.uncached + used.read + used.written + output,
        "cacheReadInputTokens": used.read,
        "cacheWriteInputTokens": used.written,
        "cacheDetails": details,
    })
}

/// Returns the lifetime that the first mark of the request asks for.
fn first_ttl(value: &Value) -> Option<&str> {
    match value {
        Value::Object(fields) => match fields.get("cachePoint") {
            Some(point) => point.get("ttl").and_then(Value::as_str).or(Some("5m")),
            None => fields.values().find_map(first_ttl),
        },
        Value::Array(entries) => entries.iter().find_map(first_ttl),
        _ => None,
    }
}
