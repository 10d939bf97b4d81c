//! Every bound of this crate: one name, one unit, one place.

use std::time::Duration;

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

/// Shortest pause before an upstream that failed is started again.
pub(crate) const BACKOFF_TIME_MIN: Duration = Duration::from_millis(500);

/// Longest pause before an upstream that failed is started again.
pub(crate) const BACKOFF_TIME_MAX: Duration = Duration::from_secs(30);

/// Ends within [`BREAKER_WINDOW`] after which an upstream is left alone, in times.
pub(crate) const BREAKER_ENDS_MAX: usize = 5;

/// How long an end counts.
pub(crate) const BREAKER_WINDOW: Duration = Duration::from_secs(60);

/// How long an upstream that fails again and again is left alone.
pub(crate) const BREAKER_OPEN_TIME: Duration = Duration::from_secs(300);

/// How long a call may go on without a sign of life, unless the settings say otherwise.
pub const CALL_TIME_DEFAULT: Duration = Duration::from_secs(60);

/// How long a call may go on in all, however much progress it tells.
pub const CALL_TIME_TOTAL_MAX: Duration = Duration::from_secs(600);

/// How long an upstream may take to start, unless the settings say otherwise.
pub const START_TIME_DEFAULT: Duration = Duration::from_secs(30);

/// How long an upstream may be idle before it is stopped, unless the settings say otherwise.
pub const IDLE_TIME_DEFAULT: Duration = Duration::from_secs(600);

/// Calls of one upstream that run at once, unless the settings say otherwise, in calls; more wait.
pub const CALLS_PER_UPSTREAM_MAX: usize = 32;

/// Time that processes have to end by themselves after the gateway has died.
pub(crate) const WATCHDOG_GRACE_TIME: Duration = Duration::from_millis(500);

/// Longest name of the gateway in a client's file, in characters.
///
/// Clients put it in front of tools' names, whose length model vendors bound.
pub const ENTRY_NAME_CHARS_MAX: usize = 32;
