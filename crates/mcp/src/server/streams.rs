//! A client over a pair of streams: it has started us, or is in the same process.

use std::sync::Arc;

use oncue_tools::{BoxFuture, Principal};

use super::door::{Arrival, answer};
use super::session::{Known, SessionHandle};
use super::{Caller, Outlet, Shared};
use crate::peer::{Exchange, Handler, Told};
use crate::{Notification, Peer, Raw, Request, RpcError, Transport, Unreadable};

/// Serves one client over `transport` until it goes away; to be awaited within a runtime.
///
/// Every request of it is made by `principal`.
pub async fn serve(transport: Arc<dyn Transport>, service: Shared, principal: Principal) {
    let client = Arc::new(Client {
        service: Arc::clone(&service),
        principal,
        known: Arc::default(),
        handle: std::sync::OnceLock::new(),
    });
    let handler: Arc<dyn Handler> = Arc::<Client>::clone(&client);
    let peer = Peer::start(transport, handler, Unreadable::Answer);
    let changes = tokio::spawn(tell_changes(Arc::clone(&client), peer.clone()));
    peer.closed().await;
    changes.abort();
    if let Some(handle) = client.handle.get() {
        service.ended(handle);
    }
}

struct Client {
    service: Shared,
    principal: Principal,
    known: Arc<Known>,
    /// Made with the first request: the handle needs the peer.
    handle: std::sync::OnceLock<SessionHandle>,
}

impl Handler for Client {
    fn request<'a>(
        &'a self,
        request: Request,
        exchange: Exchange,
    ) -> BoxFuture<'a, Result<Raw, RpcError>> {
        let peer = exchange.peer.clone();
        let id = || uuid::Uuid::new_v4().simple().to_string();
        let handle = self.handle.get_or_init(|| SessionHandle::of_peer(id(), peer)).clone();
        let arrival = Arrival {
            request,
            principal: self.principal.clone(),
            cancel: exchange.cancel,
            outlet: Outlet::peer(exchange.peer),
            session: Some((handle, Arc::clone(&self.known))),
        };
        Box::pin(async move { answer(&self.service, arrival).await })
    }

    fn notification(&self, notification: Notification, _: Told) {
        if let Some(caller) = self.known.caller() {
            self.service.told(notification, &caller);
        }
    }
}

/// Tells a session of the older era what changes; in the newer one the client says what it wants to hear of.
async fn tell_changes(client: Arc<Client>, peer: Peer) {
    use tokio::sync::broadcast::error::RecvError;
    let nobody = || Caller {
        principal: client.principal.clone(),
        version: crate::Version::LAST_WITH_SESSIONS,
        client: super::ClientSaid::default(),
    };
    let mut changes = client.service.changes(&nobody());
    loop {
        let told = match changes.recv().await {
            Ok(change) => vec![change],
            Err(RecvError::Lagged(_)) => {
                vec![super::Change::Tools, super::Change::Prompts, super::Change::Resources]
            }
            Err(RecvError::Closed) => return,
        };
        if client.known.caller().is_none() {
            continue;
        }
        // Of single resources a session hears that has subscribed to them, from the service.
        for change in told.into_iter().filter(|it| !matches!(it, super::Change::Resource { .. })) {
            if peer.notify(change.notification()).await.is_err() {
                return;
            }
        }
    }
}
