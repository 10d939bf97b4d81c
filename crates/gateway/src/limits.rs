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

/// Most keywords that the settings add to one tool, in words.
pub const KEYWORDS_MAX: usize = 32;

/// Longest keyword that the settings add to a tool, in characters.
pub const KEYWORD_CHARS_MAX: usize = 64;

/// Keywords that the settings add to one tool, in bytes of all of them: what a search reads.
pub const KEYWORDS_BYTES_MAX: usize = oncue_search::limits::LABEL_BYTES_MAX;

/// Longest name of a foreign place or variable that a message repeats, in characters.
pub const SHOWN_NAME_CHARS_MAX: usize = 64;

/// Answer budget of a search that nobody has set, in bytes.
pub const ANSWER_BYTES_DEFAULT: usize = 3_200;

/// Smallest answer budget of a search that can be asked for, in bytes.
pub const ANSWER_BYTES_MIN: usize = 400;

/// Largest answer budget of a search that can be asked for, in bytes.
pub const ANSWER_BYTES_MAX: usize = 1_000_000;

/// What a token is taken for where tokens are estimated, in bytes.
pub const TOKEN_BYTES: usize = 4;

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

/// Tools that are taken of one upstream, in tools.
pub const TOOLS_MAX: usize = oncue_tools::limits::TOOLS_PER_SOURCE_MAX;

/// Resources, and templates of resources, that are taken of one upstream, in resources.
pub const RESOURCES_MAX: usize = 10_000;

/// Prompts that are taken of one upstream, in prompts.
pub const PROMPTS_MAX: usize = 1_000;

/// Largest definition of a first hit that is shown whole whatever the budget, in bytes.
pub(crate) const FIRST_HIT_BYTES_MAX: usize = 16_000;

/// Longest line about a tool that is not shown whole, in characters.
pub(crate) const SUMMARY_CHARS_MAX: usize = 160;

/// Longest kind of a required argument that is shown, in characters of JSON.
pub(crate) const REQUIRED_KINDS_CHARS_MAX: usize = 200;

/// Results of a search that does not say how many it wants, in tools.
pub const RESULTS_DEFAULT: usize = oncue_tools::limits::RESULTS_DEFAULT;

/// Most results of a search, in tools.
pub const RESULTS_MAX: usize = oncue_tools::limits::RESULTS_MAX;

/// Names of servers that the instructions list, in servers.
pub(crate) const SERVERS_SHOWN_MAX: usize = 30;

/// Names of tools that the instructions show of each server, in tools.
pub(crate) const SAMPLES_PER_SERVER: usize = 3;

/// How long an answer is held in `dynamic` sessions until the client has listed again.
pub(crate) const HOLD_TIME_MAX: Duration = Duration::from_millis(300);

/// How long an answer is held beyond that: a client takes a new list over some time after it has got it (20 ms were enough for the slowest one measured).
pub(crate) const SETTLE_TIME: Duration = Duration::from_millis(100);

/// Tools that a `dynamic` session keeps in its list, in tools; the oldest of them go first.
pub(crate) const DYNAMIC_TOOLS_MAX: usize = 64;

/// Tools on one page of a list, in tools.
pub(crate) const PAGE_TOOLS: usize = 1_000;

/// How long a search counts as made a moment ago.
pub(crate) const REPEAT_TIME: Duration = Duration::from_secs(300);

/// How long a call counts as made for a search.
pub(crate) const ASKED_TIME: Duration = Duration::from_secs(600);

/// Searches of each caller for which a call may have been made, in searches.
pub(crate) const ASKED_KEPT: usize = 16;

/// Longest file of searches that led to calls, in bytes; then nothing is added. A line has about 100.
pub(crate) const REQUESTS_FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Searches that are remembered of each caller, in searches.
pub(crate) const REPEATS_KEPT: usize = 16;

/// Callers whose searches are remembered, in callers.
pub(crate) const REPEAT_CALLERS_MAX: usize = 4_096;

/// Calls of one principal that run at once, unless the settings say otherwise, in calls.
pub const CALLS_PER_PRINCIPAL_MAX: usize = 64;

/// Calls that run at once in all, unless the settings say otherwise, in calls.
pub const CALLS_MAX: usize = 1_024;

/// Connections of clients over HTTP at once, unless the settings say otherwise, in connections; more wait.
pub const CONNECTIONS_MAX: usize = 4_096;

/// Time that a client has for the head of a request, and may keep a connection without one.
pub const HEAD_TIME_MAX: Duration = Duration::from_secs(30);

/// Time between two questions whether the client at a connection of HTTP/2 is still there.
pub(crate) const PING_TIME: Duration = Duration::from_secs(60);

/// Pause after a connection that could not be accepted.
pub(crate) const ACCEPT_AGAIN_TIME: Duration = Duration::from_millis(200);

/// Upstreams that are started at once to learn what they offer, in upstreams.
pub(crate) const REFRESHES_AT_ONCE: usize = 4;

