//! How a connection begins.
//!
//! A server of the newer era is asked `server/discover`; one of the older era does not know that method and is then asked `initialize` (specification 2026-07-28, basic/lifecycle, backward compatibility).

use std::time::Duration;

use serde_json::json;

use super::{AboutClient, AboutServer, Connection, META_SERVER, members};
use crate::limits::PROBE_TIME_MAX;
use crate::{
    CallError, Era, Members, Notification, Peer, RpcError, TransportErrorKind, Version, code,
};

/// Which era a server is expected to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Nothing is known of it.
    Either,
    /// It spoke this one when it was last met; the other is tried too if it does not now.
    Probably(Era),
}

/// Why a connection could not be opened.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The server ended when it was asked which era it speaks; started again and expected to speak the older one, it may do.
    #[error("the server ended when it was asked `server/discover`")]
    EndedOnProbe,
    /// The server did not answer in time.
    #[error("the server did not answer `{method}` within {seconds} s")]
    TimedOut {
        /// What it was asked.
        method: &'static str,
        /// How long it had.
        seconds: u64,
    },
    /// No version is spoken by both sides.
    #[error("the server speaks {theirs}, and none of that is spoken here")]
    NoCommonVersion {
        /// What the server says that it speaks.
        theirs: String,
    },
    /// Asking failed.
    #[error("failed to begin with `{method}`: {source}")]
    Failed {
        /// What was asked.
        method: &'static str,
        /// Why.
        source: CallError,
    },
}

const DISCOVER: &str = "server/discover";
const INITIALIZE: &str = "initialize";

/// Opens a connection to the server behind `peer`, which has `time` for each of its answers.
///
/// # Errors
///
/// The server does not answer, answers with an error, or speaks no version that is spoken here.
pub async fn open(
    peer: Peer,
    client: AboutClient,
    expect: Expect,
    time: Duration,
) -> Result<Connection, OpenError> {
    let opening = Opening { peer, client, time };
    match expect {
        Expect::Either => opening.either().await,
        Expect::Probably(Era::Stateless) => match opening.discover(time).await? {
            Discovered::Connection(connection) => Ok(*connection),
            Discovered::OlderEra => opening.initialize().await,
        },
        Expect::Probably(Era::Sessions) => match opening.initialize().await {
            // A server of the newer era alone says so.
            Err(OpenError::Failed { source: CallError::Rpc(error), .. })
                if matches!(error.code, code::METHOD_NOT_FOUND | code::UNSUPPORTED_VERSION) =>
            {
                opening.either().await
            }
            opened => opened,
        },
    }
}

struct Opening {
    peer: Peer,
    client: AboutClient,
    time: Duration,
}

enum Discovered {
    Connection(Box<Connection>),
    /// The server does not know the question.
    OlderEra,
}

impl Opening {
    async fn either(&self) -> Result<Connection, OpenError> {
        match self.discover(PROBE_TIME_MAX.min(self.time)).await {
            Ok(Discovered::Connection(connection)) => Ok(*connection),
            // Some servers leave what they do not know unanswered.
            Ok(Discovered::OlderEra) | Err(OpenError::TimedOut { .. }) => self.initialize().await,
            Err(_) if self.peer.is_closed() => Err(OpenError::EndedOnProbe),
            Err(error) => Err(error),
        }
    }

