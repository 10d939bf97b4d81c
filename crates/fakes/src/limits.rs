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

/// Longest body of a request to the cloud's runtime, in bytes.
pub(crate) const RUNTIME_BODY_BYTES_MAX: usize = 25_000_000;

/// Longest name of a tool and longest id of a call at the cloud's runtime, in characters.
pub(crate) const RUNTIME_NAME_CHARS_MAX: usize = 64;

/// Longest name by which a message of the cloud's runtime refers to a tool, in characters.
pub(crate) const RUNTIME_REFERENCE_CHARS_MAX: usize = 128;

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

/// Texts of one request to OpenAI's embedding models.
pub(crate) const EMBEDDINGS_INPUTS_MAX: usize = 2_048;

/// Tokens of one text that OpenAI's embedding models take.
pub(crate) const EMBEDDINGS_TOKENS_MAX: u64 = 8_192;

/// Tokens of all texts of one request to OpenAI's embedding models.
pub(crate) const EMBEDDINGS_REQUEST_TOKENS_MAX: u64 = 300_000;
