//! Counts of tokens of vendors that count what was read from a cache within the prompt.

use oncue_agent::Usage;

/// Returns the cost of a reply whose prompt holds what was read from a cache and what was written to one.
pub(crate) fn within(prompt: u64, read: u64, written: u64, output: u64) -> Usage {
    let cache_read = read.min(prompt);
    let cache_write = written.min(prompt - cache_read);
    Usage { uncached: prompt - cache_read - cache_write, cache_read, cache_write, output }
}
