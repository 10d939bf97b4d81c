//! The body of an answer: one message, or a stream of them.

use oncue_sse::{Event, Sse};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use super::unsent;
use crate::{Message, TransportError, TransportErrorKind};

/// What the body is, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One message.
    Json,
    /// A stream of events.
    Events,
    /// Nothing.
    Empty,
}

/// Returns what the body of an answer is.
pub(super) fn kind(response: &Response) -> Result<Kind, TransportError> {
    let header = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = header.and_then(|text| text.split(';').next()).unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        Ok(Kind::Json)
    } else if essence.eq_ignore_ascii_case("text/event-stream") {
        Ok(Kind::Events)
    } else if response.status().as_u16() == 202 || essence.is_empty() {
        Ok(Kind::Empty)
    } else {
        let message = format!("the answer is `{essence}`, neither JSON nor a stream of events");
        Err(TransportError::new(TransportErrorKind::Protocol, message))
    }
}

/// Reads a body of at most `bytes_max` bytes.
pub(super) async fn body(
    response: &mut Response,
    bytes_max: usize,
) -> Result<Vec<u8>, TransportError> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(unsent)? {
        if body.len() + piece.len() > bytes_max {
            return Err(too_long(bytes_max));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// Reads a body that is one message.
pub(super) async fn message(
    response: &mut Response,
    bytes_max: usize,
) -> Result<Message, TransportError> {
    let body = body(response, bytes_max).await?;
    Message::read(&body)
        .map_err(|error| TransportError::new(TransportErrorKind::Protocol, error.to_string()))
}

/// A body that is a stream of events. Lives as long as the stream.
pub(super) struct Events {
    response: Response,
    sse: Sse,
    ready: std::collections::VecDeque<Event>,
}

impl Events {
    pub(super) fn new(response: Response, bytes_max: usize) -> Self {
        Self { response, sse: Sse::new(bytes_max), ready: std::collections::VecDeque::new() }
    }

    /// Returns the next event; nothing at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, TransportError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            let Some(piece) = self.response.chunk().await.map_err(unsent)? else {
                return Ok(None);
            };
            let events = self.sse.feed(&piece).map_err(|error| too_long(error.bytes_max))?;
            self.ready.extend(events);
        }
    }

    /// Returns behind which event the stream would go on, where it can.
    pub(super) fn last_id(&self) -> Option<String> {
        self.sse.last_id().filter(|id| !id.is_empty()).map(str::to_owned)
    }

    /// Returns how long to wait before it is opened again, in milliseconds, where the server says so.
    pub(super) const fn retry_ms(&self) -> Option<u64> {
        self.sse.retry_ms()
    }
}

/// Returns the message of an event; nothing where it carries none.
pub(super) fn of_event(event: &Event) -> Option<Message> {
    let is_message = matches!(&*event.name, "" | "message");
    if !is_message || event.data.trim().is_empty() {
        return None;
    }
    let read = Message::read(event.data.as_bytes());
    read.inspect_err(|error| tracing::debug!(%error, "an event that is no message is skipped")).ok()
}

fn too_long(bytes_max: usize) -> TransportError {
    let message = format!("the answer is longer than {bytes_max} bytes");
    TransportError::new(TransportErrorKind::TooLong, message)
}
