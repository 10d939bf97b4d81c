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

/// Age from which a file that was never put in its place is a leftover of a crash.
pub(crate) const LEFTOVER_AGE_MIN: Duration = Duration::from_secs(3_600);

/// Most tokens of one store, those that are revoked or have expired too, in tokens.
pub const TOKENS_MAX: usize = 1_000;

/// Longest name of a principal of a token, in characters.
pub const PRINCIPAL_CHARS_MAX: usize = 128;

/// How exactly the last use of a token is kept.
pub(crate) const TOKEN_USE_STEP: Duration = Duration::from_secs(3_600);

/// Largest `Authorization` header that is looked at, in bytes.
pub(crate) const AUTHORIZATION_BYTES_MAX: usize = 8 * 1024;

/// Most grants that are kept ready for the next request, in pairs of a principal and a scope.
pub(crate) const GRANTS_CACHED_MAX: usize = 4_096;

/// Records that wait for the writer, in records; who has one more waits.
pub const AUDIT_WAITING_MAX: usize = 1_024;

/// Records that are written and made lasting at once, in records.
pub(crate) const AUDIT_BATCH_MAX: usize = 256;

/// Size from which a new file of records is begun, in bytes.
pub const AUDIT_FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Longest text in a record, in characters; longer ones are cut and say so.
pub const AUDIT_TEXT_CHARS_MAX: usize = 1_024;

/// Longest line of a record, in bytes.
pub(crate) const AUDIT_LINE_BYTES_MAX: usize = 64 * 1024;

/// Records that may be written before number and digest of the last one are kept apart again, in records.
pub(crate) const AUDIT_HEAD_LAG_MAX: u64 = 1_024;
