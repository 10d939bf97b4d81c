//! The side that clients connect to, in both eras, over streams and over HTTP.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Service`]: what answers, and what surrounds a request ([`Context`]) |
//! | `said` | what a request says of its sender, in either era |
//! | `door` | the methods of the protocol itself; everything else goes to the service |
//! | `outlet` | where messages that belong to a request go |
//! | `session` | a client of the older era that is remembered |
//! | `listen` | changes, told to whoever listens |
//! | `streams` | a client over a pair of streams ([`serve`]) |
//! | `http` | clients over HTTP ([`http::Endpoint`](crate::server::HttpEndpoint)) |

mod door;
mod http;
mod listen;
mod outlet;
mod said;
mod session;
mod streams;

use std::sync::Arc;

use oncue_tools::{BoxFuture, Cancel, Principal};

pub use http::{Admit, Guard, HttpEndpoint, Refusal};
pub use listen::Change;
pub use outlet::Outlet;
pub use said::ClientSaid;
pub use session::SessionHandle;
pub use streams::serve;

use crate::http::Mirror;
use crate::{CallError, Era, Notification, Raw, Request, RpcError, Version};

/// What answers clients. Shared by all of them.
pub trait Service: Send + Sync + 'static {
    /// Returns what the server says of itself to this client.
    fn about(&self, caller: &Caller) -> About;

    /// Says whether this client is to begin a session even though it asks in the newer era; `server/discover` is then unknown to it, as it is to a server of the older era alone.
    ///
    /// Only for clients that are known to fall back.
    fn wants_session(&self, caller: &Caller) -> bool {
        let _ = caller;
        false
    }

    /// Answers a request that is none of the protocol's own.
    ///
    /// Where the client takes it back, `cancel` of the context fires and the answer is not sent.
    fn answer(&self, request: Request, context: Context) -> BoxFuture<'_, Result<Raw, RpcError>>;

    /// Returns the arguments of the tool `name` that a client says in headers too.
    fn mirrors(&self, name: &str, caller: &Caller) -> Vec<Mirror> {
        let _ = (name, caller);
        Vec::new()
    }

    /// Takes what a client tells, where that is none of the protocol's own.
    fn told(&self, notification: Notification, caller: &Caller) {
        let _ = (notification, caller);
    }

    /// Begins to tell changes to whoever listens as this caller.
    fn changes(&self, caller: &Caller) -> tokio::sync::broadcast::Receiver<Change>;

    /// A client of the newer era begins to wait for changes of these resources; they are told as [`Change::Resource`].
    fn watch<'a>(&'a self, uris: &'a [String], caller: &'a Caller) -> BoxFuture<'a, ()> {
        let _ = (uris, caller);
        Box::pin(std::future::ready(()))
    }

    /// A client no longer waits for changes of these resources.
    fn unwatch(&self, uris: &[String], caller: &Caller) {
        let _ = (uris, caller);
    }

    /// A session of the older era has begun; notifications that belong to no request go through its handle.
    fn begun(&self, session: &SessionHandle, caller: &Caller) {
        let _ = (session, caller);
    }

    /// A session of the older era is over.
    fn ended(&self, session: &SessionHandle) {
        let _ = session;
    }
}

/// What a server says of itself.
#[derive(Clone, Debug)]
pub struct About {
    /// Name and version, as the protocol's `Implementation`.
    pub info: Raw,
    /// What it can do.
    pub capabilities: Raw,
    /// How it wants to be used.
    pub instructions: Option<String>,
    /// How many milliseconds clients may call this fresh for.
    pub ttl_ms: u64,
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who it was authenticated as.
    pub principal: Principal,
    /// The version that the request is written in.
    pub version: Version,
    /// What the client says of itself; nobody vouches for it.
    pub client: ClientSaid,
}

/// What surrounds a request.
pub struct Context {
    /// Who asks.
    pub caller: Caller,
    /// Fires where the client takes the request back or goes away.
    pub cancel: Cancel,
    /// The session, in the older era.
    pub session: Option<SessionHandle>,
    /// Where messages that belong to the request go.
    pub outlet: Outlet,
    /// The token under which the client wants to hear of progress.
    pub progress_token: Option<Raw>,
}

impl Context {
    /// Asks the client something that belongs to the request; in the newer era that cannot be done, and an answer asks instead.
    ///
    /// # Errors
    ///
    /// The client cannot be asked, or answers with an error.
    pub async fn ask(&self, method: &str, params: Option<Raw>) -> Result<Raw, CallError> {
        if self.caller.version.era() == Era::Stateless {
            let error = RpcError::invalid_request("the client cannot be asked within a request");
            return Err(CallError::Rpc(error));
        }
        self.outlet.ask(method, params).await
    }

    /// Tells the client something that belongs to the request.
    pub async fn tell(&self, notification: Notification) {
        self.outlet.tell(notification).await;
    }
}

/// A service that is shared.
pub(crate) type Shared = Arc<dyn Service>;
