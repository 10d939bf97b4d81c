//! The way to an upstream: its process or its address, and what was agreed on with it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use oncue_mcp::http::{Remote, Streamable, TwoEnds};
use oncue_mcp::{
    AboutClient, CallError, Child, Connection, Era, Expect, Members, OpenError, Peer, Transport,
    TransportErrorKind, Unreadable, open,
};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::ExposeSecret;
use tokio::sync::mpsc;

use super::asks::{Asks, FromUpstream, News};
use super::fault::UpstreamError;
use super::level::Level;
use super::listening::Listening;
use crate::config::{HttpKind, Launch};
use crate::limits::EXAMINE_TIME_MAX;
use crate::watchdog::Watchdog;

/// Lines of a child's standard error that an error shows.
const STDERR_LINES: usize = 3;

/// A way that is open. Lives until the upstream ends or is stopped.
pub struct Link {
    /// The upstream as it was agreed on.
    pub connection: Connection,
    /// Who answers for the calls that run.
    pub asks: Arc<Asks>,
    child: Option<Arc<Child>>,
    pub(super) listening: Listening,
    /// From which level on the upstream was asked to tell messages.
    level: tokio::sync::Mutex<Option<Level>>,
}

/// What is needed to open a link beside what starts the upstream.
pub(super) struct Opening<'o> {
    pub(super) http: &'o reqwest::Client,
    pub(super) about: &'o AboutClient,
    pub(super) expect: Expect,
    pub(super) time: Duration,
    pub(super) bytes_max: usize,
    pub(super) news: &'o mpsc::UnboundedSender<News>,
    pub(super) watchdog: &'o Watchdog,
}

impl Link {
    pub(super) async fn open(
        launch: &Launch,
        opening: &Opening<'_>,
    ) -> Result<Self, UpstreamError> {
        match launch {
            Launch::Stdio { command, args, env, cwd } => {
                let mut env: BTreeMap<OsString, OsString> = env
                    .iter()
                    .map(|(name, value)| (name.into(), value.expose_secret().into()))
                    .collect();
                env.extend(opening.watchdog.mark().map(|(name, mark)| (name.into(), mark.into())));
                let args = args.iter().map(|arg| OsString::from(arg.expose_secret()));
                let start = oncue_mcp::Launch {
                    command: command.into(),
                    args: args.collect(),
                    env,
                    cwd: cwd.clone(),
                    bytes_max: opening.bytes_max,
                };
                Self::of_process(command, &start, opening).await
            }
            Launch::Http { url, headers, kind } => {
                let remote = remote(url.expose_secret(), headers, opening.bytes_max)?;
                Self::of_server(remote, *kind, opening).await
            }
        }
    }

    async fn of_process(
        program: &str,
        start: &oncue_mcp::Launch,
        opening: &Opening<'_>,
    ) -> Result<Self, UpstreamError> {
        let spawn = || {
            let child = Child::start(start).map_err(|error| UpstreamError::Spawn {
                program: program.to_owned(),
                why: error.to_string(),
            })?;
            opening.watchdog.watch(child.group());
            Ok::<_, UpstreamError>(Arc::new(child))
        };
        let child = spawn()?;
        match Self::over(Arc::<Child>::clone(&child), opening, opening.expect).await {
            Ok((connection, asks)) => Ok(Self::new(connection, asks, Some(child))),
            // It does not survive a question that it does not know; the older era does not ask it.
            Err(OpenError::EndedOnProbe) => {
                child.stop().await;
                let child = spawn()?;
                let expect = Expect::Probably(Era::Sessions);
                match Self::over(Arc::<Child>::clone(&child), opening, expect).await {
                    Ok((connection, asks)) => Ok(Self::new(connection, asks, Some(child))),
                    Err(error) => Err(unopened(error, &child).await),
                }
            }
            Err(error) => Err(unopened(error, &child).await),
        }
    }

