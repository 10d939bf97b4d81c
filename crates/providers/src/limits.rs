//! Every bound of this crate: one name, one unit, one place.

use std::time::Duration;

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

/// How much of the body of an error is read, in bytes.
pub const ERROR_BYTES_MAX: usize = 64 << 10;

/// How much of what an endpoint said stands in an error, in characters.
pub const ERROR_CHARS_MAX: usize = 1_000;

/// Longest file that is read as a key, in bytes.
pub const KEY_BYTES_MAX: u64 = 64 << 10;

/// Schemas at the root of a tool's schema that are joined into one, each as often as it is referred to, in schemas.
pub const SCHEMAS_JOINED_MAX: usize = 200;

/// Most tools of one request to Anthropic, hidden ones included, in tools.
pub const ANTHROPIC_TOOLS_MAX: usize = 10_000;

/// Longest reply of a request to Anthropic that names no length, in tokens; the protocol demands one, and thoughts count.
pub const ANTHROPIC_OUTPUT_TOKENS: u32 = 16_000;
