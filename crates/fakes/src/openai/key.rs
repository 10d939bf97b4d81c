//! The key of a request, and the headers of its answer.

use super::fault::fault;
use crate::wire::Checked;
use crate::{Asked, Refusal};

/// Refuses a request that has no key; any key is good.
pub(crate) fn check(asked: &Asked, message: &str) -> Checked {
    match asked.header("authorization").and_then(|value| value.strip_prefix("Bearer ")) {
        Some(key) if !key.trim().is_empty() => Ok(()),
        _ => Err(Refusal { status: 401, ..fault(None, None, message.to_owned()) }),
    }
}

/// Returns what tells caches apart: the key of the account, and the one that the request names for its cache.
pub(crate) fn cache_key(asked: &Asked) -> String {
    let account = asked.header("authorization").unwrap_or_default();
    format!("{account} {}", asked.body["prompt_cache_key"].as_str().unwrap_or_default())
}

/// Returns the headers of every answer.
pub(crate) fn headers(number: u64) -> Vec<(&'static str, String)> {
    vec![("x-request-id", format!("req_{number}"))]
}
