//! What an onlooker sees of a request.

use serde_json::Value;

use crate::{Declared, Glance, Outcome, read};

pub(super) fn glance(body: &Value) -> Glance {
    let items = |name: &str| read::list(&body[name]);
    let messages = items("messages");
    let tools = items("tools").iter().map(|tool| Declared {
        name: text(&tool["function"]["name"]),
        parameters: tool["function"]["parameters"].clone(),
    });
    let last = messages.iter().rposition(|message| message["role"] == "user");
    let said = last.and_then(|at| messages.get(at)).map(|message| text(&message["content"]));
    let since = messages.get(last.map_or(0, |at| at + 1)..).unwrap_or_default();
    let results = since.iter().filter(|message| message["role"] == "tool").map(|result| Outcome {
        name: called(messages, &result["tool_call_id"]),
        text: text(&result["content"]),
        shows: Vec::new(),
    });
    Glance { said: said.unwrap_or_default(), tools: tools.collect(), results: results.collect() }
}

/// Returns the name of the tool that was called under this id.
fn called(messages: &[Value], id: &Value) -> String {
    let calls = messages.iter().flat_map(|message| read::list(&message["tool_calls"]));
    let call = calls.rev().find(|call| call["id"] == *id);
    call.map(|call| text(&call["function"]["name"])).unwrap_or_default()
}

/// Returns a text that is one, or whose parts are.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}
