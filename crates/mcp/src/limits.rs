//! Every bound of the crate, with its unit.

use std::time::Duration;

/// Longest message from a server, in bytes: a line, a body or an event.
pub const UPSTREAM_MESSAGE_BYTES_MAX: usize = 8 << 20;

/// Longest message from a client, in bytes.
pub const CLIENT_MESSAGE_BYTES_MAX: usize = 4 << 20;

/// Time that a client over HTTP has to send the body of a request.
pub(crate) const BODY_TIME_MAX: Duration = Duration::from_secs(30);

/// Messages that wait to be written to a peer that does not read, in messages.
pub(crate) const WRITES_WAITING_MAX: usize = 64;

/// Requests of the other side that are worked on at once, in requests.
pub const REQUESTS_IN_FLIGHT_MAX: usize = 256;

/// What is kept of the standard error of a child, in bytes; the newest of it.
pub const STDERR_TAIL_BYTES_MAX: usize = 64 << 10;

/// What is shown of one line of it, in characters; the end of it.
pub const STDERR_LINE_CHARS_MAX: usize = 1_000;

/// Pages of one list, in pages.
pub const PAGES_MAX: usize = 1_000;

/// Time that all pages of a list may take together.
pub const LIST_TIME_MAX: Duration = Duration::from_secs(30);

/// Time that a server has for its answer to the first question, which era it speaks, before it is taken for one of the older era that leaves unknown methods unanswered.
pub const PROBE_TIME_MAX: Duration = Duration::from_secs(10);

/// Time that a child has to end after its input was closed and it was asked to, each, before it is killed.
pub const STOP_TIME_MAX: Duration = Duration::from_secs(1);

/// Lines of a child's output that are no messages, each of which is told, in lines; the others are counted alone.
pub const NOISE_LINES_TOLD_MAX: u64 = 20;

/// Shortest pause before a stream that ended is opened again.
pub(crate) const RECONNECT_TIME_MIN: Duration = Duration::from_secs(1);

/// Longest pause before a stream that ended is opened again.
pub(crate) const RECONNECT_TIME_MAX: Duration = Duration::from_secs(30);

/// How often the stream of one answer is opened again, in times.
pub(crate) const RESUMPTIONS_MAX: usize = 5;

/// Time that a server behind HTTP has to take a message that has no answer.
pub(crate) const TELL_TIME_MAX: Duration = Duration::from_secs(10);

/// Time that a server has to hear that a session is over.
pub(crate) const CLOSE_TIME_MAX: Duration = Duration::from_secs(2);

/// Sessions of the older era over HTTP, in sessions.
pub const SESSIONS_MAX: usize = 4_096;

/// Time after which a session that nobody used may be forgotten.
pub const SESSION_IDLE_TIME_MAX: Duration = Duration::from_secs(60 * 60);

/// Messages that are kept for a session that does not listen, in messages; the newest of them.
pub const BACKLOG_MESSAGES_MAX: usize = 100;

/// Time between two signs of life on a stream that has nothing to say.
pub(crate) const KEEP_ALIVE_TIME: Duration = Duration::from_secs(15);
