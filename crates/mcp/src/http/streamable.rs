//! One address, a request a POST (specification, basic/transports, Streamable HTTP), in both eras.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use oncue_tools::BoxFuture;
use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, JoinSet};

use super::answer::{self, Events, Kind};
use super::{
    ACCEPT, LAST_EVENT_HEADER, Mirror, Remote, SESSION_HEADER, VERSION_HEADER, failure, headers,
    unsent, within_tell_time,
};
use crate::limits::{
    CLOSE_TIME_MAX, RECONNECT_TIME_MAX, RECONNECT_TIME_MIN, RESUMPTIONS_MAX, WRITES_WAITING_MAX,
};
use crate::transport::{Received, Transport};
use crate::{Era, Message, RequestId, TransportError, TransportErrorKind, Version};

/// A server behind one address. Lives until it is closed.
pub struct Streamable {
    shared: Arc<Shared>,
    incoming: tokio::sync::Mutex<mpsc::Receiver<Received>>,
}

struct Shared {
    http: Client,
    remote: Remote,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    version: Option<Version>,
    session: Option<HeaderValue>,
    /// Where what arrives goes; nothing once the transport is closed.
    arrives: Option<mpsc::Sender<Received>>,
    /// Requests that wait for their answer, each with the task that waits.
    posts: HashMap<RequestId, AbortHandle>,
    /// The task that listens to what belongs to no request.
    listening: Option<AbortHandle>,
    /// What is being told and has no answer.
    tells: JoinSet<()>,
    mirrors: HashMap<String, Vec<Mirror>>,
}

impl Streamable {
    /// The server at `remote`, spoken to through `http`, which must not follow redirects.
    #[must_use]
    pub fn new(http: Client, remote: Remote) -> Self {
        let (arrives, incoming) = mpsc::channel(WRITES_WAITING_MAX);
        let state = State { arrives: Some(arrives), ..State::default() };
        let shared = Arc::new(Shared { http, remote, state: Mutex::new(state) });
        Self { shared, incoming: tokio::sync::Mutex::new(incoming) }
    }
}

impl Transport for Streamable {
    fn send<'a>(&'a self, message: &'a Message) -> BoxFuture<'a, Result<(), TransportError>> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            if shared.state().arrives.is_none() {
                return Err(TransportError::closed());
            }
            match message {
                Message::Request(request) => {
                    shared.ask(request.id.clone(), message);
                    Ok(())
                }
                Message::Notification(it) => {
                    let is_begun = &*it.method == "notifications/initialized";
                    shared.tell(message.clone()).await?;
                    if is_begun {
                        shared.listen();
                    }
                    Ok(())
                }
                Message::Response(_) => shared.tell(message.clone()).await,
            }
        })
    }

    fn receive(&self) -> BoxFuture<'_, Option<Received>> {
        Box::pin(async move { self.incoming.lock().await.recv().await })
    }

    fn agree(&self, version: Version) {
        self.shared.state().version = Some(version);
    }

    fn mirror(&self, tools: HashMap<String, Vec<Mirror>>) {
        self.shared.state().mirrors = tools;
    }

    /// In the newer era closing the stream of an answer takes its request back; in the older one the server is told too, and may never end a stream that nobody reads.
    fn withdraw(&self, id: &RequestId) -> bool {
        let mut state = self.shared.state();
        if let Some(post) = state.posts.remove(id) {
            post.abort();
        }
        state.version.is_some_and(|version| version.era() == Era::Stateless)
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let (session, has_sessions) = {
                let mut state = self.shared.state();
                state.arrives = None;
                state.stop();
                let is_old = state.version.is_some_and(|version| version.era() == Era::Sessions);
                (state.session.take(), is_old)
            };
            if let Some(session) = session.filter(|_| has_sessions) {
                let mut headers = self.shared.headers();
                headers.insert(SESSION_HEADER, session);
                let url = self.shared.remote.url.clone();
                let ending = self.shared.http.delete(url).headers(headers).send();
                // A server that cannot be told forgets the session by itself.
                let _ = tokio::time::timeout(CLOSE_TIME_MAX, ending).await;
            }
        })
    }
}

impl Drop for Streamable {
    fn drop(&mut self) {
        self.shared.state().stop();
    }
}

