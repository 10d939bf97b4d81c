//! The tools of a request, of a search's result and of an item that adds some.

use serde_json::{Map, Value};

use crate::limits::OPENAI_TOOLS_MAX;
use crate::openai::fault::{self, fault};
use crate::openai::fields::{self, Kind};
use crate::openai::{function, model};
use crate::shape::join;
use crate::wire::Checked;
use crate::{Refusal, read};

/// Kinds of tools that are known; the fake looks into functions, namespaces and searches.
const KINDS: &[&str] = &[
    "function",
    "custom",
    "namespace",
    "tool_search",
    "mcp",
    "web_search",
    "web_search_preview",
    "file_search",
    "code_interpreter",
    "computer",
    "computer_use_preview",
    "image_generation",
    "programmatic_tool_calling",
    "local_shell",
    "shell",
    "apply_patch",
];

const FUNCTION: &[(&str, Kind)] = &[
    ("type", Kind::Any),
    ("name", Kind::Text),
    ("description", Kind::Text),
    ("parameters", Kind::Object),
    ("strict", Kind::Truth),
    ("defer_loading", Kind::Truth),
    ("output_schema", Kind::Object),
    ("allowed_callers", Kind::Array("an array of strings")),
    ("async", Kind::Truth),
];

const NAMESPACE: &[(&str, Kind)] = &[
    ("type", Kind::Any),
    ("name", Kind::Text),
    ("description", Kind::Text),
    ("tools", Kind::Array("an array of tools")),
];

const SEARCH: &[(&str, Kind)] = &[
    ("type", Kind::Any),
    ("execution", Kind::Word(&["server", "client"])),
    ("description", Kind::Text),
    ("parameters", Kind::Object),
];

/// A tool that a choice may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its name, or the label of its server; empty where it needs none.
    pub name: &'a str,
}

/// Holds the tools of the request against the rules and returns what a choice may name.
pub(super) fn check(body: &Map<String, Value>) -> Result<Vec<Named<'_>>, Refusal> {
    let tools = read::list(body.get("tools"));
    if tools.len() > OPENAI_TOOLS_MAX {
        return Err(fault::array_too_long("tools", OPENAI_TOOLS_MAX, tools.len()));
    }
    let named = check_each(tools, "tools")?;
    let searches = tools.iter().filter(|tool| tool["type"] == "tool_search").count();
    if searches > 1 {
        let message = "Only one tool_search tool is allowed in 'tools' parameter.";
        return Err(fault(Some("tools"), None, message.to_owned()));
    }
    let model = fields::text(body, "model").unwrap_or_default();
    if searches == 1 && !model::knows_tool_search(model) {
        let message = format!("Tool 'tool_search' is not supported with {model}.");
        return Err(fault(Some("tools"), None, message));
    }
    if searches == 0 && tools.iter().any(is_deferred) {
        let message = "tools.defer_loading requires tools.tool_search";
        return Err(fault(Some("tools"), None, message.to_owned()));
    }
    Ok(named)
}

/// Says whether a tool, or one inside it, is loaded by a search alone.
fn is_deferred(tool: &Value) -> bool {
    let inner = read::list(&tool["tools"]);
    tool["defer_loading"] == true || inner.iter().any(is_deferred)
}

/// Holds each tool against the rules and returns what a choice may name.
pub(super) fn check_each<'a>(tools: &'a [Value], path: &str) -> Result<Vec<Named<'a>>, Refusal> {
    let mut named = Vec::new();
    for (at, tool) in tools.iter().enumerate() {
        named.extend(check_tool(tool, &format!("{path}[{at}]"), KINDS)?);
    }
    let of = |kind| -> Vec<&str> {
        named.iter().filter(|tool| tool.kind == kind).map(|tool| tool.name).collect()
    };
    function::check_unique(&of("function"))?;
    function::check_unique(&of("namespace"))?;
    Ok(named.into_iter().filter(|tool| tool.kind != "namespace").collect())
}

fn check_tool<'a>(tool: &'a Value, path: &str, kinds: &[&str]) -> Result<Vec<Named<'a>>, Refusal> {
    let tool = fields::as_object(tool, path)?;
    let kind = fields::required_text(tool, path, "type")?;
    if !kinds.contains(&kind) {
        return Err(fault::wrong_value(path, kind, kinds));
    }
    match kind {
        "function" => {
            let name = check_function(tool, path)?;
            Ok(vec![Named { kind, name }])
        }
        "namespace" => check_namespace(tool, path),
        "tool_search" => {
            check_search(tool, path)?;
            Ok(Vec::new())
        }
        "custom" => Ok(vec![Named { kind, name: fields::required_text(tool, path, "name")? }]),
        "mcp" => Ok(vec![Named { kind, name: fields::required_text(tool, path, "server_label")? }]),
        _ => Ok(vec![Named { kind, name: "" }]),
    }
}

fn check_function<'a>(tool: &'a Map<String, Value>, path: &str) -> Result<&'a str, Refusal> {
    // A tool in the form of Chat Completions lacks its name first.
    fields::required_text(tool, path, "name")?;
    fields::check(tool, path, FUNCTION)?;
    function::check(tool, path, false)
}

fn check_namespace<'a>(
    tool: &'a Map<String, Value>,
    path: &str,
) -> Result<Vec<Named<'a>>, Refusal> {
    let name = fields::required_text(tool, path, "name")?;
    function::check_name(name, &join(path, "name"), false)?;
    fields::required_text(tool, path, "description")?;
    fields::check(tool, path, NAMESPACE)?;
    fields::required(tool, path, "tools")?;
    let inner = read::list(tool.get("tools"));
    let path = join(path, "tools");
    if inner.is_empty() {
        return Err(fault::empty_array(&path));
    }
    let mut named = vec![Named { kind: "namespace", name }];
    for (at, tool) in inner.iter().enumerate() {
        named.extend(check_tool(tool, &format!("{path}[{at}]"), &["function", "custom"])?);
    }
    let names: Vec<&str> = named.iter().skip(1).map(|tool| tool.name).collect();
    function::check_unique(&names)?;
    // Functions of different namespaces may share a name, so a choice cannot name them alone.
    named.truncate(1);
    Ok(named)
}

fn check_search(tool: &Map<String, Value>, path: &str) -> Checked {
    fields::check(tool, path, SEARCH)?;
    if fields::text(tool, "execution") != Some("client") {
        return Ok(());
    }
    for (field, missing) in [("description", "a description"), ("parameters", "parameters")] {
        if fields::present(tool, field).is_none_or(|value| value == "") {
            let message = format!("Client-executed tool_search requires {missing}.");
            return Err(fault(Some("tools"), None, message));
        }
    }
    Ok(())
}
