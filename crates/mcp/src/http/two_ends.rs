//! The oldest form of the protocol over HTTP (specification 2024-11-05, basic/transports, HTTP with SSE): one stream to listen to, whose first event says where to post to.

use std::sync::Arc;

use oncue_tools::BoxFuture;
use reqwest::header::{self, HeaderValue};
use reqwest::{Client, Url};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::answer::{self, Events, Kind};
use super::{Remote, failure, unsent, within_tell_time};
use crate::limits::WRITES_WAITING_MAX;
use crate::transport::{Received, Transport};
use crate::{Message, TransportError, TransportErrorKind};

/// A server with one stream to listen to and one address to post to. Lives as long as the stream.
pub struct TwoEnds {
    shared: Arc<Shared>,
    incoming: tokio::sync::Mutex<mpsc::Receiver<Received>>,
    listening: AbortHandle,
}

struct Shared {
    http: Client,
    remote: Remote,
    /// Where to post to, once the server has said so, or why it never will.
    endpoint: watch::Receiver<Option<Result<Url, TransportError>>>,
}

impl TwoEnds {
    /// The server whose stream is at `remote`; to be called within a runtime.
    #[must_use]
    pub fn new(http: Client, remote: Remote) -> Self {
        let (arrives, incoming) = mpsc::channel(WRITES_WAITING_MAX);
        let (told, endpoint) = watch::channel(None);
        let shared = Arc::new(Shared { http, remote, endpoint });
        let listens = Arc::clone(&shared);
        let listening = tokio::spawn(async move {
            let ended = listens.listen(&told, &arrives).await;
            let error = ended.err().unwrap_or_else(TransportError::closed);
            told.send_if_modified(|endpoint| {
                *endpoint = Some(Err(error));
                true
            });
        });
        let listening = listening.abort_handle();
        Self { shared, incoming: tokio::sync::Mutex::new(incoming), listening }
    }
}

impl Transport for TwoEnds {
    fn send<'a>(&'a self, message: &'a Message) -> BoxFuture<'a, Result<(), TransportError>> {
        let (shared, message) = (Arc::clone(&self.shared), message.clone());
        Box::pin(async move {
            // A task of its own, so that a caller that goes away leaves nothing half sent.
            let posting =
                tokio::spawn(async move { within_tell_time(shared.post(&message)).await });
            posting.await.unwrap_or_else(|_| Err(TransportError::closed()))
        })
    }

    fn receive(&self) -> BoxFuture<'_, Option<Received>> {
        Box::pin(async move { self.incoming.lock().await.recv().await })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move { self.listening.abort() })
    }
}

impl Drop for TwoEnds {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Shared {
    async fn listen(
        &self,
        told: &watch::Sender<Option<Result<Url, TransportError>>>,
        arrives: &mpsc::Sender<Received>,
    ) -> Result<(), TransportError> {
        let mut headers = self.remote.headers.clone();
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        let get = self.http.get(self.remote.url.clone()).headers(headers);
        let response = get.send().await.map_err(unsent)?;
        if let Some(error) = failure(&response) {
            return Err(error);
        }
        if answer::kind(&response)? != Kind::Events {
            let message = "the answer is no stream of events";
            return Err(TransportError::new(TransportErrorKind::Protocol, message));
        }
        let mut events = Events::new(response, self.remote.bytes_max);
        while let Some(event) = events.next().await? {
            if matches!(&*event.name, "endpoint") {
                let endpoint = self.endpoint_of(event.data.trim())?;
                // Nobody may wait for it yet.
                told.send_replace(Some(Ok(endpoint)));
            } else if let Some(message) = answer::of_event(&event)
                && arrives.send(Received::Message { message, along: None }).await.is_err()
            {
                break;
            }
        }
        Ok(())
    }

    /// Returns the address to post to, which must be of the same origin: credentials go there.
    fn endpoint_of(&self, text: &str) -> Result<Url, TransportError> {
        let fault = |message| TransportError::new(TransportErrorKind::Protocol, message);
        let endpoint = self
            .remote
            .url
            .join(text)
            .map_err(|_| fault("the server names no address to post to"))?;
        match endpoint.origin() == self.remote.url.origin() {
            true => Ok(endpoint),
            false => Err(fault("the server wants messages posted to another origin")),
        }
    }

    async fn post(&self, message: &Message) -> Result<(), TransportError> {
        let mut endpoint = self.endpoint.clone();
        let url = match endpoint.wait_for(Option::is_some).await {
            Ok(url) => url.clone().unwrap_or_else(|| Err(TransportError::closed()))?,
            Err(_) => return Err(TransportError::closed()),
        };
        let mut headers = self.remote.headers.clone();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let post = self.http.post(url).headers(headers).body(message.to_bytes());
        let response = post.send().await.map_err(unsent)?;
        failure(&response).map_or(Ok(()), Err)
    }
}
