//! A request to Converse as an onlooker without a vendor sees it.

use serde_json::Value;

use crate::{Asked, Declared, Glance, Outcome};

/// Returns what an onlooker sees.
pub(super) fn glance(asked: &Asked) -> Glance {
    let mut glance = Glance::default();
    let config = asked.body.get("toolConfig").unwrap_or(&Value::Null);
    glance.tools.extend(list(config, "tools").iter().filter_map(declared));
    let messages = list(&asked.body, "messages");
    let blocks = messages.iter().flat_map(|message| list(message, "content"));
    for message in messages.iter().filter(|message| text(message, "role") == "user") {
        for block in list(message, "content") {
            if block.get("text").is_some() {
                text(block, "text").clone_into(&mut glance.said);
                glance.results.clear();
            }
            if let Some(result) = block.get("toolResult") {
                let id = text(result, "toolUseId");
                let mut calls = blocks.clone().filter_map(|block| block.get("toolUse"));
                let call = calls.find(|call| text(call, "toolUseId") == id);
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
        name: text(spec, "name").to_owned(),
        parameters: parameters.cloned().unwrap_or_default(),
    })
}

fn outcome(call: Option<&Value>, result: &Value) -> Outcome {
    let told = list(result, "content").iter().map(|block| match block.get("json") {
        Some(json) => json.to_string(),
        None => text(block, "text").to_owned(),
    });
    Outcome {
        name: call.map(|call| text(call, "name").to_owned()).unwrap_or_default(),
        text: told.collect::<Vec<_>>().join("\n"),
        shows: Vec::new(),
    }
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
