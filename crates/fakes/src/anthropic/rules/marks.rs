//! Marks for the cache: how many, and in which order of their lifetimes.

use serde_json::Value;

use super::held;
use crate::anthropic::request::{Request, blocks, invalid};
use crate::limits::CACHE_MARKS_MAX;
use crate::read;
use crate::shape::{Kind, join, may, need};
use crate::wire::Checked;

/// Holds the mark of one block, where it has one, against the rules.
pub(super) fn shape(block: &Value, at: &str) -> Checked {
    let Some(mark) = block.get("cache_control").and_then(Value::as_object) else {
        return Ok(());
    };
    let at = join(at, "cache_control");
    let fields = [need("type", Kind::Text), may("ttl", Kind::Text)];
    held(mark, &fields, &at)?;
    if mark.get("type").and_then(Value::as_str) != Some("ephemeral") {
        return Err(invalid(format!("{at}.type: Input should be 'ephemeral'")));
    }
    match mark.get("ttl").and_then(Value::as_str) {
        None | Some("5m" | "1h") => Ok(()),
        Some(_) => Err(invalid(format!("{at}.ttl: Input should be '5m' or '1h'"))),
    }
}

pub(super) fn check(request: &Request<'_>) -> Checked {
    let mut marks: Vec<&Value> = Vec::new();
    for tool in request.tools() {
        marks.extend(mark(tool));
    }
    for block in read::list(request.body.get("system")) {
        marks.extend(mark(block));
    }
    for block in request.messages().iter().flat_map(blocks) {
        let definition = block.get("tool").and_then(|tool| tool.get("definition"));
        marks.extend(mark(block));
        marks.extend(definition.and_then(mark));
        marks.extend(blocks(block).iter().filter_map(mark));
    }
    let body = Value::Object(request.body.clone());
    shape(&body, "")?;
    let count = marks.len() + usize::from(mark(&body).is_some());
    if count > CACHE_MARKS_MAX {
        return Err(invalid(format!(
            "A maximum of {CACHE_MARKS_MAX} blocks with cache_control may be provided. Found {count}."
        )));
    }
    let is_long = |mark: &&Value| mark.get("ttl").and_then(Value::as_str) == Some("1h");
    let first_short = marks.iter().position(|mark| !is_long(mark)).unwrap_or(marks.len());
    match marks.iter().skip(first_short).any(is_long) {
        true => Err(invalid(
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
        )),
        false => Ok(()),
    }
}

/// Returns the mark of a block.
pub(in crate::anthropic) fn mark(block: &Value) -> Option<&Value> {
    block.get("cache_control").filter(|mark| !mark.is_null())
}
