//! The Model Context Protocol in both directions and both of its eras, on raw JSON.
//!
//! A gateway passes on what others wrote, so nothing here is decoded further than it must be: parameters, results and definitions stay the text that their sender wrote, with its numbers, its order and what no version of the protocol knows yet.
//!
//! ```
//! use std::sync::Arc;
//!
//! use oncue_mcp::{Memory, Peer, Silent, Unreadable};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let (here, there) = Memory::pair();
//! let _server = Peer::start(Arc::new(there), Arc::new(Silent), Unreadable::Answer);
//! let client = Peer::start(Arc::new(here), Arc::new(Silent), Unreadable::Count);
//!
//! assert_eq!(client.request("ping", None).await?.get(), "{}");
//! assert!(client.request("tools/list", None).await.is_err());
//! # Ok(())
//! # }
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(run())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | `message` | JSON-RPC 2.0: [`Message`], [`RequestId`], [`RpcError`], raw [`Members`] |
//! | `version` | [`Version`] and its [`Era`] |
//! | `transport` | [`Transport`]; [`Lines`] over streams, [`Child`] processes, [`Memory`] |
//! | `peer` | [`Peer`]: requests and their answers in both directions |
//! | `client` | [`Connection`]: a server in whichever era it speaks |
//! | [`http`] | servers behind HTTP |
//! | [`server`] | the side that clients connect to |
//! | [`limits`] | every bound, with its unit |

mod client;
pub mod http;
pub mod limits;
mod message;
mod peer;
pub mod server;
mod transport;
mod version;

pub use client::{
    AboutClient, AboutServer, Connection, Expect, Incomplete, List, Listed, META_CAPABILITIES,
    META_CLIENT, META_LEVEL, META_SERVER, META_SUBSCRIPTION, META_VERSION, OpenError, Patience,
    open,
};
pub use message::{
    Malformed, Members, Message, Notification, Raw, Request, RequestId, Response, RpcError, code,
};
pub use peer::{
    CallError, Counts, Exchange, Handler, Listener, Peer, Silent, Thinking, Told, Unreadable, empty,
};
pub use transport::{
    Child, Framing, Input, Launch, Line, Lines, Memory, Noise, Output, Received, StderrTail,
    Transport, TransportError, TransportErrorKind, standard_input, standard_output,
};
pub use version::{Era, Version};
