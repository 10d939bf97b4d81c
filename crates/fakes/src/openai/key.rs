//! The key of a request.

use super::fault::{Check, fault};
use crate::{Asked, Refusal};

/// Refuses a request that has no key; any key is good.
pub(crate) fn check(asked: &Asked, message: &str) -> Check {
    let given = asked.headers.iter().find(|(header, _)| header == "authorization");
    match given.and_then(|(_, value)| value.strip_prefix("Bearer ")) {
        Some(key) if !key.trim().is_empty() => Ok(()),
        _ => Err(Refusal { status: 401, ..fault(None, None, message.to_owned()) }),
    }
}
