//! The list of tools, and what of it may be called.

use std::collections::BTreeSet;
use std::sync::Arc;

use oncue_agent::conversation::Item;
use oncue_agent::{Choice, Loss, Request};
use oncue_tools::{Entry, NameRules};
use serde_json::value::RawValue;

use crate::Names;
use crate::blocks::Block;
use crate::compose::{legal_name, quoted};
use crate::schema::{Dialect, project};

/// The schema of a tool that takes no arguments.
const NOTHING: &str = r#"{"type":"object","properties":{}}"#;

/// Returns the tools of a request: those that every request of the session has, and those behind.
///
/// The vendor takes no conversation with calls and no tools; where none are left, those that were called are named as gone.
pub(super) fn tools(
    request: &Request<'_>,
    names: &Names,
    rules: NameRules,
    losses: &mut Vec<Loss>,
) -> (Vec<Block>, Vec<Block>) {
    let list = request.tools;
    let mut define = |entry: &Arc<Entry>| define(entry, &list.description(entry), names, losses);
    let inline: Vec<Block> = list.inline.iter().map(&mut define).collect();
    let found: Vec<Block> = list.found.iter().map(&mut define).collect();
    if inline.is_empty() && found.is_empty() {
        return (called(request.items, names, rules), found);
    }
    (inline, found)
}

fn define(entry: &Entry, description: &str, names: &Names, losses: &mut Vec<Loss>) -> Block {
    let projection = project(entry.definition().parameters(), Dialect::Bedrock);
    projection.report(entry.exposed(), losses);
    let schema = projection.schema.as_deref().map_or(NOTHING, RawValue::get);
    spec(names.wire(entry.exposed()), description, schema)
}

fn spec(name: &str, description: &str, schema: &str) -> Block {
    let name = quoted(name);
    let description = match description {
        "" => String::new(),
        text => format!(r#""description":{},"#, quoted(text)),
    };
    Block::new(format!(
        r#"{{"toolSpec":{{"name":{name},{description}"inputSchema":{{"json":{schema}}}}}}}"#
    ))
}

fn called(items: &[Item], names: &Names, rules: NameRules) -> Vec<Block> {
    let replies = items.iter().filter_map(|item| match item {
        Item::Reply(said) => Some(said),
        _ => None,
    });
    let called = replies.flat_map(|said| said.calls());
    let called: BTreeSet<String> =
        called.map(|call| legal_name(names, rules, &call.name)).collect();
    let gone = called.iter().map(|name| spec(name, "No longer offered; do not call it.", NOTHING));
    gone.collect()
}

/// Returns what the model may call in this reply; `None` leaves it free.
pub(super) fn choice(choice: &Choice<'_>, names: &Names, losses: &mut Vec<Loss>) -> Option<String> {
    let among: &[String] = match choice {
        Choice::Free => return None,
        Choice::Nothing => &[],
        Choice::Among(tools) => tools,
    };
    match among {
        [] => {
            let what = "that nothing may be called".to_owned();
            losses.push(Loss { place: "the choice of tools".to_owned(), what });
            None
        }
        [tool] => Some(format!(r#"{{"tool":{{"name":{}}}}}"#, quoted(names.wire(tool)))),
        _ => Some(r#"{"any":{}}"#.to_owned()),
    }
}
