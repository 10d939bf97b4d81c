//! From what an upstream lists to tools of the catalog. Each is read alone, and a bad one costs itself alone.

use std::collections::HashMap;
use std::sync::Arc;

use oncue_decl::{Exposure, Tier};
use oncue_mcp::http::{Mirror, mirrors};
use oncue_mcp::{CallError, Members, Raw};
use oncue_tools::{
    Arguments, BoxFuture, CallContext, Concurrency, Content, Definition, ErrorKind, NameRules,
    Output, Tool, ToolError, ingest, near,
};
use serde_json::value::RawValue;

use super::Known;
use crate::config::{ToolOverrides, Transport};
use crate::upstream::{Upstream, UpstreamError};

/// A tool of an upstream.
pub struct UpstreamTool {
    definition: Definition,
    upstream: Arc<Upstream>,
    /// What the upstream calls it.
    name: Box<str>,
}

/// The tools of an upstream as they are seen outside.
pub struct Outside {
    /// Those that can be used.
    pub tools: Vec<Arc<dyn Tool>>,
    /// Those that cannot, each with its reason.
    pub set_aside: Vec<String>,
    /// What the settings change about tools that the upstream does not list.
    pub unknown: Vec<String>,
    /// The arguments that are said in headers too, by what the upstream calls its tools.
    pub mirrors: HashMap<String, Vec<Mirror>>,
}

/// Returns the tools of `known` as the settings of `upstream` want them seen; none is called by a name in `reserved`.
#[must_use]
pub fn tools(upstream: &Arc<Upstream>, known: &Known, reserved: &[&str]) -> Outside {
    let settings = upstream.settings();
    let mut outside = Outside {
        tools: Vec::new(),
        set_aside: Vec::new(),
        unknown: Vec::new(),
        mirrors: HashMap::new(),
    };
    let mut list = String::from("{\"tools\":[");
    for (at, tool) in known.tools.iter().enumerate() {
        list.push_str(if at > 0 { "," } else { "" });
        list.push_str(tool.get());
    }
    list.push_str("]}");
    let listing = match ingest::read(list.as_bytes(), settings.id.as_str()) {
        Ok(listing) => listing,
        Err(error) => {
            outside.set_aside.push(error.to_string());
            return outside;
        }
    };
    outside.set_aside.extend(listing.set_aside.iter().map(ToString::to_string));
    drop(list);
    let listed: Vec<&str> = listing
        .sources
        .iter()
        .flat_map(|source| &source.tools)
        .map(|tool| tool.definition.name())
        .collect();
    outside.unknown = unknown(&settings.tools, &listed);
    for listed in listing.sources.into_iter().flat_map(|source| source.tools) {
        let definition = listed.definition;
        if settings.tools.hides(definition.name()) {
            continue;
        }
        match mirrored(&definition) {
            Ok(mirrors) if mirrors.is_empty() => {}
            Ok(mirrors) => {
                outside.mirrors.insert(definition.name().to_owned(), mirrors);
            }
            // Over HTTP it could not be called as it wants to be.
            Err(why) if matches!(settings.transport, Transport::Http(_)) => {
                outside.set_aside.push(format!("{}: {why}", definition.name()));
                continue;
            }
            Err(_) => {}
        }
        let tool = UpstreamTool::new(Arc::clone(upstream), definition, &settings.tools, reserved);
        outside.tools.push(Arc::new(tool));
    }
    outside
}

/// Returns what is to be said of settings for tools that are not among those `listed`.
fn unknown(settings: &ToolOverrides, listed: &[&str]) -> Vec<String> {
    let is_unknown = |name: &&String| !listed.contains(&name.as_str());
    let told = |name: &String| {
        let names = listed.iter().map(|name| (*name, [*name; 2]));
        let meant: Vec<String> = near(name, names).iter().map(|name| format!("`{name}`")).collect();
        let hint = if meant.is_empty() {
            String::new()
        } else {
            format!("; did you mean {}?", meant.join(", "))
        };
        format!("{name}: the settings change it, and there is no tool of this name{hint}")
    };
    settings.tools.keys().filter(is_unknown).map(told).collect()
}

/// Returns the arguments of a tool that are said in headers too.
///
/// # Errors
///
/// Its schema wants what cannot be done.
pub(crate) fn mirrored(definition: &Definition) -> Result<Vec<Mirror>, String> {
    let text = definition.parameters().map(RawValue::get).unwrap_or_default();
    if !text.contains("x-mcp-header") {
        return Ok(Vec::new());
    }
    let schema = serde_json::from_str(text).map_err(|error| error.to_string())?;
    mirrors(&schema)
}

