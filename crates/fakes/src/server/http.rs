//! The server over HTTP: it reads requests, asks `respond`, and writes answers, cut ones included.

use std::io;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use futures_util::stream::{self, StreamExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::yield_now;

use super::respond::{Outgoing, respond};
use super::state::Shared;
use crate::Asked;
use crate::limits::BODY_BYTES_MAX;

/// Serves until `stopped` resolves and the requests under way are answered.
pub(super) async fn serve(
    listener: TcpListener,
    shared: Arc<Shared>,
    stopped: oneshot::Receiver<()>,
) -> io::Result<()> {
    let router = Router::new().fallback(handle).with_state(shared);
    axum::serve(listener, router)
        .with_graceful_shutdown(async {
            let _ = stopped.await;
        })
        .await
}

async fn handle(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    if head.method != Method::POST {
        return status_only(StatusCode::METHOD_NOT_ALLOWED);
    }
    let Ok(body) = to_bytes(body, BODY_BYTES_MAX).await else {
        return status_only(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let headers = head.headers.iter().map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    let asked = Asked {
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: headers.collect(),
        ..Asked::default()
    };
    written(respond(&shared, asked, &body))
}

/// Turns an answer into a response.
fn written(outgoing: Outgoing) -> Response {
    let Outgoing { status, headers, chunks, length, is_cut } = outgoing;
    let chunks = stream::iter(chunks.into_iter().map(Ok));
    let cut = stream::iter(is_cut.then_some(())).then(|()| async {
        // Only what has left the buffer arrives; the connection is flushed while its body waits.
        yield_now().await;
        Err(io::Error::other("the script cuts the connection here"))
    });
    let mut response = Response::new(Body::from_stream(chunks.chain(cut)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    if let Some(length) = length {
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    response
}

fn status_only(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}
