//! Bounds of the fakes.

/// Longest request body that the harness reads, in bytes; vendors refuse earlier.
pub(crate) const BODY_BYTES_MAX: usize = 128 << 20;

/// Tools of one request at OpenAI, and calls of one assistant message.
pub(crate) const OPENAI_TOOLS_MAX: usize = 128;

/// Characters of a tool's name at OpenAI.
pub(crate) const OPENAI_NAME_CHARS_MAX: usize = 64;

/// Characters of the id of a call in Chat Completions.
pub(crate) const OPENAI_CALL_ID_CHARS_MAX: usize = 40;

/// Properties of a strict schema, its nested objects included.
pub(crate) const STRICT_PROPERTIES_MAX: usize = 5_000;

/// Levels of nested objects and arrays in a strict schema.
pub(crate) const STRICT_DEPTH_MAX: usize = 10;

/// Characters of all names and fixed values of a strict schema together.
pub(crate) const STRICT_CHARS_MAX: usize = 120_000;

/// Fixed values of a strict schema.
pub(crate) const STRICT_VALUES_MAX: usize = 1_000;

/// Tokens of the shortest prefix that OpenAI keeps.
pub(crate) const OPENAI_PREFIX_TOKENS_MIN: u64 = 1_024;

/// Fewest tokens of output that the Responses API can be held to.
pub(crate) const RESPONSES_OUTPUT_TOKENS_MIN: i64 = 16;

/// Characters of the id of an item in the Responses API.
pub(crate) const RESPONSES_ITEM_ID_CHARS_MAX: usize = 64;

/// Characters of a function's name at Gemini.
pub(crate) const GEMINI_NAME_CHARS_MAX: usize = 128;

/// Characters of a parameter's name at Gemini.
pub(crate) const GEMINI_PARAMETER_CHARS_MAX: usize = 64;

/// Tokens of the shortest prefix that Gemini keeps without being asked.
pub(crate) const GEMINI_PREFIX_TOKENS_MIN: u64 = 1_024;

/// Tokens of Ollama's context where a request names none; what is longer loses its beginning without a word.
pub(crate) const OLLAMA_CONTEXT_TOKENS_MAX: u64 = 4_096;
