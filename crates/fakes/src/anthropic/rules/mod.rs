//! What the Messages API refuses, in the order in which it looks. Each file holds the rules over one part of a request.

mod blocks;
mod changes;
mod choice;
mod header;
mod marks;
mod messages;
mod pairs;
mod tools;
mod top;

#[cfg(test)]
mod tests;

use super::Door;
use super::request::Request;
use super::sent::Sent;
use serde_json::{Map, Value};

use crate::Asked;
use crate::shape::{Field, Flaw, holds};
use crate::wire::Checked;

pub(super) use marks::mark;

/// Holds the request against every rule.
pub(super) fn check(asked: &Asked, door: Door, sent: &Sent) -> Checked {
    if door == Door::Direct {
        header::check(asked)?;
    }
    let request = Request::of(asked, door)?;
    top::check(&request)?;
    tools::check(&request)?;
    messages::check(&request, sent)?;
    pairs::check(&request)?;
    changes::check(&request)?;
    choice::check(&request)?;
    marks::check(&request)
}

/// Holds an object against its fields, in the vendor's words.
fn held(object: &Map<String, Value>, fields: &[Field], at: &str) -> Checked {
    holds(object, fields, at).map_err(|flaw| {
        super::request::invalid(match flaw {
            Flaw::Extra(path) => format!("{path}: Extra inputs are not permitted"),
            Flaw::Missing(path) => format!("{path}: Field required"),
            Flaw::Wrong(path, kind) => format!("{path}: Input should be a valid {}", kind.word()),
        })
    })
}
