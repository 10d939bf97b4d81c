//! A request to Converse as an onlooker without a vendor sees it.

use serde_json::Value;

use crate::{Asked, Declared, Glance, Outcome, read};

/// Returns what an onlooker sees.
pub(super) fn glance(asked: &Asked) -> Glance {
    let mut glance = Glance::default();
    let tools = asked.body.get("toolConfig").and_then(|config| config.get("tools"));
    glance.tools.extend(read::list(tools).iter().filter_map(declared));
    let messages = read::list(asked.body.get("messages"));
    let blocks = messages.iter().flat_map(|message| read::list(message.get("content")));
    for message in messages.iter().filter(|message| read::text(message.get("role")) == "user") {
        for block in read::list(message.get("content")) {
            if block.get("text").is_some() {
                read::text(block.get("text")).clone_into(&mut glance.said);
                glance.results.clear();
            }
            if let Some(result) = block.get("toolResult") {
                let id = read::text(result.get("toolUseId"));
                let mut calls = blocks.clone().filter_map(|block| block.get("toolUse"));
                let call = calls.find(|call| read::text(call.get("toolUseId")) == id);
                glance.results.push(outcome(call, result));
            }
        }
    }
    glance
}

fn declared(tool: &Value) -> Option<Declared> {
    let spec = tool.get("toolSpec")?;
    let parameters = spec.get("inputSchema").and_then(|schema| schema.get("json"));
    Some(Declared {
        name: read::text(spec.get("name")).to_owned(),
        parameters: parameters.cloned().unwrap_or_default(),
    })
}

fn outcome(call: Option<&Value>, result: &Value) -> Outcome {
    let told = read::list(result.get("content")).iter().map(|block| match block.get("json") {
        Some(json) => json.to_string(),
        None => read::text(block.get("text")).to_owned(),
    });
    Outcome {
        name: call.map(|call| read::text(call.get("name")).to_owned()).unwrap_or_default(),
        text: told.collect::<Vec<_>>().join("\n"),
        shows: Vec::new(),
    }
}
