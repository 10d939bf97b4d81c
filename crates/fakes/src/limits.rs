//! Bounds of the fakes.

/// Longest request body that the harness reads, in bytes; vendors refuse earlier.
pub(crate) const BODY_BYTES_MAX: usize = 128 << 20;
