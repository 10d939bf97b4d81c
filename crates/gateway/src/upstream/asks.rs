//! What an upstream asks of the user behind a call of it, and what it tells.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_mcp::{
    CallError, Exchange, Handler, Listener, Notification, Raw, Request, RequestId, RpcError, Told,
    empty,
};
use oncue_tools::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

/// Answers what an upstream asks while a call of it runs: the client that made the call.
pub trait Answerer: Send + Sync {
    /// Asks the client.
    fn ask<'a>(
        &'a self,
        method: &'a str,
        params: Option<Raw>,
    ) -> BoxFuture<'a, Result<Raw, CallError>>;

    /// Tells the client something that belongs to its call.
    fn tell(&self, told: Notification);

    /// Says whose client it is: clients of one key may answer for each other.
    fn key(&self) -> &str;
}

/// What an upstream tells.
#[derive(Clone, Debug)]
pub enum News {
    /// It was started.
    Started,
    /// Its tools, prompts or resources are others now.
    ListChanged,
    /// A resource has changed.
    Resource {
        /// Which.
        uri: String,
    },
    /// Something that is passed on as it is.
    Other(Notification),
}

/// The calls of one link that run, and who answers for them. Lives as long as the link.
#[derive(Default)]
pub struct Asks {
    calls: Mutex<Calls>,
}

#[derive(Default)]
struct Calls {
    next: u64,
    running: BTreeMap<u64, Call>,
}

#[derive(Clone)]
struct Call {
    answerer: Arc<dyn Answerer>,
    listener: Listener,
    turn: Turn,
}

/// The place of a call among those that its upstream may have in work. Clones are the same place.
///
/// It is given back when the call is over, and for good when the upstream asks something: then a person has the call in work, who may go away and never say so.
#[derive(Clone)]
pub struct Turn(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl Turn {
    /// The place that `permit` gives.
    #[must_use]
    pub fn new(permit: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Mutex::new(Some(permit))))
    }

    fn give_back(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// A call that runs. Dropping it ends that.
pub struct Running {
    asks: Arc<Asks>,
    id: u64,
}

impl Asks {
    /// Begins a call for which `answerer` answers, and to which `listener` listens.
    pub fn begin(
        self: &Arc<Self>,
        answerer: Arc<dyn Answerer>,
        listener: Listener,
        turn: Turn,
    ) -> Running {
        let mut calls = self.calls();
        calls.next += 1;
        let id = calls.next;
        calls.running.insert(id, Call { answerer, listener, turn });
        Running { asks: Arc::clone(self), id }
    }

    /// Returns how many calls run.
    pub fn running(&self) -> usize {
        self.calls().running.len()
    }

    /// Returns the call that something belongs to: the one that it came along with, and where the way does not tell, whatever is running, where all of it is one client's.
    fn behind(&self, along: Option<&RequestId>) -> Option<Call> {
        let calls = self.calls();
        let is_along = |call: &&Call| along.is_some() && call.listener.id() == along;
        if let Some(call) = calls.running.values().find(is_along) {
            return Some(call.clone());
        }
        let (_, newest) = calls.running.last_key_value()?;
        let key = newest.answerer.key();
        let is_one = calls.running.values().all(|other| other.answerer.key() == key);
        is_one.then(|| newest.clone())
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running {
    /// Says whether a call that began earlier still runs.
    pub(super) fn is_behind(&self) -> bool {
        let calls = self.asks.calls();
        calls.running.first_key_value().is_some_and(|(&first, _)| first < self.id)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.asks.calls().running.remove(&self.id);
    }
}

/// Takes what comes from an upstream beside answers.
pub(super) struct FromUpstream {
    pub(super) asks: Arc<Asks>,
    pub(super) news: mpsc::UnboundedSender<News>,
}

impl Handler for FromUpstream {
    fn request<'a>(
        &'a self,
        request: Request,
        exchange: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>> {
        Box::pin(async move {
            match &*request.method {
                "ping" => Ok(empty()),
                method @ ("roots/list" | "sampling/createMessage" | "elicitation/create") => {
                    let Some(call) = self.asks.behind(exchange.along.as_ref()) else {
                        let why = "no single client stands behind this question: it was asked outside of a call, or during calls of several clients";
                        return Err(RpcError::invalid_request(why));
                    };
                    call.turn.give_back();
                    // Meanwhile the call does not run out of time.
                    let _thinking = call.listener.thinking();
                    let answer = call.answerer.ask(method, request.params).await;
                    answer.map_err(|error| match error {
                        CallError::Rpc(error) => error,
                        error => RpcError::new(oncue_mcp::code::INTERNAL_ERROR, error.to_string()),
                    })
                }
                method => Err(RpcError::method_not_found(method)),
            }
        })
    }

    fn notification(&self, told: Notification, along: Told) {
        let news = match &*told.method {
            "notifications/tools/list_changed"
            | "notifications/prompts/list_changed"
            | "notifications/resources/list_changed" => News::ListChanged,
            "notifications/resources/updated" => {
                let params = oncue_mcp::Members::of(told.params.as_deref()).unwrap_or_default();
                match params.read("uri") {
                    Some(uri) => News::Resource { uri },
                    None => return,
                }
            }
            "notifications/message" => match self.asks.behind(along.as_ref()) {
                Some(call) => return call.answerer.tell(told),
                None => News::Other(told),
            },
            _ => News::Other(told),
        };
        // With the gateway gone nobody wants to know.
        let _ = self.news.send(news);
    }
}
