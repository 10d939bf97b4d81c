//! The list of tools, and definitions of tools wherever they stand.

use std::collections::HashSet;

use serde_json::Value;

use super::{held, marks};
use crate::anthropic::request::{Request, invalid, is_deferred, text};
use crate::limits::{AVAILABLE_TOOLS_MAX, STRICT_TOOLS_MAX, TOOL_NAME_CHARS_MAX};
use crate::shape::{Field, Kind, may, need};
use crate::wire::Checked;

const CUSTOM: [Field; 10] = [
    need("name", Kind::Text),
    need("input_schema", Kind::Object),
    may("type", Kind::Text),
    may("description", Kind::Text),
    may("cache_control", Kind::Object),
    may("defer_loading", Kind::Flag),
    may("strict", Kind::Flag),
    may("input_examples", Kind::List),
    may("eager_input_streaming", Kind::Flag),
    may("allowed_callers", Kind::List),
];

const SEARCH: [Field; 6] = [
    need("name", Kind::Text),
    need("type", Kind::Text),
    may("cache_control", Kind::Object),
    may("defer_loading", Kind::Flag),
    may("strict", Kind::Flag),
    may("allowed_callers", Kind::List),
];

/// The vendor's own search tools: their types without a date, which are their names.
const SEARCH_TOOLS: [&str; 2] = ["tool_search_tool_bm25", "tool_search_tool_regex"];

/// Kinds of tools; a name may not change its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::anthropic) enum ToolKind {
    /// A tool that the client carries out.
    Custom,
    /// One of the vendor's search tools.
    Search(&'static str),
}

pub(super) fn check(request: &Request<'_>) -> Checked {
    let tools = request.tools();
    let mut names = HashSet::new();
    for (at, tool) in tools.iter().enumerate() {
        let path = format!("tools.{at}");
        definition(tool, &path)?;
        if !names.insert(text(tool, "name")) {
            return Err(invalid("tools: Tool names must be unique."));
        }
    }
    if !tools.is_empty() && tools.iter().all(is_deferred) {
        return Err(invalid("At least one tool must have defer_loading=false"));
    }
    let strict = tools.iter().filter(|tool| tool.get("strict") == Some(&Value::Bool(true)));
    if strict.count() > STRICT_TOOLS_MAX {
        return Err(invalid("Schema is too complex for compilation"));
    }
    if tools.iter().filter(|tool| is_deferred(tool)).count() > AVAILABLE_TOOLS_MAX {
        let message =
            format!("tools: at most {AVAILABLE_TOOLS_MAX} deferred tools may be available");
        return Err(invalid(message).with("error_code", "available_tools_limit_exceeded"));
    }
    Ok(())
}

/// Holds one definition against the rules and returns the kind of tool that it makes.
pub(super) fn definition(tool: &Value, at: &str) -> Result<ToolKind, crate::Refusal> {
    let Some(object) = tool.as_object() else {
        return Err(invalid(format!("{at}: Input should be a valid dictionary")));
    };
    let kind = match object.get("type") {
        None | Some(Value::Null) => ToolKind::Custom,
        Some(Value::String(word)) if word == "custom" => ToolKind::Custom,
        Some(word) => search_tool(word).ok_or_else(|| {
            let message = format!(
                "{at}: Input tag {word} found using 'type' does not match any of the expected tags: 'custom', 'tool_search_tool_bm25', 'tool_search_tool_regex'"
            );
            invalid(message)
        })?,
    };
    match kind {
        ToolKind::Custom => {
            let at = format!("{at}.custom");
            held(object, &CUSTOM, &at)?;
            name(text(tool, "name"), &at)?;
            schema(tool, &at)?;
        }
        ToolKind::Search(known) => {
            let at = format!("{at}.{known}");
            held(object, &SEARCH, &at)?;
            if text(tool, "name") != known {
                return Err(invalid(format!("{at}.name: Input should be '{known}'")));
            }
            if is_deferred(tool) {
                return Err(invalid(format!("{at}.defer_loading: Input should be false")));
            }
        }
    }
    marks::shape(tool, at)?;
    if is_deferred(tool) && tool.get("cache_control").is_some_and(|mark| !mark.is_null()) {
        let name = text(tool, "name");
        return Err(invalid(format!(
            "Tool '{name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching."
        )));
    }
    Ok(kind)
}

/// Returns the kind of a tool whose definition is in order.
pub(in crate::anthropic) fn kind_of(tool: &Value) -> ToolKind {
    tool.get("type").and_then(search_tool).unwrap_or(ToolKind::Custom)
}

fn search_tool(word: &Value) -> Option<ToolKind> {
    let word = word.as_str()?;
    let fits = |known: &&&str| word == **known || word == format!("{known}_20251119");
    SEARCH_TOOLS.iter().find(fits).map(|&known| ToolKind::Search(known))
}

fn name(name: &str, at: &str) -> Checked {
    if name.chars().count() > TOOL_NAME_CHARS_MAX {
        let message =
            format!("{at}.name: String should have at most {TOOL_NAME_CHARS_MAX} characters");
        return Err(invalid(message));
    }
    let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match !name.is_empty() && name.chars().all(is_legal) {
        true => Ok(()),
        false => Err(invalid(format!(
            "{at}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,{TOOL_NAME_CHARS_MAX}}}$'"
        ))),
    }
}

fn schema(tool: &Value, at: &str) -> Checked {
    let schema = tool.get("input_schema");
    match schema.and_then(|schema| schema.get("type")) {
        None => return Err(invalid(format!("{at}.input_schema.type: Field required"))),
        Some(Value::String(word)) if word == "object" => {}
        Some(_) => {
            return Err(invalid(format!("{at}.input_schema.type: Input should be 'object'")));
        }
    }
    let unions = ["anyOf", "oneOf", "allOf"];
    match unions.iter().find(|word| schema.is_some_and(|schema| schema.get(**word).is_some())) {
        Some(_) => Err(invalid(format!(
            "{at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
        ))),
        None => Ok(()),
    }
}
