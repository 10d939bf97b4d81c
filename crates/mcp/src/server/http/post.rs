//! A message that a client posts.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response as HttpResponse;
use futures_util::stream;
use oncue_tools::{Cancel, Cancellation, Principal};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::sessions::Session;
use super::{Inner, reply, session_id, standard};
use crate::http::{SESSION_HEADER, VERSION_HEADER};
use crate::limits::{BODY_TIME_MAX, WRITES_WAITING_MAX};
use crate::server::door::{Arrival, answer};
use crate::server::said::{Meta, unsupported};
use crate::server::{Caller, Outlet};
use crate::{Members, Message, Raw, Request, RequestId, Response, RpcError, Version};

pub(super) async fn post(
    inner: &Arc<Inner>,
    head: &Parts,
    body: Body,
    principal: Principal,
) -> HttpResponse {
    if !is_json(head) {
        let text = "the body must be `application/json`";
        return reply::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, text);
    }
    let Some(accepts) = Accepts::of(head) else {
        let text =
            "answers are `application/json` or `text/event-stream`, and `Accept` names neither";
        return reply::plain(StatusCode::NOT_ACCEPTABLE, text);
    };
    let body = match tokio::time::timeout(BODY_TIME_MAX, to_bytes(body, inner.bytes_max)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let text = format!("the body is longer than {} bytes, or broke off", inner.bytes_max);
            return reply::plain(StatusCode::PAYLOAD_TOO_LARGE, &text);
        }
        Err(_) => {
            let text = format!("the body did not come within {} s", BODY_TIME_MAX.as_secs());
            return reply::plain(StatusCode::REQUEST_TIMEOUT, &text);
        }
    };
    let message = match Message::read(&body) {
        Ok(message) => message,
        Err(malformed) => {
            return reply::message(StatusCode::BAD_REQUEST, &Message::Response(malformed.answer()));
        }
    };
    match message {
        Message::Request(request) => asked(inner, head, request, principal, accepts).await,
        other => told(inner, head, other, &principal),
    }
}

/// Which answers a client takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accepts {
    Both,
    JsonAlone,
}

impl Accepts {
    fn of(head: &Parts) -> Option<Self> {
        let values = head.headers.get_all(header::ACCEPT).iter();
        let text: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
        let text = text.join(",").to_ascii_lowercase();
        let named = |kinds: &[&str]| kinds.iter().any(|kind| text.contains(kind));
        // Whoever names nothing takes everything.
        let json = text.is_empty() || named(&["application/json", "application/*", "*/*"]);
        let events = named(&["text/event-stream", "text/*", "*/*"]);
        match (json, events) {
            (_, true) => Some(Self::Both),
            (true, false) => Some(Self::JsonAlone),
            (false, false) => None,
        }
    }
}

fn is_json(head: &Parts) -> bool {
    let kind = head.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

/// Returns what a client is answered whose request cannot be looked at.
fn refused(status: StatusCode, id: RequestId, error: RpcError) -> HttpResponse {
    reply::message(status, &Message::Response(Response::new(id, Err(error))))
}

/// Finds out in which era a request is made, and answers it.
async fn asked(
    inner: &Arc<Inner>,
    head: &Parts,
    request: Request,
    principal: Principal,
    accepts: Accepts,
) -> HttpResponse {
    let id = request.id.clone();
    let bad = |error| refused(StatusCode::BAD_REQUEST, request.id.clone(), error);
    let header = head.headers.get(VERSION_HEADER).map(|value| value.to_str().unwrap_or("?"));
    let meta = Meta::of(request.params.as_deref());
    let is_newest = header == Some(Version::V2026_07_28.as_str());
    let begins_session = meta.begins_session(&request.method);
    if !begins_session && (is_newest || meta.is_stateless(&request.method)) {
        // Whether the version is spoken is asked once it is certain which one is meant.
        if let Err(error) = standard::same_version(&head.headers, meta.version.as_deref()) {
            return bad(error);
        }
        let (version, client) = match meta.stateless() {
            Ok(said) => said,
            Err(error) => return bad(error),
        };
        let caller = Caller { principal: principal.clone(), version, client };
        let mirrors = |name: &str| inner.service.mirrors(name, &caller);
        if let Err(error) = standard::check(&head.headers, &request, version.as_str(), mirrors) {
            return bad(error);
        }
        return Work::stateless(inner, request, principal).answered(accepts).await;
    }
    if let Some(text) = header.filter(|text| Version::parse(text).is_none()) {
        return bad(unsupported(text));
    }
    if begins_session {
        let session = match inner.sessions.begin(principal) {
            Ok(session) => session,
            Err(error) => return refused(StatusCode::SERVICE_UNAVAILABLE, id, error),
        };
        let mut response = match Work::of_session(inner, &session, request) {
            Ok(work) => work.answered(accepts).await,
            Err(error) => refused(StatusCode::OK, id, error),
        };
        if session.known.caller().is_some()
            && let Ok(value) = HeaderValue::from_str(session.id())
        {
            response.headers_mut().insert(SESSION_HEADER, value);
            inner.sessions.begun(&session);
        } else {
            inner.sessions.end(session.id(), session.principal());
        }
        return response;
    }
    let Some(session) = session_id(head) else {
        let why = "Invalid request: a session is needed; send `initialize`, or say the version in `_meta`";
        return bad(RpcError::invalid_request(why));
    };
    let Some(session) = inner.sessions.find(&session, &principal) else {
        let error = RpcError::invalid_request("there is no such session; send `initialize`");
        return refused(StatusCode::NOT_FOUND, id, error);
    };
    match Work::of_session(inner, &session, request) {
        Ok(work) => work.answered(accepts).await,
        Err(error) => refused(StatusCode::OK, id, error),
    }
}

/// Takes a notification or an answer.
fn told(inner: &Arc<Inner>, head: &Parts, message: Message, principal: &Principal) -> HttpResponse {
    let accepted = || reply::plain(StatusCode::ACCEPTED, "");
    let Some(id) = session_id(head) else {
        // In the newer era nothing is told by itself that has to be acted on.
        return match message {
            Message::Notification(_) => accepted(),
            _ => reply::plain(StatusCode::BAD_REQUEST, "an answer belongs to a session"),
        };
    };
    let Some(session) = inner.sessions.find(&id, principal) else {
        return reply::plain(StatusCode::NOT_FOUND, "there is no such session; send `initialize`");
    };
    match message {
        Message::Response(response) => {
            if let Some(id) = response.id {
                session.pending.settle(&id, response.outcome.map_err(crate::CallError::Rpc));
            }
        }
        Message::Notification(told) => {
            let id = Members::of(told.params.as_deref()).ok().and_then(|it| it.read("requestId"));
            match (&*told.method, id) {
                ("notifications/cancelled", Some(id)) => session.take_back(&id),
                _ => {
                    if let Some(caller) = session.known.caller() {
                        inner.service.told(told, &caller);
                    }
                }
            }
        }
        Message::Request(_) => {}
    }
    accepted()
}

/// A request that is worked on, in a task of its own.
struct Work {
    id: RequestId,
    task: JoinHandle<Option<Result<Raw, RpcError>>>,
    messages: mpsc::Receiver<Message>,
    /// Takes the request back when the client goes away, in the era in which that means so.
    leaving: Option<Leaving>,
}

/// Calls off what is worked on when it is dropped.
struct Leaving(Cancel);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.fire(Cancellation::Withdrawn);
    }
}