impl UpstreamTool {
    fn new(
        upstream: Arc<Upstream>,
        listed: Definition,
        overrides: &ToolOverrides,
        reserved: &[&str],
    ) -> Self {
        let name: Box<str> = listed.name().into();
        let change = overrides.tools.get(&*name);
        let (tier, exposure) = hints(listed.raw().as_deref());
        let mut row = listed.row().clone().with_tier(tier).with_exposure(exposure);
        if let Some(change) = change {
            if let Some(description) = &change.description {
                row = row.with_description(description.clone());
            }
            if !change.keywords.is_empty() {
                row = row.with_keywords(change.keywords.clone());
            }
            if let Some(tier) = change.tier {
                row = row.with_tier(tier);
            }
        }
        let mut definition = listed.with_row(row);
        let renamed = change.and_then(|change| change.rename.clone());
        let is_bare = !upstream.settings().is_namespaced && is_of_nobody(&name);
        let chosen = renamed.or_else(|| is_bare.then(|| name.to_string()));
        if let Some(exposed) = chosen.filter(|name| !reserved.contains(&name.as_str())) {
            definition = definition.with_exposed(exposed);
        }
        Self { definition, upstream, name }
    }
}

/// Says whether a name without an upstream in front can be taken for no tool of another upstream.
fn is_of_nobody(name: &str) -> bool {
    NameRules::DEFAULT.name("", name) == name
}

/// Returns what an upstream's hints about a tool make of it. They are hints: who may call what is up to the grants.
fn hints(raw: Option<&RawValue>) -> (Tier, Exposure) {
    let members = Members::of(raw).unwrap_or_default();
    let hints = Members::of(members.get("annotations")).unwrap_or_default();
    match hints.read::<bool>("readOnlyHint") {
        Some(true) => (Tier::Silent, Exposure::ReadOnly),
        _ => (Tier::Gated, Exposure::Full),
    }
}

impl Tool for UpstreamTool {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn concurrency(&self) -> Concurrency {
        match self.definition.row().tier() {
            Tier::Silent => Concurrency::Parallel,
            _ => Concurrency::Sequential,
        }
    }

    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let params = call_params(&self.name, &arguments)?;
            let principal = ctx.grants().principal();
            let result = self.upstream.call(principal, "tools/call", params, None, None).await;
            let id = self.upstream.settings().id.as_str();
            output(&result.map_err(|error| fault(error, id))?)
        })
    }
}

/// Returns the parameters of `tools/call` for a tool of this name.
///
/// # Errors
///
/// The name cannot be written.
pub fn call_params(name: &str, arguments: &Arguments) -> Result<Members, ToolError> {
    let mut params = Members::new();
    params
        .set("name", &name)
        .map_err(|error| ToolError::new("The call could not be written.").with_cause(error))?;
    params.put("arguments", arguments.raw().to_owned());
    Ok(params)
}

fn fault(error: UpstreamError, upstream: &str) -> ToolError {
    let kind = match &error {
        UpstreamError::Call(CallError::TimedOut { .. }) => ErrorKind::TimedOut,
        _ => ErrorKind::Failed,
    };
    ToolError::of(kind, error.for_model(upstream)).with_cause(error)
}

/// Reads the result of a call for a model.
///
/// # Errors
///
/// The result says that the tool failed.
pub fn output(result: &Raw) -> Result<Output, ToolError> {
    let members = Members::of(Some(result)).unwrap_or_default();
    let blocks: Vec<Members> = members.read("content").unwrap_or_default();
    let mut content: Vec<Content> = blocks.iter().map(piece).collect();
    if content.is_empty()
        && let Some(value) = members.read("structuredContent")
    {
        content.push(Content::Json(value));
    }
    if members.read::<bool>("isError") == Some(true) {
        let texts = content.iter().filter_map(|piece| match piece {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        return Err(ToolError::new(if text.is_empty() {
            "The tool failed.".to_owned()
        } else {
            text
        }));
    }
    Ok(Output::from(content))
}

/// Reads one block of content.
fn piece(block: &Members) -> Content {
    use base64::Engine;
    let text = |name: &str| block.read::<String>(name).unwrap_or_default();
    match &*text("type") {
        "text" => Content::Text(text("text")),
        "image" => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(text("data"));
            Content::image(text("mimeType"), bytes.unwrap_or_default())
        }
        _ => block
            .to_raw()
            .ok()
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .map_or_else(|| Content::Text(String::new()), Content::Json),
    }
}
