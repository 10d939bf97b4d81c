//! The harness: an HTTP server on this machine that speaks one or more wires. Lives until it is dropped.

mod chunks;
mod http;
mod respond;
mod state;

#[cfg(test)]
mod tests;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use oncue_agent::cache::CacheUse;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::{Asked, Refusal, Scripted, Wire};

pub use chunks::Chunks;

use state::Shared;

/// A server that answers from a script, strictly.
///
/// Requests go to the first wire that serves their path.
/// A request that breaks a rule is refused and takes nothing from the script.
/// Dropping the fake closes its port; requests under way are still answered.
///
/// ```
/// # use oncue_fakes::{Chunks, Fake, Scripted};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let fake = Fake::start(oncue_fakes::wires())?.with_chunks(Chunks::Bytes(1));
/// fake.push(Scripted::text("Hello."));
/// assert!(fake.url().starts_with("http://127.0.0.1:"));
/// assert!(fake.requests().is_empty());
/// # Ok(())
/// # }
/// ```
pub struct Fake {
    address: SocketAddr,
    shared: Arc<Shared>,
    /// Dropping it stops the server.
    stop: oneshot::Sender<()>,
    served: JoinHandle<io::Result<()>>,
}

/// A request that a fake saw, and what came of it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The request.
    pub asked: Asked,
    /// Why it was not answered, where it was not: a rule, a scripted failure, an empty script or a panic of the fake.
    pub refusal: Option<Refusal>,
    /// What it read from and wrote to the vendor's cache; nothing where it was refused.
    pub cache: CacheUse,
}

impl Fake {
    /// Starts a server on a free port of this machine, in the caller's runtime.
    ///
    /// # Errors
    ///
    /// There is no runtime, or no free port.
    pub fn start(wires: impl IntoIterator<Item = Box<dyn Wire>>) -> io::Result<Self> {
        Self::start_on(0, wires)
    }

    /// Starts a server on this port of this machine; 0 takes a free one.
    ///
    /// # Errors
    ///
    /// There is no runtime, or the port is taken.
    pub fn start_on(port: u16, wires: impl IntoIterator<Item = Box<dyn Wire>>) -> io::Result<Self> {
        let runtime = Handle::try_current().map_err(io::Error::other)?;
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let listener = TcpListener::from_std(listener)?;
        let shared = Arc::new(Shared::new(wires.into_iter().collect()));
        let (stop, stopped) = oneshot::channel();
        let served = runtime.spawn(http::serve(listener, Arc::clone(&shared), stopped));
        Ok(Self { address, shared, stop, served })
    }

    /// Returns the fake that cuts its streams like this.
    #[must_use]
    pub fn with_chunks(self, chunks: Chunks) -> Self {
        self.shared.lock().chunks = chunks;
        self
    }

    /// Returns the fake that answers by `responder` when its queue is empty.
    #[must_use]
    pub fn with_responder(
        self,
        responder: impl Fn(&Asked) -> Scripted + Send + Sync + 'static,
    ) -> Self {
        self.shared.lock().responder = Some(Arc::new(move |_, asked| responder(asked)));
        self
    }

    /// Returns the fake that, when its queue is empty, searches with the user's last text, calls the first tool that the search shows, and then says what came of it.
    #[must_use]
    pub fn with_search_demo(self) -> Self {
        self.shared.lock().responder =
            Some(Arc::new(|wire, asked| crate::glance::search_demo(wire.glance(asked).as_ref())));
        self
    }

    /// Adds the answer to one more request.
    pub fn push(&self, scripted: Scripted) {
        self.shared.lock().queue.push_back(scripted);
    }

    /// Adds the answers to further requests.
    pub fn extend(&self, script: impl IntoIterator<Item = Scripted>) {
        self.shared.lock().queue.extend(script);
    }

    /// Returns the address without a path or a final slash, such as `http://127.0.0.1:4711`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns how many answers are left in the queue.
    #[must_use]
    pub fn left(&self) -> usize {
        self.shared.lock().queue.len()
    }

    /// Returns every request so far, in the order in which they came.
    #[must_use]
    pub fn requests(&self) -> Vec<Seen> {
        self.shared.lock().seen.clone()
    }

    /// Closes the port and waits until the requests under way are answered.
    ///
    /// # Errors
    ///
    /// The server failed.
    pub async fn stop(self) -> io::Result<()> {
        drop(self.stop);
        self.served.await.map_err(io::Error::other)?
    }
}