impl Work {
    fn stateless(inner: &Arc<Inner>, request: Request, principal: Principal) -> Self {
        let (to, messages) = mpsc::channel(WRITES_WAITING_MAX);
        let (id, cancel) = (request.id.clone(), Cancel::default());
        let leaving = Some(Leaving(cancel.clone()));
        let outlet = Outlet::stream(to, None);
        let arrival = Arrival { request, principal, cancel, outlet, session: None };
        let service = Arc::clone(&inner.service);
        let task = tokio::spawn(async move { Some(answer(&service, arrival).await) });
        Self { id, task, messages, leaving }
    }

    /// # Errors
    ///
    /// The id of the request is in use.
    fn of_session(
        inner: &Arc<Inner>,
        session: &Arc<Session>,
        request: Request,
    ) -> Result<Self, RpcError> {
        let (to, messages) = mpsc::channel(WRITES_WAITING_MAX);
        let id = request.id.clone();
        let cancel = session.begin(&id)?;
        let outlet = Outlet::stream(to, Some(Arc::clone(&session.pending)));
        let arrival = Arrival {
            request,
            principal: session.principal().clone(),
            cancel: cancel.clone(),
            outlet,
            session: Some((session.handle(), Arc::clone(&session.known))),
        };
        let (service, session, key) = (Arc::clone(&inner.service), Arc::clone(session), id.clone());
        let task = tokio::spawn(async move {
            let outcome = answer(&service, arrival).await;
            session.finish(&key, &cancel).then_some(outcome)
        });
        Ok(Self { id, task, messages, leaving: None })
    }

    /// Answers with one message where nothing else was said before, and with a stream otherwise.
    async fn answered(mut self, accepts: Accepts) -> HttpResponse {
        loop {
            let first = self.messages.recv().await;
            match first {
                // Whatever was told is gone, and so is the task's end of the way: the result is ready.
                None => {
                    let message = self.result().await;
                    let Some(message) = message else {
                        // The client has taken the request back, and hears nothing.
                        return reply::plain(StatusCode::NO_CONTENT, "");
                    };
                    let status = match self.leaving {
                        Some(_) => reply::status(&message),
                        None => StatusCode::OK,
                    };
                    return reply::message(status, &message);
                }
                Some(_) if accepts == Accepts::JsonAlone => {}
                Some(first) => return reply::streamed(self.stream(first)),
            }
        }
    }

    fn stream(self, first: Message) -> impl futures_util::Stream<Item = Message> + Send + 'static {
        let states = (Some(first), Some(self));
        stream::unfold(states, |(first, work)| async move {
            if let Some(first) = first {
                return Some((first, (None, work)));
            }
            let mut work = work?;
            if let Some(message) = work.messages.recv().await {
                return Some((message, (None, Some(work))));
            }
            let result = work.result().await?;
            Some((result, (None, None)))
        })
    }

    async fn result(&mut self) -> Option<Message> {
        let outcome = match (&mut self.task).await {
            Ok(outcome) => outcome?,
            Err(error) => {
                tracing::error!(%error, "answering a request failed");
                Err(RpcError::internal())
            }
        };
        Some(Message::Response(Response::new(self.id.clone(), outcome)))
    }
}
