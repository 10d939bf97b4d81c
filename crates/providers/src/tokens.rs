//! Lengths in tokens, as far as they can be told without a vendor's tokenizer.

/// Bytes of one token, as a rule of thumb for English and JSON.
pub(crate) const BYTES_PER_TOKEN: u64 = 4;

/// Length of a picture, in tokens; vendors count by its size in pixels, up to about this.
pub(crate) const PICTURE: u64 = 1_600;

/// Returns about how many tokens `text` has.
pub(crate) fn estimate(text: &str) -> u64 {
    (text.len() as u64).div_ceil(BYTES_PER_TOKEN)
}
