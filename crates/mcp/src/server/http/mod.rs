//! Clients over HTTP, in both eras, behind one address.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`HttpEndpoint`]: from an HTTP request to its answer |
//! | `guard` | which hosts and origins are answered at all ([`Guard`]) |
//! | `standard` | headers that repeat the body, held against it |
//! | `post` | a message that a client posts |
//! | `sessions` | clients of the older era |
//! | `reply` | answers: a status, one message, a stream |

mod guard;
mod post;
mod reply;
mod sessions;
mod standard;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{Method, Request, StatusCode};
use axum::response::Response;
use oncue_tools::Principal;

pub use guard::Guard;

use super::Shared;
use crate::http::SESSION_HEADER;
use crate::limits::CLIENT_MESSAGE_BYTES_MAX;
use sessions::Sessions;

/// Says who a request is made by. Nothing of the request has been looked at but its head.
pub trait Admit: Send + Sync + 'static {
    /// Returns who makes the request.
    ///
    /// # Errors
    ///
    /// Nobody may make it so.
    fn admit(&self, head: &Parts) -> Result<Principal, Refusal>;
}

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// Headers, such as the challenge of a 401.
    pub headers: Vec<(&'static str, String)>,
    /// One sentence for a person.
    pub message: String,
}

impl Refusal {
    /// Returns the answer that says so.
    #[must_use]
    pub fn response(&self) -> Response {
        reply::refusal(self)
    }
}

/// One address for all clients over HTTP. Lives as long as the server; clones are the same endpoint.
#[derive(Clone)]
pub struct HttpEndpoint {
    inner: Arc<Inner>,
}

struct Inner {
    service: Shared,
    admit: Box<dyn Admit>,
    guard: Guard,
    sessions: Sessions,
    /// Longest message from a client, in bytes.
    bytes_max: usize,
}

impl HttpEndpoint {
    /// An endpoint whose requests are admitted by `admit` and pass `guard` before.
    #[must_use]
    pub fn new(service: Shared, admit: impl Admit, guard: Guard) -> Self {
        let sessions = Sessions::new(Arc::clone(&service));
        let bytes_max = CLIENT_MESSAGE_BYTES_MAX;
        let admit = Box::new(admit);
        Self { inner: Arc::new(Inner { service, admit, guard, sessions, bytes_max }) }
    }

    /// Returns the endpoint with another bound for messages from clients, in bytes.
    ///
    /// It is a setting of a new endpoint: one that has been cloned already stays as it is.
    #[must_use]
    pub fn with_bytes_max(mut self, bytes_max: usize) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.bytes_max = bytes_max;
        }
        self
    }

    /// Returns what serves the endpoint at `path`.
    pub fn router(self, path: &str) -> Router {
        let any = axum::routing::any(|State(it): State<Self>, request| async move {
            it.handle(request).await
        });
        Router::new().route(path, any).with_state(self)
    }

    /// Returns how many sessions of the older era there are.
    #[must_use]
    pub fn sessions(&self) -> usize {
        self.inner.sessions.count()
    }

    /// Ends all sessions; their streams end too.
    pub fn end_sessions(&self) {
        self.inner.sessions.end_all();
    }

    /// Returns who makes a request, held against the same guard and the same door as the endpoint's own; for what else is served beside it.
    ///
    /// # Errors
    ///
    /// It is not answered.
    pub fn admit(&self, head: &Parts) -> Result<Principal, Refusal> {
        self.inner.guard.check(head)?;
        self.inner.admit.admit(head)
    }

    async fn handle(self, request: Request<Body>) -> Response {
        let (head, body) = request.into_parts();
        let inner = &self.inner;
        let principal = match self.admit(&head) {
            Ok(principal) => principal,
            Err(refusal) => return refusal.response(),
        };
        match head.method {
            Method::POST => post::post(inner, &head, body, principal).await,
            Method::GET => get(inner, &head, &principal),
            Method::DELETE => delete(inner, &head, &principal),
            _ => reply::not_allowed(),
        }
    }
}

/// Opens the stream of a session for what belongs to no request.
fn get(inner: &Arc<Inner>, head: &Parts, principal: &Principal) -> Response {
    let Some(id) = session_id(head) else { return reply::not_allowed() };
    match inner.sessions.find(&id, principal) {
        Some(session) => reply::stream(session.listen()),
        None => reply::plain(StatusCode::NOT_FOUND, "there is no such session; send `initialize`"),
    }
}

fn delete(inner: &Arc<Inner>, head: &Parts, principal: &Principal) -> Response {
    let Some(id) = session_id(head) else { return reply::not_allowed() };
    match inner.sessions.end(&id, principal) {
        true => reply::plain(StatusCode::NO_CONTENT, ""),
        false => reply::plain(StatusCode::NOT_FOUND, "there is no such session"),
    }
}

fn session_id(head: &Parts) -> Option<String> {
    let mut values = head.headers.get_all(SESSION_HEADER).iter();
    let id = values.next()?.to_str().ok()?;
    values.next().is_none().then(|| id.to_owned())
}
