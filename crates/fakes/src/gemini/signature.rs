//! Signatures of thoughts: opaque to clients, who send them back where they came.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What clients may send in the place of a signature that they never had.
const SKIPS: [&str; 2] =
    ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/// Returns the signature of piece `at` of reply `number`: a call of this function, or of none.
pub(super) fn sign(number: u64, at: usize, function: &str) -> String {
    STANDARD.encode(format!("thought/{number}/{at}/{function}"))
}

/// Says whether a signature stands on a call of the function that it was made for.
pub(super) fn is_of(signature: &str, function: &str) -> bool {
    let signed = STANDARD.decode(signature).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let is_ours = signed.is_some_and(|signed| {
        signed.starts_with("thought/") && signed.rsplit('/').next() == Some(function)
    });
    is_ours || SKIPS.contains(&signature)
}
