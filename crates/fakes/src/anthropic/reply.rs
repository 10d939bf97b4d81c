//! Replies of the Messages API as whole messages.

use oncue_agent::cache::{CacheUse, MissReason};
use serde_json::{Map, Value, json};

use super::request::{Request, blocks, is_deferred, text};
use super::rules::mark;
use super::sent::{Sent, signature};
use crate::tokens::tokens;
use crate::{Piece, Scripted, read};

/// A message and, where one of its calls is no JSON, the text that is streamed in the place of its input.
pub(super) struct Message {
    pub(super) value: Value,
    /// By block: the text of the arguments.
    pub(super) raw_inputs: Vec<Option<String>>,
    /// Whether the last block was cut off.
    pub(super) is_cut: bool,
}

/// Returns the message that the script wants.
pub(super) fn message(
    request: &Request<'_>,
    sent: &Sent,
    scripted: &Scripted,
    used: &CacheUse,
    number: u64,
) -> Message {
    let mut content = Vec::new();
    let mut raw_inputs = Vec::new();
    let (pieces, is_cut) = match scripted {
        Scripted::CutOff(pieces) => (Piece::cut_off(pieces), true),
        Scripted::Reply(pieces) | Scripted::Broken { pieces, .. } => (pieces.clone(), false),
        Scripted::Refusal(_) | Scripted::Error(_) => (Vec::new(), false),
    };
    for piece in &pieces {
        let id = format!("{number:012}_{}", content.len());
        for (block, raw) in piece_blocks(request, sent, piece, &id) {
            content.push(block);
            raw_inputs.push(raw);
        }
    }
    let has_calls = content.iter().any(|block| text(block, "type") == "tool_use");
    let (stop_reason, stop_details) = match scripted {
        Scripted::Refusal(why) => {
            ("refusal", json!({ "type": "refusal", "category": null, "explanation": why }))
        }
        _ if is_cut => ("max_tokens", Value::Null),
        _ if has_calls => ("tool_use", Value::Null),
        _ => ("end_turn", Value::Null),
    };
    let usage = usage(request, used, &content);
    let value = json!({
        "id": id_of(number),
        "type": "message",
        "role": "assistant",
        "model": request.model_name,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "stop_details": stop_details,
        "usage": usage,
        "diagnostics": diagnostics(request, used, number),
    });
    Message { value, raw_inputs, is_cut }
}

fn id_of(number: u64) -> String {
    format!("msg_{number:012}")
}

/// Returns the blocks of one piece, each with the text of its input where that is no JSON of its own.
fn piece_blocks(
    request: &Request<'_>,
    sent: &Sent,
    piece: &Piece,
    id: &str,
) -> Vec<(Value, Option<String>)> {
    match piece {
        Piece::Text(text) => vec![(json!({ "type": "text", "text": text }), None)],
        Piece::Reasoning(thinking) => {
            let signature = signature(thinking);
            let block = json!({ "type": "thinking", "thinking": thinking, "signature": signature });
            vec![(block, None)]
        }
        Piece::Call { name, arguments } if is_server_search(request, name) => {
            let found = search(request, arguments);
            let id = format!("srvtoolu_{id}");
            let call =
                json!({ "type": "server_tool_use", "id": id, "name": name, "input": arguments });
            let result = json!({
                "type": "tool_search_tool_result",
                "tool_use_id": id,
                "content": { "type": "tool_search_tool_search_result", "tool_references": found },
            });
            vec![(call, None), (result, None)]
        }
        Piece::Call { name, arguments } => vec![(call(id, name, arguments), None)],
        Piece::RawCall { name, arguments } => {
            let parsed = serde_json::from_str::<Map<String, Value>>(arguments).ok();
            let input = Value::Object(parsed.unwrap_or_default());
            vec![(call(id, name, &input), Some(arguments.clone()))]
        }
        Piece::Opaque(block) => {
            sent.keep(block);
            vec![(block.clone(), None)]
        }
    }
}

fn call(id: &str, name: &str, input: &Value) -> Value {
    json!({
        "type": "tool_use",
        "id": format!("toolu_{id}"),
        "name": name,
        "input": input,
        "caller": { "type": "direct" },
    })
}

/// Says whether `name` is one of the vendor's search tools that the request declares.
fn is_server_search(request: &Request<'_>, name: &str) -> bool {
    let typed = |tool: &&Value| text(tool, "type").starts_with("tool_search_tool_");
    request.tools().iter().filter(typed).any(|tool| text(tool, "name") == name)
}

/// Returns references to the first few deferred tools that share a word with the query.
fn search(request: &Request<'_>, arguments: &Value) -> Vec<Value> {
    const FOUND: usize = 5;
    let query = arguments.to_string().to_lowercase();
    let words: Vec<&str> = query.split(|c: char| !c.is_alphanumeric()).collect();
    let fits = |tool: &&Value| {
        let told = format!("{} {}", text(tool, "name"), text(tool, "description")).to_lowercase();
        words.iter().any(|word| word.len() > 2 && told.contains(word))
    };
    let found = request.tools().iter().filter(|tool| is_deferred(tool)).filter(fits);
    found
        .take(FOUND)
        .map(|tool| json!({ "type": "tool_reference", "tool_name": text(tool, "name") }))
        .collect()
}

/// The counts do not overlap: what was read or written is not among the input tokens.
fn usage(request: &Request<'_>, used: &CacheUse, content: &[Value]) -> Value {
    let length = |block: &Value| tokens(block.to_string().len());
    let output: u64 = content.iter().map(length).sum();
    let thoughts = content.iter().filter(|block| text(block, "type") == "thinking");
    let (short, long) = match is_long_lived(request) {
        true => (0, used.written),
        false => (used.written, 0),
    };
    json!({
        "input_tokens": used.uncached,
        "cache_creation_input_tokens": used.written,
        "cache_read_input_tokens": used.read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": short,
            "ephemeral_1h_input_tokens": long,
        },
        "output_tokens": output,
        "output_tokens_details": { "thinking_tokens": thoughts.map(length).sum::<u64>() },
        "service_tier": "standard",
    })
}

/// Says whether the first mark of the request asks for the long lifetime; a long mark never stands behind a short one.
fn is_long_lived(request: &Request<'_>) -> bool {
    let all = request.tools().iter().chain(read::list(request.body.get("system")));
    let first = all.chain(request.messages().iter().flat_map(blocks)).find_map(mark);
    let automatic = request.body.get("cache_control");
    first.or(automatic).is_some_and(|mark| text(mark, "ttl") == "1h")
}

/// Says why the cache was missed, where the request names the message before.
fn diagnostics(request: &Request<'_>, used: &CacheUse, number: u64) -> Value {
    let before = request
        .body
        .get("diagnostics")
        .and_then(|asked| asked.get("previous_message_id").and_then(Value::as_str));
    let Some(before) = before else { return Value::Null };
    let known = before.strip_prefix("msg_").and_then(|digits| digits.parse::<u64>().ok());
    if !known.is_some_and(|before| before < number && before > 0) {
        return json!({ "cache_miss_reason": { "type": "previous_message_not_found" } });
    }
    let Some(miss) = used.miss else { return Value::Null };
    let reason = match miss {
        MissReason::ModelChanged => "model_changed",
        MissReason::ToolsChanged => "tools_changed",
        MissReason::SystemChanged => "system_changed",
        MissReason::MessagesChanged => "messages_changed",
    };
    json!({
        "cache_miss_reason": { "type": reason, "cache_missed_input_tokens": used.missed },
    })
}
