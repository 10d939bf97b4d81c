//! The rows that say what holders of tokens may do.

use oncue_decl::Scope;
use oncue_tools::{Glob, ToolPattern};

use super::keys::GRANT;
use super::{Faults, named};
use crate::config::GrantRow;
use crate::config::tree::{Fields, Node};

/// Every scope with the name that settings give it.
const SCOPES: [(&str, Scope); 3] =
    [("read", Scope::Read), ("stage", Scope::Stage), ("write", Scope::Write)];

pub(super) fn read(file: Fields<'_>, faults: &mut Faults) -> Vec<GrantRow> {
    let rows = faults.take(file.list("grant")).unwrap_or_default();
    rows.iter().filter_map(|node| row(node, faults)).collect()
}

fn row(node: &Node, faults: &mut Faults) -> Option<GrantRow> {
    let fields = faults.fields(node, "grant", &GRANT)?;
    let principal = fields.text("principal").and_then(|text| match text {
        Some(text) if !text.trim().is_empty() => Ok(text),
        Some(_) | None => Err(fields.fault(
            "principal",
            "must say whom the row is for",
            "`principal = \"*\"` is for everybody",
        )),
    });
    let upstreams = faults.take(fields.texts("upstreams"));
    Some(GrantRow {
        place: node.place.clone(),
        principal: Glob::new(faults.take(principal)),
        scope: faults.take(named(fields, "scope", &SCOPES)).unwrap_or(Scope::Read),
        upstreams: upstreams.map(|globs| globs.into_iter().map(Glob::new).collect()),
        tools: patterns(fields, "tools", faults),
        denied: patterns(fields, "denied", faults).unwrap_or_default(),
        unasked: patterns(fields, "unasked", faults).unwrap_or_default(),
    })
}

/// Returns the tools that a list names, each as `UPSTREAM/TOOL`.
pub(super) fn patterns(
    fields: Fields<'_>,
    key: &str,
    faults: &mut Faults,
) -> Option<Vec<ToolPattern>> {
    let texts = faults.take(fields.texts(key))?;
    let read = texts.into_iter().map(|text| match text.split_once('/') {
        Some((upstream, tool)) if !upstream.is_empty() && !tool.is_empty() => {
            Ok(ToolPattern::new(upstream, tool))
        }
        // Without its upstream a name could widen what the row grants as soon as another upstream has it.
        Some(_) | None => Err(fields.fault(
            key,
            "names each tool as `UPSTREAM/TOOL`",
            "`*/NAME` is a tool of any upstream, `NAME/*` every tool of one",
        )),
    });
    Some(read.filter_map(|read| faults.take(read.map(Some))).collect())
}
