//! A request to the Messages API as an onlooker without a vendor sees it.

use serde_json::Value;

use super::request::{Request, blocks, text};
use crate::{Declared, Glance, Outcome};

/// Returns what an onlooker sees.
pub(super) fn glance(request: &Request<'_>) -> Glance {
    let mut glance = Glance::default();
    glance.tools.extend(request.tools().iter().map(declared));
    for message in request.messages() {
        if let Some(Value::String(said)) = message.get("content")
            && text(message, "role") == "user"
        {
            glance.said.clone_from(said);
            glance.results.clear();
        }
        for block in blocks(message) {
            match (text(message, "role"), text(block, "type")) {
                ("user", "text") => {
                    text(block, "text").clone_into(&mut glance.said);
                    glance.results.clear();
                }
                (_, "tool_result") => glance.results.push(outcome(request, block)),
                ("system", "tool_addition") => {
                    if let Some(definition) = block.get("tool").and_then(|t| t.get("definition")) {
                        glance.tools.push(declared(definition));
                        let name = text(definition, "name").to_owned();
                        if let Some(last) = glance.results.last_mut() {
                            last.shows.push(name);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    glance
}

fn declared(tool: &Value) -> Declared {
    Declared {
        name: text(tool, "name").to_owned(),
        parameters: tool.get("input_schema").cloned().unwrap_or_default(),
    }
}

fn outcome(request: &Request<'_>, result: &Value) -> Outcome {
    let id = text(result, "tool_use_id");
    let mut calls = request.messages().iter().flat_map(blocks);
    let call = calls.find(|block| text(block, "id") == id);
    let inner = blocks(result).iter();
    let texts: Vec<&str> = match result.get("content") {
        Some(Value::String(said)) => vec![said],
        _ => inner.clone().map(|block| text(block, "text")).collect(),
    };
    let references = inner.filter(|block| text(block, "type") == "tool_reference");
    Outcome {
        name: call.map(|call| text(call, "name").to_owned()).unwrap_or_default(),
        text: texts.join("\n"),
        shows: references.map(|block| text(block, "tool_name").to_owned()).collect(),
    }
}