impl State {
    fn stop(&mut self) {
        for (_, post) in self.posts.drain() {
            post.abort();
        }
        if let Some(listening) = self.listening.take() {
            listening.abort();
        }
        self.tells.abort_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the headers of every request: the user's, and over them those of the protocol.
    fn headers(&self) -> HeaderMap {
        let mut headers = self.remote.headers.clone();
        let state = self.state();
        if let Some(version) = state.version {
            headers.insert(VERSION_HEADER, HeaderValue::from_static(version.as_str()));
        }
        if let Some(session) = &state.session {
            headers.insert(SESSION_HEADER, session.clone());
        }
        headers
    }

    fn headers_of(&self, message: &Message) -> HeaderMap {
        let mut headers = self.headers();
        headers.insert(header::ACCEPT, HeaderValue::from_static(ACCEPT));
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let (method, params) = match message {
            Message::Request(it) => (&it.method, it.params.as_deref()),
            Message::Notification(it) => (&it.method, it.params.as_deref()),
            Message::Response(_) => return headers,
        };
        let version = self.state().version;
        if **method == *"initialize" {
            // It begins a new session and agrees on a version only now.
            headers.remove(SESSION_HEADER);
            headers.remove(VERSION_HEADER);
        } else if version.is_some_and(|version| version.era() == Era::Stateless) {
            let mirrors = |name: &str| self.state().mirrors.get(name).cloned().unwrap_or_default();
            headers::put(&mut headers, method, params, mirrors);
        }
        headers
    }

    /// Sends a request and brings what comes back, in a task of its own.
    fn ask(self: &Arc<Self>, id: RequestId, message: &Message) {
        let (shared, message, key) = (Arc::clone(self), message.clone(), id.clone());
        let mut state = self.state();
        let task = tokio::spawn(async move {
            let outcome = shared.exchange(&message, &id).await;
            shared.state().posts.remove(&id);
            if let Err(error) = outcome {
                shared.arrive(Received::Lost { id, error }).await;
            }
        });
        state.posts.insert(key, task.abort_handle());
    }

    /// Sends what has no answer, in a task of its own, so that a caller that goes away leaves nothing half sent.
    async fn tell(self: &Arc<Self>, message: Message) -> Result<(), TransportError> {
        let (shared, (told, outcome)) = (Arc::clone(self), oneshot::channel());
        {
            let mut state = self.state();
            while state.tells.try_join_next().is_some() {}
            state.tells.spawn(async move {
                // The caller may be gone.
                let _ = told.send(within_tell_time(shared.told(&message)).await);
            });
        }
        outcome.await.unwrap_or_else(|_| Err(TransportError::closed()))
    }

    async fn told(&self, message: &Message) -> Result<(), TransportError> {
        let response = self.post(message).await?;
        failure(&response).map_or(Ok(()), |error| Err(self.of_session(error)))
    }

    async fn post(&self, message: &Message) -> Result<Response, TransportError> {
        let post = self.http.post(self.remote.url.clone()).headers(self.headers_of(message));
        post.body(message.to_bytes()).send().await.map_err(unsent)
    }

    async fn exchange(&self, message: &Message, id: &RequestId) -> Result<(), TransportError> {
        let mut response = self.post(message).await?;
        if let Some(error) = failure(&response) {
            // The newer era answers with a status and an error of the protocol.
            if let Ok(Kind::Json) = answer::kind(&response)
                && let Ok(answer) = answer::message(&mut response, self.remote.bytes_max).await
                && is_answer(&answer, id)
            {
                self.arrive_along(answer, id).await;
                return Ok(());
            }
            return Err(self.of_session(error));
        }
        if matches!(message, Message::Request(it) if &*it.method == "initialize") {
            self.state().session = response.headers().get(SESSION_HEADER).cloned();
        }
        match answer::kind(&response)? {
            Kind::Json => {
                let answer = answer::message(&mut response, self.remote.bytes_max).await?;
                if !is_answer(&answer, id) {
                    return Err(unanswered("what came back is not the answer to the request"));
                }
                self.arrive_along(answer, id).await;
                Ok(())
            }
            Kind::Events => self.follow(Events::new(response, self.remote.bytes_max), id).await,
            Kind::Empty => Err(unanswered("the server took the request and gave no answer")),
        }
    }

    /// Brings the messages of a stream until the answer to `id`; a stream that breaks off is opened again where it can be.
    async fn follow(&self, mut events: Events, id: &RequestId) -> Result<(), TransportError> {
        for _ in 0..=RESUMPTIONS_MAX {
            let ended = loop {
                match events.next().await {
                    Ok(Some(event)) => {
                        let Some(message) = answer::of_event(&event) else { continue };
                        let is_last = is_answer(&message, id);
                        self.arrive_along(message, id).await;
                        if is_last {
                            return Ok(());
                        }
                    }
                    Ok(None) => break unanswered("the stream ended before the answer"),
                    Err(error) if error.kind == TransportErrorKind::TooLong => return Err(error),
                    Err(error) => break error,
                }
            };
            let has_sessions =
                self.state().version.is_some_and(|version| version.era() == Era::Sessions);
            let Some(last) = events.last_id().filter(|_| has_sessions) else { return Err(ended) };
            let pause = events.retry_ms().map_or(RECONNECT_TIME_MIN, Duration::from_millis);
            tokio::time::sleep(pause.min(RECONNECT_TIME_MAX)).await;
            let response = self.open_stream(Some(&last)).await?;
            if failure(&response).is_some() {
                return Err(ended);
            }
            events = Events::new(response, self.remote.bytes_max);
        }
        Err(unanswered("the stream ended again and again before the answer"))
    }

    async fn open_stream(&self, last: Option<&str>) -> Result<Response, TransportError> {
        let mut headers = self.headers();
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(last) = last.and_then(|last| HeaderValue::from_str(last).ok()) {
            headers.insert(LAST_EVENT_HEADER, last);
        }
        self.http.get(self.remote.url.clone()).headers(headers).send().await.map_err(unsent)
    }

    /// Listens to what belongs to no request, in a task of its own, where the version has that.
    fn listen(self: &Arc<Self>) {
        let mut state = self.state();
        if !state.version.is_some_and(|version| version.era() == Era::Sessions) {
            return;
        }
        let shared = Arc::clone(self);
        let task = tokio::spawn(async move { shared.keep_listening().await });
        if let Some(before) = state.listening.replace(task.abort_handle()) {
            before.abort();
        }
    }

    async fn keep_listening(&self) {
        let mut last: Option<String> = None;
        let mut pause = RECONNECT_TIME_MIN;
        loop {
            if let Ok(response) = self.open_stream(last.as_deref()).await {
                match response.status() {
                    // The server has nothing to say by itself, or nobody to say it to.
                    StatusCode::METHOD_NOT_ALLOWED
                    | StatusCode::NOT_FOUND
                    | StatusCode::BAD_REQUEST
                    | StatusCode::UNAUTHORIZED
                    | StatusCode::FORBIDDEN => return,
                    status if status.is_success() => {
                        let mut events = Events::new(response, self.remote.bytes_max);
                        while let Ok(Some(event)) = events.next().await {
                            pause = RECONNECT_TIME_MIN;
                            if let Some(message) = answer::of_event(&event) {
                                self.arrive(Received::Message { message, along: None }).await;
                            }
                        }
                        last = events.last_id().or(last);
                        pause = events.retry_ms().map_or(pause, Duration::from_millis);
                    }
                    _ => {}
                }
            }
            tokio::time::sleep(pause.min(RECONNECT_TIME_MAX)).await;
            pause = (pause * 2).min(RECONNECT_TIME_MAX);
        }
    }

    /// A server that has forgotten the session says that there is nothing.
    fn of_session(&self, error: TransportError) -> TransportError {
        let is_gone = matches!(error.kind, TransportErrorKind::Status { status: 404, .. });
        match is_gone && self.state().session.is_some() {
            true => TransportError::new(
                TransportErrorKind::SessionGone,
                "the server has forgotten the session",
            ),
            false => error,
        }
    }

    async fn arrive_along(&self, message: Message, id: &RequestId) {
        self.arrive(Received::Message { message, along: Some(id.clone()) }).await;
    }

    async fn arrive(&self, received: Received) {
        let arrives = self.state().arrives.clone();
        if let Some(arrives) = arrives {
            // Nobody receives any more only where the transport is dropped.
            let _ = arrives.send(received).await;
        }
    }
}

fn is_answer(message: &Message, id: &RequestId) -> bool {
    let Message::Response(response) = message else { return false };
    let given = |id: &RequestId| id.as_given();
    response
        .id
        .as_ref()
        .is_some_and(|it| it == id || given(it).is_some_and(|it| Some(it) == given(id)))
}

fn unanswered(message: &str) -> TransportError {
    TransportError::new(TransportErrorKind::Protocol, message)
}
