//! The configuration of tools.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::top::unknown;
use super::{cache_point, constraint, held, member, object, variant, word};
use crate::bedrock::converse::vendor_row;
use crate::bedrock::error::invalid;
use crate::limits::RUNTIME_NAME_CHARS_MAX;
use crate::shape::{Field, Kind, may, need};
use crate::wire::Checked;
use crate::{Asked, read};

const CONFIG: [Field; 2] = [need("tools", Kind::List), may("toolChoice", Kind::Object)];

const SPEC: [Field; 4] = [
    need("name", Kind::Text),
    need("inputSchema", Kind::Object),
    may("description", Kind::Text),
    may("strict", Kind::Flag),
];

pub(super) fn check(body: &Map<String, Value>) -> Checked {
    let Some(config) = body.get("toolConfig").and_then(Value::as_object) else {
        return Ok(());
    };
    held(config, &CONFIG, "toolConfig")?;
    let tools = read::list(config.get("tools"));
    if tools.is_empty() {
        let rule = "Member must have length greater than or equal to 1";
        return Err(constraint("toolConfig.tools", rule));
    }
    let mut names = HashSet::new();
    for (at, tool) in tools.iter().enumerate() {
        let path = member("toolConfig.tools", at);
        match variant(tool, &path)? {
            ("toolSpec", spec) => {
                let name = tool_spec(spec, at, &format!("{path}.toolSpec"))?;
                if !names.insert(name) {
                    return Err(invalid(format!(
                        "The tool name {name} is defined more than once."
                    )));
                }
            }
            ("cachePoint", point) => cache_point(point, &format!("{path}.cachePoint"))?,
            ("systemTool", _) => {
                return Err(invalid("The model does not support system tools."));
            }
            (kind, _) => return Err(unknown(&path, kind)),
        }
    }
    choice(config, &names)
}

fn tool_spec<'v>(spec: &'v Value, at: usize, path: &str) -> Result<&'v str, crate::Refusal> {
    let fields = object(spec, path)?;
    held(fields, &SPEC, path)?;
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let name = text("name").unwrap_or_default();
    word(name, &format!("{path}.name"), "_-", RUNTIME_NAME_CHARS_MAX)?;
    if text("description") == Some("") {
        let rule = "Member must have length greater than or equal to 1";
        return Err(constraint(&format!("{path}.description"), rule));
    }
    let schema = fields.get("inputSchema").unwrap_or(&Value::Null);
    let ("json", schema) = variant(schema, &format!("{path}.inputSchema"))? else {
        return Err(constraint(&format!("{path}.inputSchema.json"), "Member must not be null"));
    };
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => Ok(name),
        _ => Err(invalid(format!(
            "The value at toolConfig.tools.{at}.toolSpec.inputSchema.json.type must be one of the following: object."
        ))),
    }
}

fn choice(config: &Map<String, Value>, names: &HashSet<&str>) -> Checked {
    let Some(choice) = config.get("toolChoice").filter(|choice| !choice.is_null()) else {
        return Ok(());
    };
    let path = "toolConfig.toolChoice";
    match variant(choice, path)? {
        (kind @ ("auto" | "any"), inner) => {
            held(object(inner, path)?, &[], &format!("{path}.{kind}"))
        }
        ("tool", inner) => {
            held(object(inner, path)?, &[need("name", Kind::Text)], &format!("{path}.tool"))?;
            let name = read::text(inner.get("name"));
            match names.contains(name) {
                true => Ok(()),
                false => Err(invalid(format!(
                    "The tool {name} in toolConfig.toolChoice is not in toolConfig.tools."
                ))),
            }
        }
        (kind, _) => Err(unknown(path, kind)),
    }
}

/// Some models cannot be made to call a tool.
pub(super) fn fit_the_model(asked: &Asked, body: &Map<String, Value>) -> Checked {
    let choice = body.get("toolConfig").and_then(|config| config.get("toolChoice"));
    let is_forced = choice.is_some_and(|choice| choice.get("auto").is_none() && !choice.is_null());
    let Some(row) = vendor_row(asked).filter(|_| is_forced) else { return Ok(()) };
    let more = body.get("additionalModelRequestFields");
    let thinking = more.and_then(|more| more.get("thinking")?.get("type")?.as_str());
    if !row.takes_forced_choice {
        return Err(invalid(
            "The model returned the following errors: tool_choice forces tool use is not compatible with this model.",
        ));
    }
    match thinking {
        Some("enabled" | "adaptive") => Err(invalid(
            "The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use.",
        )),
        _ => Ok(()),
    }
}
