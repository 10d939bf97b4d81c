//! Paths of requests: the model is a part of them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What the specification of addresses leaves as it is.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the path on which `action` is done with a model.
pub(super) fn path(model: &str, action: &str) -> String {
    format!("/model/{}/{action}", utf8_percent_encode(model, KEPT))
}
