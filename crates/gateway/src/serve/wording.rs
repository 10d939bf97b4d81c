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

/// Returns what clients are told when they connect.
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

/// Returns which servers are behind, with their numbers of tools and a few names, in the order of the settings.
pub(super) fn behind(settings: &Settings, tools: &OpenTools<'_>) -> String {
    let mut by_server: Vec<(&str, usize, Vec<&str>)> = Vec::new();
    for entry in tools.all() {
        let source = entry.source();
        if by_server.last().is_none_or(|(known, ..)| *known != source) {
            by_server.push((source, 0, Vec::new()));
        }
        if let Some((_, count, names)) = by_server.last_mut() {
            *count += 1;
            if names.len() < SAMPLES_PER_SERVER {
                names.push(entry.identity().name());
            }
        }
    }
    let mut text = String::new();
    for (id, count, names) in by_server.iter().take(SERVERS_SHOWN_MAX) {
        let upstream = settings.upstreams.iter().find(|upstream| upstream.id.as_str() == *id);
        let about = upstream.and_then(|upstream| upstream.description.as_deref());
        let more = if *count > names.len() { ", …" } else { "" };
        let comma = if text.is_empty() { "" } else { "; " };
        // Writing to a text cannot fail.
        let _ = write!(text, "{comma}{id} ({count}: {}{more})", names.join(", "));
        if let Some(about) = about {
            let _ = write!(text, " {about}");
        }
    }
    let left = by_server.len().saturating_sub(SERVERS_SHOWN_MAX);
    if left > 0 {
        let _ = write!(text, "; {left} more servers");
    }
    text
}
