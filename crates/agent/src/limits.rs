//! Every bound of this crate: one name, one unit, one place.

use std::time::Duration;

/// Model calls of a turn unless told otherwise, in steps.
pub const STEPS_DEFAULT: u32 = 40;

/// Calls of tools of a turn unless told otherwise, its forks included, in calls.
pub const CALLS_DEFAULT: u64 = 400;

/// Tokens of a turn unless told otherwise, prompts and replies, its forks included, in tokens.
pub const TOKENS_DEFAULT: u64 = 4_000_000;

/// Length of a turn unless told otherwise, waiting for people excepted.
pub const TIME_DEFAULT: Duration = Duration::from_secs(60 * 60);

/// Length of one reply of a model unless told otherwise.
pub const MODEL_TIME_DEFAULT: Duration = Duration::from_secs(10 * 60);

/// Length of one call of a tool unless told otherwise.
pub const CALL_TIME_DEFAULT: Duration = Duration::from_secs(60);

/// Attempts at one reply, the first included, in requests.
pub const ATTEMPTS_MAX: u32 = 5;

/// Pause before the second attempt where the endpoint asks for none; it doubles from attempt to attempt.
pub const PAUSE_MIN: Duration = Duration::from_millis(500);

/// Longest pause between attempts, in whatever way it was asked for; an endpoint that wants longer is given up.
pub const PAUSE_MAX: Duration = Duration::from_secs(60);

/// How often one call with the same arguments may fail before it is answered without being run, in calls.
pub const SAME_FAILURES_MAX: u32 = 2;

/// Longest query that the loop makes of a user's words, in bytes.
pub const PRELOAD_QUERY_BYTES_MAX: usize = 1_000;

/// How deep turns may stand within each other, in forks.
pub const FORK_DEPTH_MAX: u32 = 4;

/// Most tools that a reply may name for it to mean one of them, in tools.
pub(crate) const NAMED_TOOLS_MAX: usize = 3;
