//! What the gateway says of itself. Models search only for what they suspect exists, so it says what is behind.

use std::fmt::Write;

use oncue_tools::OpenTools;

use super::answer::Names;
use crate::config::{Settings, Wording};
use crate::limits::{SAMPLES_PER_SERVER, SERVERS_SHOWN_MAX};

/// The tool that searches.
pub(super) const SEARCH: &str = "search_tools";
/// The tool that calls.
pub(super) const CALL: &str = "call_tool";
/// Names that no tool of an upstream has.
pub(super) const RESERVED: &[&str] = &[SEARCH, CALL];
/// Both.
pub(super) const NAMES: Names<'static> = Names { search: SEARCH, call: CALL };

/// Returns the description of the search tool.
pub(super) fn search(wording: &Wording, behind: &str) -> String {
    let text = wording.search.clone().unwrap_or_else(|| {
        format!("Finds tools on the servers behind this one and returns them with the schemas of their arguments. Search before you say that something cannot be done. Query with words for the action and the thing ('export csv'), with 'select:NAME,NAME' for exact names, or with '+word more words' for tools whose name contains word; several needs at once are separated by ';'. Then use {CALL}.")
    });
    if behind.is_empty() { text } else { format!("{text}\nBehind: {behind}") }
}

/// Returns the description of the calling tool.
pub(super) fn call(wording: &Wording) -> String {
    wording.call.clone().unwrap_or_else(|| {
        format!("Calls a tool that {SEARCH} returned, by its name and with arguments that fit its schema.")
    })
}

/// Returns what clients are told when they connect; one paragraph, since some show the first alone.
pub(super) fn instructions(settings: &Settings, behind: &str, is_searched: bool) -> String {
    if let Some(text) = &settings.wording.instructions {
        return text.clone();
    }
    let how = match is_searched {
        true => format!("Most tools are not in the list: find them with {SEARCH} and use them with {CALL}."),
        false => "The tools of several servers are in one list; the part in front of `__` names the server.".to_owned(),
    };
    if behind.is_empty() { how } else { format!("{how} Behind: {behind}") }
}

/// One server with its tools, as far as they are told.
struct Behind<'t> {
    id: &'t str,
    count: usize,
    names: Vec<&'t str>,
}

/// Returns which servers are behind, with their numbers of tools and a few names, in the order of the settings.
pub(super) fn behind(settings: &Settings, tools: &OpenTools<'_>) -> String {
    told(settings, &servers(tools), |Behind { id, count, names }| {
        let more = if *count > names.len() { ", …" } else { "" };
        format!("{id} ({count}: {}{more})", names.join(", "))
    })
}

/// Returns the same without names, for places in which clients leave little room: one shows 250 characters.
pub(super) fn behind_in_short(settings: &Settings, tools: &OpenTools<'_>) -> String {
    told(settings, &servers(tools), |Behind { id, count, .. }| format!("{id} ({count})"))
}

fn servers<'t>(tools: &'t OpenTools<'_>) -> Vec<Behind<'t>> {
    let mut all: Vec<Behind<'_>> = Vec::new();
    for entry in tools.all() {
        let id = entry.source();
        if all.last().is_none_or(|known| known.id != id) {
            all.push(Behind { id, count: 0, names: Vec::new() });
        }
        if let Some(Behind { count, names, .. }) = all.last_mut() {
            *count += 1;
            if names.len() < SAMPLES_PER_SERVER {
                names.push(entry.identity().name());
            }
        }
    }
    all
}

fn told(
    settings: &Settings,
    servers: &[Behind<'_>],
    one: impl Fn(&Behind<'_>) -> String,
) -> String {
    let mut text = String::new();
    for server in servers.iter().take(SERVERS_SHOWN_MAX) {
        let upstream = settings.upstreams.iter().find(|it| it.id.as_str() == server.id);
        let about = upstream.and_then(|upstream| upstream.description.as_deref());
        if !text.is_empty() {
            text += "; ";
        }
        text += &one(server);
        if let Some(about) = about {
            // Writing to a text cannot fail.
            let _ = write!(text, " {about}");
        }
    }
    let left = servers.len().saturating_sub(SERVERS_SHOWN_MAX);
    if left > 0 {
        let _ = write!(text, "; {left} more servers");
    }
    text
}
