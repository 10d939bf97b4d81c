//! Every bound of this crate: one name, one unit, one place.

use std::time::Duration;

/// Longest text in which the lenient reader looks for calls, in bytes; a longer one is text.
pub const LENIENT_TEXT_BYTES_MAX: usize = 1_000_000;

/// Most calls that the lenient reader takes from one text, in calls; further ones are dropped.
pub const LENIENT_CALLS_MAX: usize = 128;

/// Deepest nesting of what the lenient reader takes for JSON, in objects and lists.
pub const LENIENT_DEPTH_MAX: usize = 64;

/// Most brackets that the lenient reader adds to the end of a value that lacks them: a call, its arguments and the list around it.
pub const LENIENT_CLOSERS_MAX: usize = 3;

/// How often arguments may be wrapped in a string, in strings.
pub const LENIENT_UNWRAPS_MAX: usize = 3;

/// Longest name of a tool that the lenient reader takes for one, in bytes.
pub const LENIENT_NAME_BYTES_MAX: usize = 256;

/// How much the lenient reader may read in vain, in bytes for each byte of the text; then the rest is text.
///
/// Every opening bracket may begin a value that breaks off at the end of the text, so without a bound the work would grow with the square of its length.
pub const LENIENT_WORK_PER_BYTE_MAX: usize = 8;

/// Longest schema that is read in order to be rewritten, in bytes; a longer one that must be is left out.
pub const SCHEMA_BYTES_MAX: usize = 1_000_000;

/// How many references in a row are followed to one schema, in references.
pub const SCHEMA_HOPS_MAX: usize = 16;

/// How deep a schema without references may become, in schemas within schemas.
pub const SCHEMA_INLINED_DEPTH_MAX: usize = 24;

/// How many subschemas a schema without references may have; references that double at each level would fill a request.
pub const SCHEMA_INLINED_NODES_MAX: usize = 2_000;

/// Most properties of a strict schema, in properties.
pub const STRICT_PROPERTIES_MAX: usize = 5_000;

/// Deepest nesting of a strict schema, in objects and lists.
pub const STRICT_DEPTH_MAX: usize = 10;

/// Most fixed values in a strict schema, in values.
pub const STRICT_VALUES_MAX: usize = 1_000;

/// Longest names and fixed values of a strict schema, all together, in characters.
pub const STRICT_NAMES_CHARS_MAX: usize = 120_000;

/// Longest name of a parameter where a vendor bounds it, in characters.
pub const PARAMETER_CHARS_MAX: usize = 64;

/// Most tools of one request to OpenAI, in tools.
pub const OPENAI_TOOLS_MAX: usize = 128;

/// Longest id of a call in a conversation that is sent to OpenAI's Chat Completions, in characters; it refuses longer ones.
pub const CHAT_ID_CHARS_MAX: usize = 40;

/// Longest id of a call in a conversation that is sent to OpenAI's Responses, in characters.
pub const RESPONSES_ID_CHARS_MAX: usize = 64;

/// Longest wait for a connection, name look-up and TLS included, in seconds.
pub const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// Longest wait for the first byte of an answer, in seconds.
///
/// An answer that is not streamed comes when all of it is written, and a small machine may read a long prompt for minutes.
pub const FIRST_BYTE_TIME_MAX: Duration = Duration::from_secs(600);

/// Longest silence between two pieces of an answer that has begun, in seconds.
pub const SILENCE_TIME_MAX: Duration = Duration::from_secs(120);

/// Longest wait for the end of a connection whose answer is complete, in seconds; afterwards it is dropped.
pub const LAST_BYTE_TIME_MAX: Duration = Duration::from_secs(1);

/// Longest answer that is read, in bytes.
pub const ANSWER_BYTES_MAX: usize = 64 << 20;

/// Longest event of a stream, in bytes.
pub const EVENT_BYTES_MAX: usize = 16 << 20;

/// Most texts of one request to an embedding model, in texts; some servers take no more.
pub const EMBEDDING_TEXTS_MAX: usize = 32;

/// Longest texts of one request to an embedding model, all together, in bytes; one text goes in any case.
pub const EMBEDDING_REQUEST_BYTES_MAX: usize = 64 << 10;

/// How much of a text an embedding model is given, what it wants in front not counted, in bytes.
///
/// Many models read 512 tokens and many servers refuse more; Chinese has about one token for 3 bytes, English one for 4.
pub const EMBEDDING_TEXT_BYTES_MAX: usize = 1_500;

/// Most numbers of a vector, in numbers.
pub const EMBEDDING_WIDTH_MAX: usize = 16_384;

/// Longest wait for the vectors of one request, in seconds; a server may load its model first.
pub const EMBEDDING_TIME_MAX: Duration = Duration::from_secs(120);

/// Longest wait for the vectors of a query, in seconds; then the search goes by words.
pub const EMBEDDING_QUERY_TIME_MAX: Duration = Duration::from_secs(3);

/// Shortest time for which an embedding model is left alone after a failure, in seconds; it doubles from failure to failure.
pub const EMBEDDING_REST_MIN: Duration = Duration::from_secs(5);

/// Longest time for which an embedding model is left alone after failures, in seconds.
pub const EMBEDDING_REST_MAX: Duration = Duration::from_secs(300);

/// Most texts of queries whose vectors are remembered, in texts.
pub const EMBEDDING_QUERIES_KEPT_MAX: usize = 256;

/// How much of the body of an error is read, in bytes.
pub const ERROR_BYTES_MAX: usize = 64 << 10;

/// How much of what an endpoint said stands in an error, in characters.
pub const ERROR_CHARS_MAX: usize = 1_000;

/// Longest file that is read as a key, in bytes.
pub const KEY_BYTES_MAX: u64 = 64 << 10;

/// Most tools of one request to Anthropic, hidden ones included, in tools.
pub const ANTHROPIC_TOOLS_MAX: usize = 10_000;

/// Longest reply of a request to Anthropic that names no length, in tokens; the protocol demands one, and thoughts count.
pub const ANTHROPIC_OUTPUT_TOKENS: u32 = 16_000;

/// Shortest time for which credentials must last to be used once more, in seconds.
#[cfg(feature = "bedrock")]
pub const CREDENTIALS_TIME_LEFT_MIN: Duration = Duration::from_secs(60);
