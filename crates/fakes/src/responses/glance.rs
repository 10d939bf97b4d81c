//! What an onlooker sees of a request.

use serde_json::Value;

use super::output::{SEARCH, lists};
use crate::{Declared, Glance, Outcome, read};

pub(super) fn glance(body: &Value) -> Glance {
    let items = read::list(&body["input"]);
    let last = items.iter().rposition(|item| item["role"] == "user");
    let said = match last.and_then(|at| items.get(at)) {
        Some(message) => text(&message["content"]),
        None => text(&body["input"]),
    };
    let since = items.get(last.map_or(0, |at| at + 1)..).unwrap_or_default();
    Glance {
        said,
        tools: lists(body).flatten().flat_map(declared).collect(),
        results: since.iter().filter_map(|item| outcome(items, item)).collect(),
    }
}

/// Returns the tools that a tool stands for: itself, the search, or what is in its namespace.
fn declared(tool: &Value) -> Vec<Declared> {
    let as_is = |tool: &Value, name: &Value| Declared {
        name: text(name),
        parameters: tool["parameters"].clone(),
    };
    match tool["type"].as_str() {
        Some("function") => vec![as_is(tool, &tool["name"])],
        Some(SEARCH) => vec![as_is(tool, &tool["type"])],
        Some("namespace") => read::list(&tool["tools"]).iter().flat_map(declared).collect(),
        _ => Vec::new(),
    }
}

fn outcome(items: &[Value], item: &Value) -> Option<Outcome> {
    match item["type"].as_str()? {
        "function_call_output" => {
            let is_it = |other: &&Value| {
                other["type"] == "function_call" && other["call_id"] == item["call_id"]
            };
            let name = items.iter().find(is_it).map(|call| text(&call["name"]));
            let name = name.unwrap_or_default();
            Some(Outcome { name, text: text(&item["output"]), shows: Vec::new() })
        }
        "tool_search_output" => {
            let tools = read::list(&item["tools"]);
            let shows = tools.iter().flat_map(declared).map(|tool| tool.name);
            Some(Outcome { name: SEARCH.to_owned(), text: String::new(), shows: shows.collect() })
        }
        _ => None,
    }
}

/// Returns a text that is one, or whose parts are.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}
