//! What a client sees of the tools, by its mode.

use std::sync::Arc;

use oncue_mcp::server::Context;
use oncue_mcp::{Members, Raw, RpcError};
use oncue_tools::{Entry, OpenTools};
use serde_json::json;
use serde_json::value::to_raw_value;

use super::gateway::Gateway;
use super::{modes, wording};
use crate::config::{Mode, Settings};
use crate::limits::{PAGE_TOOLS, RESULTS_DEFAULT, RESULTS_MAX};

impl Gateway {
    /// Returns the mode of the client that asks.
    pub(super) fn mode(&self, context: &Context) -> Mode {
        let wanted = self.settings().mode;
        let mode = modes::mode(wanted, context.caller.client.name.as_deref());
        // A list that grows with a session needs a session.
        match (mode, &context.session) {
            (Mode::Dynamic, None) => Mode::Search,
            (mode, _) => mode,
        }
    }

    /// Returns one page of the tools that the client sees.
    pub(super) fn list_tools(&self, params: &Members, context: &Context) -> Result<Raw, RpcError> {
        let grants = self.grants(&context.caller.principal);
        let tools = OpenTools::new(self.catalog(), &grants);
        let mode = self.mode(context);
        let entries: Vec<Arc<Entry>> = match mode {
            Mode::Passthrough => tools.all().cloned().collect(),
            _ => self.pinned(&tools, context, mode),
        };
        let cursor: Option<String> = params.read("cursor");
        let from = match cursor.as_deref() {
            None => 0,
            Some(text) => {
                text.parse().ok().filter(|&from| from < entries.len()).ok_or_else(|| {
                    RpcError::invalid_params("Invalid params: there is no page behind this cursor")
                })?
            }
        };
        // What a search mode lists is all that the model sees, so a client that defers tools is asked not to.
        let client = context.caller.client.name.as_deref().and_then(modes::client);
        let shows = client.and_then(|row| row.shows.as_deref());
        let shows = shows.filter(|_| mode != Mode::Passthrough);
        let mut page: Vec<Raw> = Vec::new();
        if from == 0 && mode != Mode::Passthrough {
            page.extend(self.own_tools(&tools, shows));
        }
        let rest = entries.iter().skip(from).take(PAGE_TOOLS);
        page.extend(rest.filter_map(|entry| seen(entry, shows)));
        let mut result = Members::new();
        let internal = |_| RpcError::internal();
        result.set("tools", &page).map_err(internal)?;
        if from + PAGE_TOOLS < entries.len() {
            result.set("nextCursor", &(from + PAGE_TOOLS).to_string()).map_err(internal)?;
        }
        result.set("ttlMs", &0).map_err(internal)?;
        result.set("cacheScope", &"private").map_err(internal)?;
        if let Some(session) = self.sessions().find(context.session.as_ref()) {
            session.on_listed();
        }
        result.to_raw().map_err(internal)
    }

    /// Returns the tools that are listed beside the gateway's own: the pinned ones, and those that a session has found.
    fn pinned(&self, tools: &OpenTools<'_>, context: &Context, mode: Mode) -> Vec<Arc<Entry>> {
        let settings = self.settings();
        let mut listed: Vec<Arc<Entry>> =
            tools.all().filter(|entry| is_pinned(&settings, entry)).cloned().collect();
        let session = self.sessions().find(context.session.as_ref());
        if let Some(session) = session.filter(|_| mode == Mode::Dynamic) {
            let snapshot = self.catalog().snapshot();
            for tool in session.found() {
                let entry = snapshot.tool(tool.source(), tool.name());
                let fresh = |entry: &&Arc<Entry>| !listed.iter().any(|it| Arc::ptr_eq(it, entry));
                if let Some(entry) = entry.filter(|entry| self.may_see(tools, entry)).filter(fresh)
                {
                    listed.push(Arc::clone(entry));
                }
            }
        }
        listed
    }

    fn may_see(&self, tools: &OpenTools<'_>, entry: &Entry) -> bool {
        use oncue_tools::ToolSet;
        tools.grants().may_see(entry.source(), entry.row())
    }

    /// Returns the tool that searches and the tool that calls.
    pub(super) fn own_tools(&self, tools: &OpenTools<'_>, shows: Option<&str>) -> Vec<Raw> {
        let settings = self.settings();
        let behind = wording::behind(&settings, tools);
        let mut search = json!({
            "name": wording::SEARCH,
            "title": "Search tools",
            "description": wording::search(&settings.wording, &behind),
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": { "type": "string", "description": "Words for the action and the thing, or 'select:NAME,NAME', or '+word more words'" },
                    "max_results": { "type": "integer", "description": "Most tools to return", "default": RESULTS_DEFAULT, "minimum": 1, "maximum": RESULTS_MAX },
                },
                "required": ["query"],
                "additionalProperties": false,
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        });
        let mut call = json!({
            "name": wording::CALL,
            "title": "Call a tool",
            "description": wording::call(&settings.wording),
            "inputSchema": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "The name of the tool, as it was found" },
                    "arguments": { "type": "object", "description": "Its arguments, as its schema wants them", "additionalProperties": true },
                },
                "required": ["name"],
                "additionalProperties": false,
            },
        });
        if let Some(key) = shows {
            search["_meta"] = json!({ key: true });
            call["_meta"] = json!({ key: true });
        }
        [search, call].iter().filter_map(|tool| to_raw_value(tool).ok()).collect()
    }
}

/// Says whether a tool is listed from the start.
pub(super) fn is_pinned(settings: &Settings, entry: &Entry) -> bool {
    let (source, name) = (entry.source(), entry.identity().name());
    settings.pinned.iter().any(|pattern| pattern.matches(source, name))
        || settings.upstreams.iter().any(|it| it.id.as_str() == source && it.tools.pins(name))
}

/// Returns a tool as its upstream wrote it, under the name and the description that it has here.
fn seen(entry: &Entry, shows: Option<&str>) -> Option<Raw> {
    let mut members = Members::of(entry.definition().raw().as_deref()).ok()?;
    members.set("name", &entry.exposed()).ok()?;
    let description: Option<String> = members.read("description");
    let here = entry.row().description();
    if description.as_deref().unwrap_or_default() != here {
        members.set("description", &here).ok()?;
    }
    if members.get("inputSchema").is_none_or(|schema| schema.get() == "null") {
        members.set("inputSchema", &json!({ "type": "object" })).ok()?;
    }
    if let Some(key) = shows {
        let mut meta = Members::of(members.get("_meta")).unwrap_or_default();
        meta.set(key, &true).ok()?;
        members.set("_meta", &meta).ok()?;
    }
    members.to_raw().ok()
}
