//! Servers behind HTTP.
//!
//! | file | holds |
//! |---|---|
//! | `streamable` | one address, a request a POST, in both eras ([`Streamable`]) |
//! | `two_ends` | the oldest form: one stream to listen to, one address to post to ([`TwoEnds`]) |
//! | `answer` | the body of an answer: one message, or a stream of them |
//! | `headers` | what the newest version says in headers too |
//! | `mirror` | arguments that are said in headers too ([`Mirror`]) |

mod answer;
mod headers;
mod mirror;
mod streamable;
mod two_ends;

use reqwest::header::HeaderMap;

pub(crate) use headers::named_by;
pub use headers::{decoded, encoded};
pub use mirror::{Mirror, mirrors};
pub use streamable::Streamable;
pub use two_ends::TwoEnds;

use crate::limits::TELL_TIME_MAX;
use crate::{TransportError, TransportErrorKind};

/// What an answer may be.
const ACCEPT: &str = "application/json, text/event-stream";

/// The header that says which version is spoken.
pub const VERSION_HEADER: &str = "mcp-protocol-version";
/// The header that says which session a request belongs to.
pub const SESSION_HEADER: &str = "mcp-session-id";
/// The header that says behind which event a stream goes on.
pub const LAST_EVENT_HEADER: &str = "last-event-id";
/// The header that says which method a request calls.
pub const METHOD_HEADER: &str = "mcp-method";
/// The header that says what a method is called with: a tool, a prompt, a resource, a task.
pub const NAME_HEADER: &str = "mcp-name";
/// What stands in front of the names of headers that repeat arguments.
pub const PARAM_HEADER_PREFIX: &str = "mcp-param-";

/// Where a server is and how it is spoken to.
#[derive(Clone, Debug)]
pub struct Remote {
    /// Its address.
    pub url: reqwest::Url,
    /// Headers of every request, such as a credential; those of the protocol are put over them.
    pub headers: HeaderMap,
    /// Longest message that is taken from it, in bytes.
    pub bytes_max: usize,
}

/// Returns the failure that a status is; nothing for one that says that it went well.
fn failure(response: &reqwest::Response) -> Option<TransportError> {
    let status = response.status();
    if status.is_success() {
        return None;
    }
    let header = |name: &str| {
        response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    };
    if status.is_redirection() {
        let to = header("location").unwrap_or_default();
        let message = format!(
            "the server answers with {status} and sends us to `{to}`, which is not followed; give that address if it is the right one"
        );
        return Some(TransportError::new(TransportErrorKind::Redirect, message));
    }
    let retry_after_s = header("retry-after").and_then(|text| text.trim().parse().ok());
    let kind = TransportErrorKind::Status {
        status: status.as_u16(),
        challenge: header("www-authenticate"),
        retry_after_s,
    };
    Some(TransportError::new(kind, format!("the server answers with {status}")))
}

/// Gives what has no answer its time to be taken.
async fn within_tell_time(
    telling: impl Future<Output = Result<(), TransportError>>,
) -> Result<(), TransportError> {
    tokio::time::timeout(TELL_TIME_MAX, telling).await.unwrap_or_else(|_| {
        let why = format!("the server did not take a message within {} s", TELL_TIME_MAX.as_secs());
        Err(TransportError::new(TransportErrorKind::Io, why))
    })
}

/// Returns the failure to send a request, without its address: that may hold a secret.
fn unsent(error: reqwest::Error) -> TransportError {
    let kind = match error.is_connect() || error.is_timeout() {
        true => TransportErrorKind::Unreachable,
        false => TransportErrorKind::Io,
    };
    let error = error.without_url();
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        message = format!("{message}: {error}");
        cause = error.source();
    }
    TransportError::new(kind, message)
}
