//! Every bound of this crate: one name, one unit, one place.

/// Largest file of settings that is read, in bytes.
///
/// Some clients keep years of history in the file that also names their servers.
pub const CONFIG_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Most files that one file of settings may import, in files.
pub const IMPORTS_MAX: usize = 64;

/// Most upstreams of one gateway, in upstreams.
pub const UPSTREAMS_MAX: usize = 1_000;

/// Longest id of an upstream, in characters.
pub const UPSTREAM_ID_CHARS_MAX: usize = 64;

/// Longest name of a foreign place or variable that a message repeats, in characters.
pub const SHOWN_NAME_CHARS_MAX: usize = 64;

/// Answer budget of a search that nobody has set, in bytes.
pub const ANSWER_BYTES_DEFAULT: usize = 3_200;

/// Smallest answer budget of a search that can be asked for, in bytes.
pub const ANSWER_BYTES_MIN: usize = 400;

/// Largest answer budget of a search that can be asked for, in bytes.
pub const ANSWER_BYTES_MAX: usize = 1_000_000;

/// Longest time that can be asked for anywhere in the settings, in seconds: a day.
pub const TIMEOUT_SECONDS_MAX: u64 = 24 * 60 * 60;

/// Largest size of a message or a result that can be asked for, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 256 * 1024 * 1024;

/// Largest count of anything that can be asked for in the limits of a gateway.
pub const COUNT_MAX: usize = 1_000_000;

/// Shortest text in a place for secrets that looks like one, in characters.
pub const SECRET_CHARS_MIN: usize = 16;
