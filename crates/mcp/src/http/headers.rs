//! What the newest version says in headers too, so that whatever stands between both sides need not read bodies (SEP-2243).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::value::RawValue;

use super::{METHOD_HEADER, Mirror, NAME_HEADER, PARAM_HEADER_PREFIX};
use crate::Members;

/// Stands before and behind a value that cannot be a header as it is.
const SENTINEL: (&str, &str) = ("=?base64?", "?=");

/// Returns the member of the parameters that names what `method` is called with.
#[must_use]
pub(crate) fn named_by(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// Adds the headers of a message that calls `method`.
pub(super) fn put(
    headers: &mut HeaderMap,
    method: &str,
    params: Option<&RawValue>,
    mirrors: impl FnOnce(&str) -> Vec<Mirror>,
) {
    insert(headers, METHOD_HEADER, method);
    let Some(member) = named_by(method) else { return };
    let params = Members::of(params).unwrap_or_default();
    let Some(name) = params.read::<String>(member) else { return };
    insert(headers, NAME_HEADER, &name);
    if method != "tools/call" {
        return;
    }
    for mirror in mirrors(&name) {
        if let Some(value) = mirror.value(params.get("arguments")) {
            insert(headers, &format!("{PARAM_HEADER_PREFIX}{}", mirror.header), &value);
        }
    }
}

fn insert(headers: &mut HeaderMap, name: &str, value: &str) {
    let name = HeaderName::from_bytes(name.to_ascii_lowercase().as_bytes());
    let value = HeaderValue::from_str(&encoded(value));
    if let (Ok(name), Ok(value)) = (name, value) {
        headers.insert(name, value);
    }
}

/// Returns a value as it can stand in a header: as it is, or in base64 between marks.
///
/// ```
/// use oncue_mcp::http::encoded;
///
/// assert_eq!(encoded("export"), "export");
/// assert_eq!(encoded("é"), "=?base64?w6k=?=");
/// ```
#[must_use]
pub fn encoded(value: &str) -> String {
    let (head, tail) = SENTINEL;
    let is_plain = value.bytes().all(|byte| matches!(byte, 0x20..=0x7e));
    let is_trimmed = value.trim_matches([' ', '\t']) == value;
    let looks_encoded = value.starts_with(head) && value.ends_with(tail);
    match is_plain && is_trimmed && !looks_encoded {
        true => value.to_owned(),
        false => format!("{head}{}{tail}", STANDARD.encode(value)),
    }
}

/// Returns the value that a header stands for; nothing where it is between marks and no base64 of a text.
#[must_use]
pub fn decoded(header: &str) -> Option<String> {
    let (head, tail) = SENTINEL;
    match header.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail)) {
        None => Some(header.to_owned()),
        Some(inner) => String::from_utf8(STANDARD.decode(inner).ok()?).ok(),
    }
}
