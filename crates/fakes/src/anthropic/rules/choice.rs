//! What the model may or must call.

use serde_json::Value;

use super::held;
use crate::anthropic::request::{Request, blocks, invalid, text};
use crate::shape::{Field, Kind, may, need};
use crate::wire::Checked;

const TYPE: Field = need("type", Kind::Text);
const PARALLEL: Field = may("disable_parallel_tool_use", Kind::Flag);

pub(super) fn check(request: &Request<'_>) -> Checked {
    let Some(choice) = request.body.get("tool_choice").filter(|choice| !choice.is_null()) else {
        return Ok(());
    };
    let Some(object) = choice.as_object() else { return Ok(()) };
    let kind = text(choice, "type");
    let fields: &[Field] = match kind {
        "auto" | "any" => &[TYPE, PARALLEL],
        "tool" => &[TYPE, PARALLEL, need("name", Kind::Text)],
        "none" => &[TYPE],
        _ => {
            return Err(invalid(
                "tool_choice: Input tag found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'",
            ));
        }
    };
    held(object, fields, &format!("tool_choice.{kind}"))?;
    if names(request).is_empty() {
        return Err(invalid("tool_choice may only be specified while providing tools."));
    }
    named(request, choice, kind)
}

fn named(request: &Request<'_>, choice: &Value, kind: &str) -> Checked {
    if !matches!(kind, "any" | "tool") {
        return Ok(());
    }
    if !request.model.takes_forced_choice {
        return Err(invalid("tool_choice forces tool use is not compatible with this model."));
    }
    let thinking = request.body.get("thinking").map_or("", |thinking| text(thinking, "type"));
    if matches!(thinking, "enabled" | "adaptive") {
        return Err(invalid("Thinking may not be enabled when tool_choice forces tool use."));
    }
    let name = text(choice, "name");
    match kind == "any" || names(request).contains(&name) {
        true => Ok(()),
        false => Err(invalid(format!("Tool '{name}' not found in provided tools"))),
    }
}

/// Returns the names of every tool, those that messages define included.
fn names<'a>(request: &Request<'a>) -> Vec<&'a str> {
    let defined = request
        .messages()
        .iter()
        .flat_map(blocks)
        .filter_map(|block| block.get("tool").and_then(|tool| tool.get("definition")));
    request.tools().iter().chain(defined).map(|tool| text(tool, "name")).collect()
}