    async fn discover(&self, time: Duration) -> Result<Discovered, OpenError> {
        let version = Version::V2026_07_28;
        let mut params = Members::new();
        let failed = |source| OpenError::Failed { method: DISCOVER, source };
        let unwritable =
            |error: serde_json::Error| failed(CallError::Unwritable(error.to_string()));
        self.client.put_meta(&mut params, version).map_err(unwritable)?;
        self.peer.transport().agree(version);
        let params = params.to_raw().map_err(unwritable)?;
        let asking = async {
            match self.peer.request(DISCOVER, Some(params.clone())).await {
                // It says that it speaks this version all the same, so it is asked once more.
                Err(CallError::Rpc(error)) if supports(&error, version) => {
                    self.peer.request(DISCOVER, Some(params)).await
                }
                asked => asked,
            }
        };
        let result = match self.within(DISCOVER, time, asking).await {
            Ok(result) => members(&result).map_err(failed)?,
            Err(OpenError::Failed { source, .. }) if is_of_older_era(&source) => {
                return Ok(Discovered::OlderEra);
            }
            Err(error) => return Err(error),
        };
        let theirs: Vec<String> = result.read("supportedVersions").unwrap_or_default();
        if !theirs.iter().any(|text| text == version.as_str()) {
            // Some servers answer whatever they do not know with nothing.
            let speaks_older =
                theirs.is_empty() || theirs.iter().any(|text| Version::parse(text).is_some());
            return match speaks_older {
                true => Ok(Discovered::OlderEra),
                false => Err(OpenError::NoCommonVersion { theirs: theirs.join(", ") }),
            };
        }
        let meta = Members::of(result.get("_meta")).unwrap_or_default();
        let server = AboutServer::of(&result, meta.get(META_SERVER));
        Ok(Discovered::Connection(Box::new(self.connection(version, server))))
    }

    async fn initialize(&self) -> Result<Connection, OpenError> {
        let failed = |source| OpenError::Failed { method: INITIALIZE, source };
        let version = Version::LAST_WITH_SESSIONS;
        let params = serde_json::value::to_raw_value(&json!({
            "protocolVersion": version,
            "capabilities": &self.client.capabilities,
            "clientInfo": &self.client.info,
        }));
        let params = params.map_err(|error| failed(CallError::Unwritable(error.to_string())))?;
        self.peer.transport().agree(version);
        let asking = self.peer.request(INITIALIZE, Some(params));
        let result = self.within(INITIALIZE, self.time, asking).await?;
        let result = members(&result).map_err(failed)?;
        let theirs: String = result.read("protocolVersion").unwrap_or_default();
        let version = Version::parse(&theirs).filter(|version| version.era() == Era::Sessions);
        let version = version.ok_or(OpenError::NoCommonVersion { theirs })?;
        self.peer.transport().agree(version);
        let initialized = Notification::new("notifications/initialized", None);
        let told = self.peer.notify(initialized).await;
        told.map_err(|error| failed(CallError::Transport(error)))?;
        let server = AboutServer::of(&result, result.get("serverInfo"));
        Ok(self.connection(version, server))
    }

    async fn within<T>(
        &self,
        method: &'static str,
        time: Duration,
        asking: impl Future<Output = Result<T, CallError>>,
    ) -> Result<T, OpenError> {
        match tokio::time::timeout(time, asking).await {
            Ok(answer) => answer.map_err(|source| OpenError::Failed { method, source }),
            Err(_) => Err(OpenError::TimedOut { method, seconds: time.as_secs() }),
        }
    }

    fn connection(&self, version: Version, server: AboutServer) -> Connection {
        let (peer, client) = (self.peer.clone(), self.client.clone());
        Connection { peer, version, server, client }
    }
}

/// Says whether a server that refuses a version speaks this one.
fn supports(error: &RpcError, version: Version) -> bool {
    error.code == code::UNSUPPORTED_VERSION
        && supported(error).iter().any(|it| it == version.as_str())
}

/// Returns the versions that an error names.
fn supported(error: &RpcError) -> Vec<String> {
    let data = Members::of(error.data.as_deref()).unwrap_or_default();
    data.read("supported").unwrap_or_default()
}

/// Says whether an answer to `server/discover` is one that only a server of the older era gives.
fn is_of_older_era(error: &CallError) -> bool {
    match error {
        CallError::Rpc(error) if error.code == code::UNSUPPORTED_VERSION => supported(error)
            .iter()
            .any(|text| Version::parse(text).is_some_and(|version| version.era() == Era::Sessions)),
        CallError::Rpc(error) => {
            !matches!(error.code, code::HEADER_MISMATCH | code::MISSING_CLIENT_CAPABILITY)
        }
        // Without a session the older era has nothing behind its address, in one of these words.
        CallError::Transport(error) => matches!(
            error.kind,
            TransportErrorKind::Status { status: 400 | 404 | 405 | 406 | 415 | 422, .. }
                | TransportErrorKind::SessionGone
        ),
        _ => false,
    }
}
