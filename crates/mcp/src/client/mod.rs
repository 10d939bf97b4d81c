//! A connection to a server, in whichever era it speaks.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Connection`]: what was agreed on, and requests in the form of its era |
//! | `open` | how it begins: `server/discover`, or `initialize` |
//! | `about` | what both sides say of themselves ([`AboutClient`], [`AboutServer`]) |
//! | `list` | all pages of a list, each entry raw |
//! | `call` | requests with a deadline that progress moves |

mod about;
mod call;
mod list;
mod open;

use serde_json::value::RawValue;

pub use about::{AboutClient, AboutServer};
pub use call::Patience;
pub use list::{Incomplete, List, Listed};
pub use open::{Expect, OpenError, open};

use crate::{CallError, Era, Listener, Members, Peer, Raw, Version};

/// The name under which a request says which version it is written in.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The name under which a request says who sends it.
pub const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";
/// The name under which a request says what its sender can do.
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The name under which a request says from which level on its sender wants to read messages.
pub const META_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The name under which a result says who sends it.
pub const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";
/// The name under which a notification says which subscription it belongs to.
pub const META_SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// A server with which a version was agreed on. Lives as long as its peer is connected.
#[derive(Clone)]
pub struct Connection {
    peer: Peer,
    version: Version,
    server: AboutServer,
    client: AboutClient,
}

impl Connection {
    /// Returns the other side.
    #[must_use]
    pub const fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Returns the version that is spoken.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Returns what the server says of itself.
    #[must_use]
    pub const fn server(&self) -> &AboutServer {
        &self.server
    }

    /// Asks in the form of the era, and waits for as long as it takes.
    ///
    /// In the newer era `params` may hold capabilities in their metadata: those of whom the request is made for, in the place of ours.
    ///
    /// # Errors
    ///
    /// The server answers with an error, or cannot be asked.
    pub async fn request(&self, method: &str, params: Members) -> Result<Raw, CallError> {
        self.peer.request(method, self.in_era(params)?).await
    }

    pub(crate) async fn request_heard(
        &self,
        method: &str,
        params: Members,
        listener: Option<Listener>,
    ) -> Result<Raw, CallError> {
        self.peer.request_heard(method, self.in_era(params)?, listener).await
    }

    /// Returns the parameters with what the era wants in each request; nothing where there are none.
    fn in_era(&self, mut params: Members) -> Result<Option<Raw>, CallError> {
        let unwritable = |error: serde_json::Error| CallError::Unwritable(error.to_string());
        match self.version.era() {
            Era::Stateless => {
                self.client.put_meta(&mut params, self.version).map_err(unwritable)?;
            }
            Era::Sessions => keep_older_meta(&mut params).map_err(unwritable)?,
        }
        match params.is_empty() {
            true => Ok(None),
            false => params.to_raw().map(Some).map_err(unwritable),
        }
    }
}

/// Takes out of the metadata what the older era says otherwise.
fn keep_older_meta(params: &mut Members) -> Result<(), serde_json::Error> {
    let Ok(mut meta) = Members::of(params.get("_meta")) else { return Ok(()) };
    let taken = [META_CAPABILITIES, META_LEVEL].map(|name| meta.take(name).is_some());
    match taken.contains(&true) {
        false => Ok(()),
        true if meta.is_empty() => {
            params.take("_meta");
            Ok(())
        }
        true => params.set("_meta", &meta),
    }
}

/// Returns the members of a result.
fn members(raw: &RawValue) -> Result<Members, CallError> {
    Members::of(Some(raw)).map_err(|_| CallError::Unreadable("the result is no object".to_owned()))
}
