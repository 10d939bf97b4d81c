//! What an onlooker sees of a request.

use serde_json::Value;

use crate::{Declared, Glance, Outcome, read};

pub(super) fn glance(body: &Value) -> Glance {
    let items = |name: &str| read::list(&body[name]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let messages = items("messages");
    let last = messages.iter().rposition(|message| message["role"] == "user");
    let said = last.and_then(|at| messages.get(at)).map(|message| text(&message["content"]));
    let since = messages.get(last.map_or(0, |at| at + 1)..).unwrap_or_default();
    let tools = items("tools").iter().map(|tool| Declared {
        name: text(&tool["function"]["name"]),
        parameters: tool["function"]["parameters"].clone(),
    });
    let results = since.iter().filter(|message| message["role"] == "tool").map(|result| Outcome {
        name: text(&result["tool_name"]),
        text: text(&result["content"]),
        shows: Vec::new(),
    });
    Glance { said: said.unwrap_or_default(), tools: tools.collect(), results: results.collect() }
}
