//! Bounds of the fakes.

/// Longest request body that the harness reads, in bytes; vendors refuse earlier.
pub(crate) const BODY_BYTES_MAX: usize = 128 << 20;

/// Longest request body that the Messages API takes, in bytes.
pub(crate) const MESSAGES_BODY_BYTES_MAX: usize = 32 << 20;

/// Longest name of a tool at the Messages API, in characters.
pub(crate) const TOOL_NAME_CHARS_MAX: usize = 128;

/// Most messages in one request to the Messages API.
pub(crate) const MESSAGES_MAX: usize = 100_000;

/// Most deferred tools that may be available after any message, and most tools that messages define.
pub(crate) const AVAILABLE_TOOLS_MAX: usize = 10_000;

/// Most bytes of the tool definitions that stand in messages and are still available.
pub(crate) const INLINE_DEFINITIONS_BYTES_MAX: usize = 4 << 20;

/// Most blocks that may be marked for the cache in one request.
pub(crate) const CACHE_MARKS_MAX: usize = 4;

/// Smallest budget for thoughts, in tokens.
pub(crate) const THINKING_BUDGET_TOKENS_MIN: u64 = 1_024;

/// Most tools in one request that may be held to their schema.
pub(crate) const STRICT_TOOLS_MAX: usize = 20;
