//! The answer as one object.

use oncue_agent::cache::{CacheUse, MissReason};
use serde_json::{Value, json};

use super::output::Output;
use crate::openai::model;

/// A time that never passes, in seconds since 1970.
const CREATED: u64 = 1_790_000_000;

pub(super) fn answer(body: &Value, output: &Output, used: &CacheUse, number: u64) -> Value {
    let mut response = frame(body, number);
    let (status, why) = match output.is_cut {
        true => ("incomplete", json!({ "reason": "max_output_tokens" })),
        false => ("completed", Value::Null),
    };
    response["status"] = json!(status);
    response["incomplete_details"] = why;
    response["output"] = json!(output.items);
    response["usage"] = usage(body, output, used);
    if !body["prompt_cache_options"]["comparison_response_id"].is_null() {
        response["prompt_cache_diagnostics"] = diagnostics(used);
    }
    response
}

/// Returns the response as it stands before anything is said.
pub(super) fn frame(body: &Value, number: u64) -> Value {
    let given = |name: &str, otherwise: Value| match &body[name] {
        Value::Null => otherwise,
        value => value.clone(),
    };
    json!({
        "id": format!("resp_{number}"),
        "object": "response",
        "created_at": CREATED,
        "status": "in_progress",
        "background": false,
        "error": null,
        "incomplete_details": null,
        "instructions": body["instructions"],
        "max_output_tokens": body["max_output_tokens"],
        "max_tool_calls": body["max_tool_calls"],
        "model": body["model"],
        "output": [],
        "parallel_tool_calls": given("parallel_tool_calls", json!(true)),
        "previous_response_id": null,
        "prompt_cache_key": body["prompt_cache_key"],
        "reasoning": {
            "effort": body["reasoning"]["effort"],
            "summary": body["reasoning"]["summary"],
        },
        "safety_identifier": body["safety_identifier"],
        "service_tier": "default",
        "store": given("store", json!(true)),
        "temperature": given("temperature", json!(1.0)),
        "text": given("text", json!({ "format": { "type": "text" } })),
        "tool_choice": given("tool_choice", json!("auto")),
        "tools": given("tools", json!([])),
        "top_logprobs": 0,
        "top_p": given("top_p", json!(1.0)),
        "truncation": given("truncation", json!("disabled")),
        "usage": null,
        "user": body["user"],
        "metadata": given("metadata", json!({})),
    })
}

/// Returns the usage. What was read from and written to the cache is part of the input's tokens.
fn usage(body: &Value, output: &Output, used: &CacheUse) -> Value {
    let input = used.read + used.written + used.uncached;
    let is_told = model::tells_cache_writes(body["model"].as_str().unwrap_or_default());
    let (thoughts, all) = output.tokens;
    json!({
        "input_tokens": input,
        "input_tokens_details": {
            "cached_tokens": used.read,
            "cache_write_tokens": if is_told { used.written } else { 0 },
        },
        "output_tokens": all,
        "output_tokens_details": { "reasoning_tokens": thoughts },
        "total_tokens": input + all,
    })
}

/// Returns why the cache was not read as far as the prompt before had filled it; the fake compares with that one, whatever the request names.
fn diagnostics(used: &CacheUse) -> Value {
    let reason = match used.miss {
        None => return json!({ "type": "cache_hit" }),
        Some(MissReason::ModelChanged) => "model_changed",
        Some(MissReason::ToolsChanged) => "tools_changed",
        Some(MissReason::SystemChanged | MissReason::MessagesChanged) => "input_changed",
    };
    json!({ "type": "cache_miss", "reason": reason, "cache_missed_tokens": used.missed })
}
