//! How long a text is, in tokens: an estimate that anyone can work out by hand.

/// Returns the length of so many bytes: a quarter, rounded up.
pub(crate) const fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(4) as u64
}