    async fn of_server(
        remote: Remote,
        kind: HttpKind,
        opening: &Opening<'_>,
    ) -> Result<Self, UpstreamError> {
        let (http, url) = (opening.http, remote.url.clone());
        let streamable = || Arc::new(Streamable::new(http.clone(), remote.clone()));
        let two_ends = || Arc::new(TwoEnds::new(http.clone(), remote.clone()));
        let older = Expect::Probably(Era::Sessions);
        let opened = match kind {
            HttpKind::Streamable => Self::over(streamable(), opening, opening.expect).await,
            HttpKind::Sse => Self::over(two_ends(), opening, older).await,
            HttpKind::Auto => match Self::over(streamable(), opening, opening.expect).await {
                Err(error) if is_of_two_ends(&error) => {
                    Self::over(two_ends(), opening, older).await.map_err(|_| error)
                }
                opened => opened,
            },
        };
        match opened {
            Ok((connection, asks)) => Ok(Self::new(connection, asks, None)),
            Err(error) => {
                tracing::debug!(host = url.host_str(), %error, "an upstream could not be opened");
                Err(UpstreamError::Open { error, stderr: Vec::new() })
            }
        }
    }

    async fn over(
        transport: Arc<dyn Transport>,
        opening: &Opening<'_>,
        expect: Expect,
    ) -> Result<(Connection, Arc<Asks>), OpenError> {
        let asks = Arc::new(Asks::default());
        let handler = FromUpstream { asks: Arc::clone(&asks), news: opening.news.clone() };
        let peer = Peer::start(Arc::clone(&transport), Arc::new(handler), Unreadable::Count);
        let guard = Unopened(Some(peer.clone()));
        let connection = open(peer, opening.about.clone(), expect, opening.time).await?;
        guard.opened();
        Ok((connection, asks))
    }

    fn new(connection: Connection, asks: Arc<Asks>, child: Option<Arc<Child>>) -> Self {
        let listening = Listening::start(&connection);
        Self { connection, asks, child, listening, level: tokio::sync::Mutex::default() }
    }

    /// Asks an upstream of the older era for messages from `level` on, where it was not asked for as much before.
    pub(super) async fn want(&self, level: Level) {
        if self.connection.version().era() != Era::Sessions
            || !self.connection.server().can("logging")
        {
            return;
        }
        let mut known = self.level.lock().await;
        if known.is_some_and(|known| known <= level) {
            return;
        }
        let mut params = Members::new();
        // Texts always are JSON.
        let _ = params.set("level", &level.as_str());
        let asking = self.connection.request("logging/setLevel", params);
        // One that does not do it now is not asked again.
        *known = Some(level);
        let _ = tokio::time::timeout(EXAMINE_TIME_MAX, asking).await;
    }

    /// Says whether nothing can be asked any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.connection.peer().is_closed()
    }

    /// Returns the process group, where the upstream is a process.
    #[must_use]
    pub fn group(&self) -> Option<u32> {
        self.child.as_ref().map(|child| child.group())
    }

    /// Returns what the upstream's process wrote last on its standard error.
    #[must_use]
    pub fn stderr(&self, lines: usize) -> Vec<String> {
        self.child.as_ref().map_or_else(Vec::new, |child| child.stderr().lines(lines))
    }

    /// Ends the link, and the upstream's process with all that it has started.
    pub async fn close(&self) {
        self.connection.peer().close().await;
    }
}

/// A connection that is being opened; whoever opens it may go away, and then it is closed.
struct Unopened(Option<Peer>);

impl Unopened {
    fn opened(mut self) {
        self.0 = None;
    }
}

impl Drop for Unopened {
    fn drop(&mut self) {
        if let Some(peer) = self.0.take() {
            tokio::spawn(async move { peer.close().await });
        }
    }
}

async fn unopened(error: OpenError, child: &Child) -> UpstreamError {
    let stderr = child.stderr().lines(STDERR_LINES);
    child.stop().await;
    UpstreamError::Open { error, stderr }
}

/// Says whether an error is one that a server of the oldest form gives, which has nothing to post to at its address.
fn is_of_two_ends(error: &OpenError) -> bool {
    let OpenError::Failed { source: CallError::Transport(error), .. } = error else { return false };
    matches!(error.kind, TransportErrorKind::Status { status: 400 | 404 | 405 | 406 | 415, .. })
}

fn remote(
    url: &str,
    headers: &[(String, secrecy::SecretString)],
    bytes_max: usize,
) -> Result<Remote, UpstreamError> {
    let url = url.parse().map_err(|_| UpstreamError::Setup("its address is no URL".to_owned()))?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let fault = || UpstreamError::Setup(format!("the header `{name}` cannot be sent"));
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| fault())?;
        let mut value = HeaderValue::from_str(value.expose_secret()).map_err(|_| fault())?;
        value.set_sensitive(true);
        map.insert(key, value);
    }
    Ok(Remote { url, headers: map, bytes_max })
}
