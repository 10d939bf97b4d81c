//! From a response to a reply; the same for whole answers and for streams, whose last event holds the response.

use oncue_agent::cache::MissReason;
use oncue_agent::conversation::{Call, Part, Raw};
use oncue_agent::{Finish, ModelError, ModelErrorKind, Reply, Usage};
use oncue_tools::CallId;
use serde_json::{Value, json};

use super::{WIRE, error, replay};
use crate::{Names, chat, counts};

/// Reads a response.
///
/// # Errors
///
/// It is an error, or not finished, or no response.
pub(super) fn whole(mut response: Value, names: &Names) -> Result<Reply, ModelError> {
    if let Some(error) = error::of_response(&response).or_else(|| chat::error::within(&response)) {
        return Err(error);
    }
    let mut finish = finish(&response)?;
    let Some(Value::Array(output)) = response.get_mut("output").map(Value::take) else {
        return Err(malformed("the answer is no response: it has no output"));
    };
    if output.iter().any(refuses) {
        finish = Finish::Refused;
    }
    let parts = output.iter().flat_map(|item| parts(item, names)).collect();
    let value = json!({"id": response.get("id"), "output": output});
    Ok(Reply {
        losses: Vec::new(),
        parts,
        raw: Some(Raw { wire: WIRE.to_owned(), value }),
        finish,
        usage: usage(&response),
        cache_miss: miss(&response),
    })
}

fn malformed(what: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Malformed, what)
}

/// Returns why a response ended.
///
/// # Errors
///
/// It did not.
fn finish(response: &Value) -> Result<Finish, ModelError> {
    let reason = response.pointer("/incomplete_details/reason").and_then(Value::as_str);
    match text(response, "status") {
        "" | "completed" => Ok(Finish::Done),
        "incomplete" => Ok(match reason.unwrap_or_default() {
            "max_output_tokens" => Finish::Length,
            "content_filter" => Finish::Refused,
            _ => Finish::Done,
        }),
        status => Err(malformed(&format!("the response has the status `{status}`"))),
    }
}

/// Returns what is understood of an item; the rest is replayed and not understood.
fn parts(item: &Value, names: &Names) -> Vec<Part> {
    match text(item, "type") {
        "message" => content(item, "content").filter_map(of_content).collect(),
        "reasoning" => reasoning(item).into_iter().collect(),
        "function_call" => {
            let name = names.exposed(text(item, "name")).to_owned();
            let arguments = text(item, "arguments").to_owned();
            vec![Part::Call(Call { id: CallId::new(text(item, "call_id")), name, arguments })]
        }
        "tool_search_call" if item.as_object().is_some_and(replay::is_ours) => {
            let name = names.search().unwrap_or_default().to_owned();
            let arguments = match item.get("arguments") {
                Some(Value::String(text)) => text.clone(),
                None | Some(Value::Null) => String::new(),
                Some(value) => value.to_string(),
            };
            vec![Part::Call(Call { id: CallId::new(text(item, "call_id")), name, arguments })]
        }
        _ => Vec::new(),
    }
}

fn of_content(part: &Value) -> Option<Part> {
    let said = match text(part, "type") {
        "output_text" => text(part, "text"),
        "refusal" => text(part, "refusal"),
        _ => "",
    };
    (!said.is_empty()).then(|| Part::Text { text: said.to_owned() })
}

/// Returns the thoughts of an item: the summary, or the thoughts themselves where the model shows them.
fn reasoning(item: &Value) -> Option<Part> {
    let texts = |field| -> Vec<&str> {
        content(item, field)
            .map(|part| text(part, "text"))
            .filter(|text| !text.is_empty())
            .collect()
    };
    let texts = match texts("summary") {
        summary if summary.is_empty() => texts("content"),
        summary => summary,
    };
    (!texts.is_empty()).then(|| Part::Reasoning { text: texts.join("\n\n") })
}

fn refuses(item: &Value) -> bool {
    content(item, "content").any(|part| text(part, "type") == "refusal")
}

fn content<'v>(item: &'v Value, field: &str) -> impl Iterator<Item = &'v Value> {
    item.get(field).and_then(Value::as_array).into_iter().flatten()
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Returns what a response cost. What was read from and written to a cache is counted within the input there.
fn usage(response: &Value) -> Usage {
    let count = |place: &str| {
        response.pointer(&format!("/usage/{place}")).and_then(Value::as_u64).unwrap_or_default()
    };
    counts::within(
        count("input_tokens"),
        count("input_tokens_details/cached_tokens"),
        count("input_tokens_details/cache_write_tokens"),
        count("output_tokens"),
    )
}

/// Returns why the cache was missed, where the vendor was asked and it was the prompt's fault.
fn miss(response: &Value) -> Option<MissReason> {
    match response.pointer("/prompt_cache_diagnostics/reason")?.as_str()? {
        "model_changed" => Some(MissReason::ModelChanged),
        "tools_changed" => Some(MissReason::ToolsChanged),
        "input_changed" | "context_compacted" => Some(MissReason::MessagesChanged),
        // Settings that are none of these.
        _ => None,
    }
}