/// Time between two readings of one upstream's lists while it has said only a few times that they have changed.
pub(crate) const REFRESH_TIME_QUICK: Duration = Duration::from_millis(100);

/// Shortest time between two readings of one upstream's lists when it has said so more often.
pub(crate) const REFRESH_TIME_MIN: Duration = Duration::from_secs(1);

/// Longest time between two readings of one upstream's lists while it says again and again that they have changed.
pub(crate) const REFRESH_TIME_MAX: Duration = Duration::from_secs(60);

/// Readings of one upstream's lists that follow each other quickly before they come further apart, in readings.
pub(crate) const REFRESHES_QUICK_MAX: u32 = 4;

/// Longest time that a call by a name which no tool has waits for one that its upstream is about to list.
pub(crate) const ARRIVAL_TIME_MAX: Duration = Duration::from_millis(250);

/// How long after a call of an upstream its list may change because of it.
pub(crate) const AFTER_CALL_TIME: Duration = Duration::from_secs(5);

/// Tools that are not offered any more and still known by name, in tools.
pub(crate) const GONE_TOOLS_MAX: usize = 1_000;

/// Time between two looks at whether an upstream is idle.
pub(crate) const IDLE_LOOK_TIME: Duration = Duration::from_secs(5);

/// Age from which a kept catalog is read anew in the background.
pub(crate) const CATALOG_AGE_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Changes that wait for whoever is slow to hear of them, in changes.
pub(crate) const CHANGES_WAITING_MAX: usize = 64;

/// Shortest pause before an upstream that stopped to tell changes is listened to again.
pub(crate) const LISTEN_AGAIN_TIME_MIN: Duration = Duration::from_secs(1);

/// Longest pause before an upstream that stopped to tell changes is listened to again.
pub(crate) const LISTEN_AGAIN_TIME_MAX: Duration = Duration::from_secs(30);

/// How long a person has to answer what an upstream asks during a call.
pub const ASK_TIME_MAX: Duration = Duration::from_secs(300);

/// Calls that wait for a client of the newer era to come back with answers, in calls of all principals.
pub const PARKED_CALLS_MAX: usize = 256;

/// Calls that wait so, in calls of one principal; each keeps one of the places at its upstream.
pub const PARKED_CALLS_PER_PRINCIPAL_MAX: usize = 8;

/// How often an upstream of the newer era may ask a client of the older one during a call, in times.
pub(crate) const ROUNDS_MAX: usize = 10;

/// What an upstream tells during a call and the client has not read yet, in messages; more of it is dropped.
pub(crate) const HEARD_WAITING_MAX: usize = 1_024;

/// How long a connection to a server behind HTTP may take.
pub(crate) const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// When a model is told to call again that a server wants to call later and does not say when, in seconds.
pub(crate) const RETRY_AFTER_SECONDS: u64 = 10;

/// Time that an upstream has to say that it is there, after it did not answer a call in time.
pub(crate) const EXAMINE_TIME_MAX: Duration = Duration::from_secs(5);

/// Text of a result that a model is given at once, unless the settings say otherwise, in bytes.
pub const RESULT_BYTES_DEFAULT: usize = 65_536;

/// Texts of long results that are kept for one principal, in bytes; longer results are not cut.
pub(crate) const KEPT_BYTES_PER_PRINCIPAL_MAX: usize = 16 << 20;

/// Texts of long results that are kept in all, in bytes.
pub(crate) const KEPT_BYTES_MAX: usize = 64 << 20;

/// How long the text of a long result is kept.
pub(crate) const KEPT_TIME_MAX: Duration = Duration::from_secs(3_600);

/// How deep the JSON of a result may nest, in values within values.
pub const RESULT_DEPTH_MAX: usize = 64;

/// Values in a result, in values.
pub const RESULT_NODES_MAX: usize = 100_000;

/// Blocks of content in a result, in blocks.
pub const RESULT_BLOCKS_MAX: usize = 256;

/// Longest name of the gateway in a client's file, in characters.
///
/// Clients put it in front of tools' names, whose length model vendors bound.
pub const ENTRY_NAME_CHARS_MAX: usize = 32;

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

/// How long a record waits for others to be made lasting together with it.
pub(crate) const AUDIT_GATHER_TIME: Duration = Duration::from_millis(10);

/// How long nothing is recorded before number and digest of the last record are kept apart.
pub(crate) const AUDIT_HEAD_TIME: Duration = Duration::from_millis(500);

/// How long the catalog is left as it is before what has changed is made searchable, unless a search comes first.
pub(crate) const INDEX_PAUSE_TIME: Duration = Duration::from_millis(300);

/// Shortest time until a model that was away is asked again what tools mean, in seconds; it doubles from failure to failure.
pub(crate) const EMBED_AGAIN_TIME_MIN: Duration = Duration::from_secs(10);

/// Longest time until a model that was away is asked again what tools mean, in seconds.
pub(crate) const EMBED_AGAIN_TIME_MAX: Duration = Duration::from_secs(300);
