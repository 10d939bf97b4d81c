//! Every bound of this crate: one name, one unit, one place.

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
