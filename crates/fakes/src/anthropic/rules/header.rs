//! The headers.

use crate::anthropic::request::{FIRST_VERSION, SECOND_VERSION, invalid};
use crate::wire::Checked;
use crate::{Asked, Refusal};

pub(super) fn check(asked: &Asked) -> Checked {
    let unknown = |message: &str| Err(Refusal::new(401, "authentication_error", message));
    let bearer = asked.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    match asked.header("x-api-key").or(bearer) {
        None => return unknown("x-api-key header is required"),
        Some("") => return unknown("invalid x-api-key"),
        Some(_) => {}
    }
    match asked.header("anthropic-version") {
        None => return Err(invalid("anthropic-version: header is required")),
        Some(FIRST_VERSION | SECOND_VERSION) => {}
        Some(other) => {
            let message = format!("anthropic-version: \"{other}\" is not a valid version");
            return Err(invalid(message));
        }
    }
    match asked.header("content-type") {
        Some(media) if media.starts_with("application/json") => Ok(()),
        _ => Err(invalid("content-type: header must be application/json")),
    }
}
