//! Tools that appear and disappear in the conversation: references in results, and additions and removals in system messages.

use std::collections::HashMap;

use serde_json::Value;

use super::tools::{ToolKind, definition, kind_of};
use super::{blocks as shapes, held, marks, messages};
use crate::anthropic::request::{Request, blocks, invalid, is_deferred, text};
use crate::limits::{AVAILABLE_TOOLS_MAX, INLINE_DEFINITIONS_BYTES_MAX};
use crate::shape::{Field, Kind, need};
use crate::wire::Checked;
use crate::{Refusal, read};

/// Holds one block of a system message against the rules, its place apart.
pub(super) fn block(request: &Request<'_>, block: &Value, at: usize, path: &str) -> Checked {
    let kind = text(block, "type");
    let is_change = matches!(kind, "tool_addition" | "tool_removal");
    if !is_change {
        return match kind {
            "text" => shapes::of_system(block, path),
            _ => Err(invalid(format!(
                "messages.{at}: role 'system' supports text, tool_addition, and tool_removal blocks only"
            ))),
        };
    }
    if !request.betas.tool_changes {
        return Err(invalid(format!(
            "{path}: Input tag '{kind}' found using 'type' does not match any of the expected tags: 'text'"
        )));
    }
    let Some(object) = block.as_object() else { return Ok(()) };
    // A removal has the fields of an addition.
    held(object, shapes::of_kind("tool_addition"), &format!("{path}.{kind}"))?;
    marks::shape(block, path)?;
    let before = at.checked_sub(1).and_then(|before| request.messages().get(before));
    if before.is_some_and(messages::is_paused) {
        return Err(invalid(format!(
            "messages.{at}: tool_addition and tool_removal blocks are not accepted after a paused 'assistant' message"
        )));
    }
    target(request, block, kind, path)
}

/// What a change names or brings along.
fn target(request: &Request<'_>, block: &Value, kind: &str, path: &str) -> Checked {
    let path = format!("{path}.{kind}.tool");
    let Some(tool) = block.get("tool") else { return Ok(()) };
    let Some(object) = tool.as_object() else { return Ok(()) };
    let form = text(tool, "type");
    let of_form = |fields: &[Field]| held(object, fields, &format!("{path}.{form}"));
    match form {
        "tool_reference" => {
            of_form(&[need("type", Kind::Text), need("name", Kind::Text)])?;
        }
        "mcp_tool_reference" => {
            of_form(&[
                need("type", Kind::Text),
                need("name", Kind::Text),
                need("server_name", Kind::Text),
            ])?;
        }
        "mcp_toolset_reference" => {
            of_form(&[need("type", Kind::Text), need("server_name", Kind::Text)])?;
        }
        "tool_definition" if kind == "tool_addition" && request.betas.inline_tools => {
            of_form(&[need("type", Kind::Text), need("definition", Kind::Object)])?;
            let inner = tool.get("definition").unwrap_or(&Value::Null);
            definition(inner, &format!("{path}.tool_definition.definition"))?;
            let is_marked =
                |value: &Value| value.get("cache_control").is_some_and(|m| !m.is_null());
            if is_marked(block) && is_marked(inner) {
                return Err(invalid(format!(
                    "{path}: cache_control may be set on the block or in the definition, not both"
                )));
            }
        }
        _ => {
            return Err(invalid(format!(
                "{path}: Input tag '{form}' found using 'type' does not match any of the expected tags: 'tool_reference', 'mcp_tool_reference', 'mcp_toolset_reference'"
            )));
        }
    }
    Ok(())
}

/// The tools that are known at a place of the conversation.
#[derive(Default)]
struct Known<'v> {
    /// By name: the kind, and the definition where it stands in a message.
    tools: HashMap<&'v str, (ToolKind, Option<&'v Value>)>,
    deferred: usize,
}

/// Follows the tools through the whole conversation.
pub(super) fn check(request: &Request<'_>) -> Checked {
    let mut known = Known::default();
    for tool in request.tools() {
        known.tools.insert(text(tool, "name"), (kind_of(tool), None));
        known.deferred += usize::from(is_deferred(tool));
    }
    for (at, message) in request.messages().iter().enumerate() {
        for (place, block) in blocks(message).iter().enumerate() {
            match text(block, "type") {
                "tool_result" => known.refer(blocks(block))?,
                "tool_search_tool_result" => {
                    let found = block.get("content").and_then(|found| found.get("tool_references"));
                    known.refer(read::list(found))?;
                }
                "tool_addition" | "tool_removal" => {
                    known.change(block, &format!("messages.{at}.content.{place}"))?;
                }
                _ => {}
            }
        }
        if text(message, "role") == "system" {
            known.is_within_limits(at)?;
        }
    }
    Ok(())
}

impl<'v> Known<'v> {
    /// A result may refer to what is known there and to nothing else, however old it is.
    fn refer(&self, content: &[Value]) -> Checked {
        let references = content.iter().filter(|inner| text(inner, "type") == "tool_reference");
        for reference in references {
            let name = text(reference, "tool_name");
            if !self.tools.contains_key(name) {
                let message = format!("Tool reference '{name}' not found in available tools");
                return Err(invalid(message));
            }
        }
        Ok(())
    }

    fn change(&mut self, block: &'v Value, path: &str) -> Checked {
        let Some(tool) = block.get("tool") else { return Ok(()) };
        let Some(definition) = tool.get("definition") else {
            let name = text(tool, "name");
            // No server of tools can be declared here, so that what refers to one never resolves.
            let is_known = text(tool, "type") == "tool_reference" && self.tools.contains_key(name);
            return match is_known {
                true => Ok(()),
                false => Err(unresolved(path, name)),
            };
        };
        let kind = kind_of(definition);
        let name = text(definition, "name");
        if let Some((before, _)) = self.tools.get(name)
            && *before != kind
        {
            let message =
                format!("{path}: the name '{name}' belongs to a tool of a different type");
            return Err(invalid(message).with("error_code", "tool_name_conflict"));
        }
        self.tools.insert(name, (kind, Some(definition)));
        Ok(())
    }

    fn is_within_limits(&self, at: usize) -> Checked {
        let inline = || self.tools.values().filter_map(|(_, definition)| *definition);
        let bytes: usize = inline().map(|definition| definition.to_string().len()).sum();
        let deferred = self.deferred + inline().filter(|tool| is_deferred(tool)).count();
        let is_over = deferred > AVAILABLE_TOOLS_MAX
            || inline().count() > AVAILABLE_TOOLS_MAX
            || bytes > INLINE_DEFINITIONS_BYTES_MAX;
        match is_over {
            true => {
                let message = format!("messages.{at}: too many tools are available");
                Err(invalid(message).with("error_code", "available_tools_limit_exceeded"))
            }
            false => Ok(()),
        }
    }
}

fn unresolved(path: &str, name: &str) -> Refusal {
    let message = format!("{path}: the tool '{name}' is not defined at this position");
    invalid(message).with("error_code", "tool_reference_unresolved")
}
