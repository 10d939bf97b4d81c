//! What an onlooker sees of a request.

use serde_json::Value;

use crate::{Declared, Glance, Outcome, read};

pub(super) fn glance(body: &Value) -> Glance {
    let contents = read::list(&body["contents"]);
    let is_asked = |content: &Value| content["role"] != "model" && responses(content).is_empty();
    let last = contents.iter().rposition(is_asked);
    let said = last.and_then(|at| contents.get(at)).map(|content| {
        read::list(&content["parts"]).iter().filter_map(|part| part["text"].as_str()).collect()
    });
    let since = contents.get(last.map_or(0, |at| at + 1)..).unwrap_or_default();
    let declared = read::list(&body["tools"])
        .iter()
        .flat_map(|tool| read::list(&tool["functionDeclarations"]));
    Glance {
        said: said.unwrap_or_default(),
        tools: declared.map(declaration).collect(),
        results: since.iter().flat_map(responses).map(outcome).collect(),
    }
}

fn responses(content: &Value) -> Vec<&Value> {
    read::list(&content["parts"]).iter().filter_map(|part| part.get("functionResponse")).collect()
}

fn declaration(declared: &Value) -> Declared {
    let parameters = declared.get("parametersJsonSchema").or(declared.get("parameters"));
    Declared {
        name: declared["name"].as_str().unwrap_or_default().to_owned(),
        parameters: parameters.cloned().unwrap_or_default(),
    }
}

/// What the model reads is the output or the error that the response holds, else all of it.
fn outcome(response: &Value) -> Outcome {
    let held = &response["response"];
    let text = held.get("output").or(held.get("error")).unwrap_or(held);
    Outcome {
        name: response["name"].as_str().unwrap_or_default().to_owned(),
        text: text.as_str().map_or_else(|| text.to_string(), str::to_owned),
        shows: Vec::new(),
    }
}
