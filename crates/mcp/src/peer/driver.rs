//! The one task that receives: it brings answers to whoever waits and hands the rest to the handler.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_tools::{Cancel, Cancellation};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::{CallError, Exchange, Handler, Peer, Unreadable};
use crate::limits::REQUESTS_IN_FLIGHT_MAX;
use crate::transport::Received;
use crate::{
    Members, Message, Notification, Request, RequestId, Response, RpcError, TransportError, code,
};

/// Receives until the connection is over. Lives as long as the connection.
///
/// It never waits for the other side to read: two sides that both write and do not read would wait for ever.
pub(super) struct Driver {
    peer: Peer,
    handler: Arc<dyn Handler>,
    unreadable: Unreadable,
    working: Arc<Working>,
    tasks: JoinSet<()>,
}

/// Requests of the other side that are worked on, each until its answer is ready.
#[derive(Default)]
struct Working(Mutex<HashMap<RequestId, Cancel>>);

impl Working {
    /// Frees the id before the answer leaves, since with the answer it may be used again; false where the request was taken back, and its id with it.
    fn finish(&self, id: &RequestId, cancel: &Cancel) -> bool {
        let mut table = self.table();
        cancel.reason().is_none() && table.remove(id).is_some()
    }

    /// Frees the id and tells whoever works on its request; false where nobody does.
    fn take_back(&self, id: &RequestId) -> bool {
        let mut table = self.table();
        let cancel = table.remove(id);
        cancel.inspect(|cancel| cancel.fire(Cancellation::Withdrawn)).is_some()
    }

    fn table(&self) -> MutexGuard<'_, HashMap<RequestId, Cancel>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Driver {
    pub(super) fn new(peer: Peer, handler: Arc<dyn Handler>, unreadable: Unreadable) -> Self {
        Self { peer, handler, unreadable, working: Arc::default(), tasks: JoinSet::new() }
    }

    pub(super) async fn run(
        mut self,
        mut withdrawn: mpsc::UnboundedReceiver<u64>,
        ended: watch::Sender<bool>,
    ) {
        let transport = Arc::clone(self.peer.transport());
        loop {
            tokio::select! {
                received = transport.receive() => match received {
                    Some(received) => self.take(received),
                    None => break,
                },
                Some(done) = self.tasks.join_next() => if let Err(error) = done {
                    tracing::error!(%error, "answering a request failed");
                },
                Some(id) = withdrawn.recv() => self.withdraw(id),
            }
        }
        for (_, cancel) in self.working.table().drain() {
            cancel.fire(Cancellation::Withdrawn);
        }
        self.peer.shared.pending.fail_all(&CallError::Transport(TransportError::closed()));
        // Nobody may listen.
        let _ = ended.send(true);
    }

    fn take(&mut self, received: Received) {
        let pending = Arc::clone(&self.peer.shared.pending);
        match received {
            Received::Message { message: Message::Response(it), .. } => match it.id {
                Some(id) => pending.settle(&id, it.outcome.map_err(CallError::Rpc)),
                None => pending.count_unreadable(),
            },
            Received::Message { message: Message::Request(it), along } => {
                if let Err(refusal) = self.begin(&it, along) {
                    self.send(Response::new(it.id, Err(refusal)));
                }
            }
            Received::Message { message: Message::Notification(it), along } => {
                self.notification(it, along);
            }
            Received::Malformed(malformed) => {
                pending.count_unreadable();
                if self.unreadable == Unreadable::Answer {
                    self.send(malformed.answer());
                }
            }
            Received::TooLong { bytes_max, id } => {
                pending.count_unreadable();
                match (id, self.unreadable) {
                    (Some(id), Unreadable::Count) => {
                        pending.settle(&id, Err(CallError::TooLong { bytes_max }));
                    }
                    // Whose answer it was cannot be told, so nobody's can be waited for.
                    (None, Unreadable::Count) => {
                        pending.fail_present(&CallError::TooLong { bytes_max });
                    }
                    (id, Unreadable::Answer) => {
                        let why = format!("Invalid request: longer than {bytes_max} bytes");
                        let outcome = Err(RpcError::invalid_request(why));
                        self.send(Response { id, outcome });
                    }
                }
            }
            Received::Lost { id, error } => pending.settle(&id, Err(CallError::Transport(error))),
        }
    }

    /// Begins to work on a request, or says why not.
    fn begin(&mut self, request: &Request, along: Option<RequestId>) -> Result<(), RpcError> {
        let id = request.id.clone();
        let cancel = Cancel::default();
        let mut working = self.working.table();
        if working.contains_key(&id) {
            let why = format!(
                "Invalid request: the id {id} belongs to a request that is not answered yet"
            );
            return Err(RpcError::invalid_request(why));
        }
        if working.len() >= REQUESTS_IN_FLIGHT_MAX {
            let why = format!(
                "Busy: {REQUESTS_IN_FLIGHT_MAX} requests are being worked on; send it again later"
            );
            return Err(RpcError::new(code::BUSY, why));
        }
        working.insert(id.clone(), cancel.clone());
        drop(working);
        let exchange = Exchange { cancel: cancel.clone(), along, peer: self.peer.clone() };
        let (handler, request) = (Arc::clone(&self.handler), request.clone());
        let (working, peer) = (Arc::clone(&self.working), self.peer.clone());
        self.tasks.spawn(async move {
            let outcome = handler.request(request, exchange).await;
            if working.finish(&id, &cancel) {
                send(&peer, Response::new(id, outcome)).await;
            }
        });
        Ok(())
    }

    fn notification(&mut self, notification: Notification, along: Option<RequestId>) {
        let params = notification.params.as_deref();
        match &*notification.method {
            "notifications/cancelled" => {
                let id = Members::of(params).ok().and_then(|it| it.read("requestId"));
                if id.is_some_and(|id: RequestId| self.working.take_back(&id)) {
                    return;
                }
            }
            "notifications/progress" => {
                let token = Members::of(params).ok().and_then(|it| it.read("progressToken"));
                let pending = &self.peer.shared.pending;
                if token.is_some_and(|token: RequestId| pending.hear(&token, &notification)) {
                    return;
                }
            }
            // Of several requests the way tells to which one it belongs.
            "notifications/message" => {
                let pending = &self.peer.shared.pending;
                if along.as_ref().is_some_and(|id| pending.hear(id, &notification)) {
                    return;
                }
            }
            _ => {}
        }
        self.handler.notification(notification, along);
    }

    /// Takes a request of ours back.
    fn withdraw(&mut self, id: u64) {
        let id = RequestId::number(id);
        if self.peer.transport().withdraw(&id) {
            return;
        }
        let mut params = Members::new();
        if params.set("requestId", &id).is_err() {
            return;
        }
        let told = Notification::new("notifications/cancelled", params.to_raw().ok());
        let peer = self.peer.clone();
        self.tasks.spawn(async move {
            if let Err(error) = peer.notify(told).await {
                tracing::debug!(%error, "a request could not be taken back");
            }
        });
    }

    fn send(&mut self, response: Response) {
        let peer = self.peer.clone();
        self.tasks.spawn(async move { send(&peer, response).await });
    }
}

async fn send(peer: &Peer, response: Response) {
    if let Err(error) = peer.transport().send(&Message::Response(response)).await {
        tracing::debug!(%error, "an answer could not be sent");
    }
}
