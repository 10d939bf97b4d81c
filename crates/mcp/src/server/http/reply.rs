//! Answers: a status, one message, a stream of messages.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use tokio::sync::mpsc;

use super::Refusal;
use crate::limits::KEEP_ALIVE_TIME;
use crate::{Message, code};

/// What is answered to what is no request.
pub(super) fn plain(status: StatusCode, text: &str) -> Response {
    (status, text.to_owned()).into_response()
}

pub(super) fn not_allowed() -> Response {
    let text = "only POST is answered here; GET and DELETE want a session";
    (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "POST")], text).into_response()
}

pub(super) fn refusal(refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::FORBIDDEN);
    let mut response = plain(status, &refusal.message);
    for (name, value) in &refusal.headers {
        let name = HeaderName::try_from(*name);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(value)) {
            response.headers_mut().append(name, value);
        }
    }
    response
}

/// One message.
pub(super) fn message(status: StatusCode, message: &Message) -> Response {
    let json = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, json)], Body::from(message.to_bytes())).into_response()
}

/// Returns the status that goes with an answer of the newer era.
pub(super) fn status(message: &Message) -> StatusCode {
    let Message::Response(response) = message else { return StatusCode::OK };
    match response.outcome.as_ref().map_err(|error| error.code) {
        Err(
            code::UNSUPPORTED_VERSION | code::MISSING_CLIENT_CAPABILITY | code::HEADER_MISMATCH,
        ) => StatusCode::BAD_REQUEST,
        Err(code::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// A stream of messages, until no more can come.
pub(super) fn stream(messages: mpsc::Receiver<Message>) -> Response {
    streamed(stream::unfold(messages, |mut messages| async {
        messages.recv().await.map(|message| (message, messages))
    }))
}

/// A stream of these messages.
pub(super) fn streamed(messages: impl Stream<Item = Message> + Send + 'static) -> Response {
    use futures_util::StreamExt;
    let events = messages.map(|message| {
        let text = String::from_utf8(message.to_bytes()).unwrap_or_default();
        Ok::<_, Infallible>(Event::default().event("message").data(text))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(KEEP_ALIVE_TIME.as_secs()));
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    // Proxies that gather answers would hold events back.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
