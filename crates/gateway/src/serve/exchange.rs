//! One request at an upstream while it runs: what is told, what is asked, and in the end the outcome.

use std::pin::Pin;
use std::sync::Arc;

use oncue_mcp::server::ClientSaid;
use oncue_mcp::{CallError, Listener, Members, Notification, Raw, RpcError, code};
use oncue_tools::{BoxFuture, Principal};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use super::ask::{may_ask, unable};
use crate::limits::HEARD_WAITING_MAX;
use crate::upstream::{Answerer, Upstream, UpstreamError};

type Calling = Pin<Box<dyn Future<Output = Result<Raw, UpstreamError>> + Send>>;

/// A request that runs. Dropping it takes it back.
pub(super) struct Exchange {
    calling: Calling,
    heard: mpsc::Receiver<Heard>,
    /// What was asked and is not answered, by the names that the client knows.
    open: Vec<(String, Question)>,
    asked: usize,
}

/// What is heard while a request runs.
pub(super) enum Heard {
    /// It tells something.
    Told(Notification),
    /// It asks something.
    Asked(Question),
    /// It is over.
    Over(Result<Raw, UpstreamError>),
}

/// A question that waits for its answer.
pub(super) struct Question {
    method: String,
    params: Option<Raw>,
    answer: oneshot::Sender<Result<Raw, CallError>>,
}

/// The client's end of a request.
pub(super) struct End {
    to: mpsc::Sender<Heard>,
    heard: mpsc::Receiver<Heard>,
}

impl End {
    pub(super) fn new() -> Self {
        let (to, heard) = mpsc::channel(HEARD_WAITING_MAX);
        Self { to, heard }
    }

    /// Returns what tells the client.
    pub(super) fn teller(&self) -> Teller {
        Teller(self.to.clone())
    }

    /// Returns what asks a client that answers with another request.
    pub(super) fn later(&self, client: &ClientSaid, key: &str) -> Arc<dyn Answerer> {
        Arc::new(Later { teller: self.teller(), client: client.clone(), key: key.to_owned() })
    }
}

/// Tells a client what belongs to its request.
pub(super) struct Teller(mpsc::Sender<Heard>);

impl Teller {
    pub(super) fn tell(&self, told: Notification) {
        // A client that does not read hears no more.
        let _ = self.0.try_send(Heard::Told(told));
    }
}

impl Exchange {
    /// Begins a request.
    pub(super) fn begin(
        upstream: Arc<Upstream>,
        principal: Principal,
        (method, params): (String, Members),
        end: End,
        (answerer, wants_progress): (Arc<dyn Answerer>, bool),
    ) -> Self {
        let teller = end.teller();
        let hear = move |told| teller.tell(told);
        let listener = match wants_progress {
            true => Listener::new(hear),
            false => Listener::without_progress(hear),
        };
        let calling = async move {
            let (listener, answerer) = (Some(listener), Some(answerer));
            upstream.call(&principal, &method, params, listener, answerer).await
        };
        Self { calling: Box::pin(calling), heard: end.heard, open: Vec::new(), asked: 0 }
    }

    /// A request that is this future.
    #[cfg(test)]
    pub(super) fn of(calling: Calling) -> Self {
        Self { calling, heard: End::new().heard, open: Vec::new(), asked: 0 }
    }

    /// Returns what comes next. What was told comes before the outcome.
    pub(super) async fn next(&mut self) -> Heard {
        tokio::select! {
            biased;
            Some(heard) = self.heard.recv() => heard,
            outcome = &mut self.calling => match self.heard.try_recv() {
                Ok(heard) => {
                    self.calling = Box::pin(std::future::ready(outcome));
                    heard
                }
                Err(_) => Heard::Over(outcome),
            },
        }
    }

    /// Keeps a question until it is answered, and those that were asked with it.
    pub(super) fn keep(&mut self, question: Question) -> Vec<Notification> {
        let mut told = Vec::new();
        let mut next = Some(Heard::Asked(question));
        while let Some(heard) = next {
            match heard {
                Heard::Asked(question) => {
                    self.asked += 1;
                    self.open.push((format!("question-{}", self.asked), question));
                }
                Heard::Told(it) => told.push(it),
                Heard::Over(_) => {}
            }
            next = self.heard.try_recv().ok();
        }
        told
    }

    /// Says whether something is not answered yet.
    pub(super) fn is_asking(&self) -> bool {
        !self.open.is_empty()
    }

    /// Returns the open questions as a client of the newer era reads them.
    pub(super) fn requests(&self) -> Result<Members, serde_json::Error> {
        let mut requests = Members::new();
        for (name, question) in &self.open {
            let mut request = Members::new();
            request.set("method", &question.method)?;
            request.put("params", question.params.clone().unwrap_or_else(oncue_mcp::empty));
            requests.set(name, &request)?;
        }
        Ok(requests)
    }

    /// Brings answers to whoever asked.
    pub(super) fn answer(&mut self, answers: Option<&RawValue>) {
        let answers = Members::of(answers).unwrap_or_default();
        for (name, question) in std::mem::take(&mut self.open) {
            match answers.get(&name).filter(|answer| answer.get().starts_with('{')) {
                // Whoever asked may have gone away.
                Some(answer) => drop(question.answer.send(Ok(answer.to_owned()))),
                None => self.open.push((name, question)),
            }
        }
    }

    /// Answers all open questions with a refusal.
    pub(super) fn refuse(&mut self, error: &RpcError) {
        for (_, question) in self.open.drain(..) {
            drop(question.answer.send(Err(CallError::Rpc(error.clone()))));
        }
    }
}

/// A client of the newer era: it answers with its next request.
struct Later {
    teller: Teller,
    client: ClientSaid,
    key: String,
}

impl Answerer for Later {
    fn ask<'a>(
        &'a self,
        method: &'a str,
        params: Option<Raw>,
    ) -> BoxFuture<'a, Result<Raw, CallError>> {
        Box::pin(async move {
            may_ask(&self.client, method)?;
            let gone = || {
                let why = "the client behind the call has gone away";
                unable(code::INTERNAL_ERROR, why)
            };
            let (answer, answered) = oneshot::channel();
            let question = Question { method: method.to_owned(), params, answer };
            self.teller.0.send(Heard::Asked(question)).await.map_err(|_| gone())?;
            answered.await.unwrap_or_else(|_| Err(gone()))
        })
    }

    fn tell(&self, told: Notification) {
        self.teller.tell(told);
    }

    fn key(&self) -> &str {
        &self.key
    }
}
