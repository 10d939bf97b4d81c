//! What a request says of its sender, in either era. Pure.

use serde_json::value::RawValue;

use crate::{
    META_CAPABILITIES, META_CLIENT, META_VERSION, Members, Raw, RpcError, Version, code, empty,
};

/// What a client says of itself; nobody vouches for it.
#[derive(Clone, Debug, Default)]
pub struct ClientSaid {
    /// What it is called.
    pub name: Option<String>,
    /// Its own version.
    pub version: Option<String>,
    /// What it can do, as it was written; absent where it says nothing.
    pub capabilities: Option<Raw>,
}

impl ClientSaid {
    /// Reads name and version of the protocol's `Implementation`.
    pub(super) fn of(info: Option<&RawValue>, capabilities: Option<&RawValue>) -> Self {
        let info = Members::of(info).unwrap_or_default();
        Self {
            name: info.read("name"),
            version: info.read("version"),
            capabilities: capabilities.map(RawValue::to_owned),
        }
    }

    /// Says whether the client has the capability `name`.
    #[must_use]
    pub fn can(&self, name: &str) -> bool {
        let capabilities = Members::of(self.capabilities.as_deref()).unwrap_or_default();
        capabilities.get(name).is_some_and(|raw| raw.get() != "null")
    }

    /// Returns the capability `name` as it was written.
    #[must_use]
    pub fn capability(&self, name: &str) -> Option<Raw> {
        let capabilities = Members::of(self.capabilities.as_deref()).unwrap_or_default();
        capabilities.get(name).map(RawValue::to_owned)
    }
}

/// What the metadata of a request says.
#[derive(Debug, Default)]
pub(super) struct Meta {
    /// The version that it is written in, as it was said.
    pub(super) version: Option<String>,
    /// The token under which the client wants to hear of progress.
    pub(super) progress_token: Option<Raw>,
    client: Option<Raw>,
    capabilities: Option<Raw>,
}

impl Meta {
    /// Reads the metadata in the parameters of a request.
    pub(super) fn of(params: Option<&RawValue>) -> Self {
        let params = Members::of(params).unwrap_or_default();
        let meta = Members::of(params.get("_meta")).unwrap_or_default();
        let raw = |name: &str| meta.get(name).map(RawValue::to_owned);
        Self {
            version: meta.read(META_VERSION),
            progress_token: raw("progressToken"),
            client: raw(META_CLIENT),
            capabilities: raw(META_CAPABILITIES),
        }
    }

    /// Says whether the request is written in the newer era: it says its version itself, or should.
    pub(super) fn is_stateless(&self, method: &str) -> bool {
        self.version.is_some() || method == "server/discover" || method == "subscriptions/listen"
    }

    /// Says whether the request begins a session, as it does in the older era alone.
    pub(super) fn begins_session(&self, method: &str) -> bool {
        let is_newest = self.version.as_deref() == Some(Version::V2026_07_28.as_str());
        method == "initialize" && !is_newest
    }

    /// Returns the version and the client, where all is said that the newer era wants.
    ///
    /// # Errors
    ///
    /// Something is missing or not what it should be, or the version is not spoken.
    pub(super) fn stateless(&self) -> Result<(Version, ClientSaid), RpcError> {
        let Some(text) = &self.version else {
            return Err(missing(META_VERSION));
        };
        let version = Version::parse(text).filter(|&version| version == Version::V2026_07_28);
        let version = version.ok_or_else(|| unsupported(text))?;
        let is_object = |raw: &Raw| raw.get().starts_with('{');
        let capabilities = self.capabilities.as_ref().filter(|raw| is_object(raw));
        let capabilities = capabilities.ok_or_else(|| missing(META_CAPABILITIES))?;
        Ok((version, ClientSaid::of(self.client.as_deref(), Some(capabilities))))
    }
}

fn missing(name: &str) -> RpcError {
    let why = format!(
        "Invalid params: `_meta` of the request lacks `{name}`, or it is not what it should be"
    );
    RpcError::invalid_params(why)
}

/// Returns the error for a version that is not spoken.
pub(super) fn unsupported(requested: &str) -> RpcError {
    let mut data = Members::new();
    // Texts always are JSON.
    let _ = data.set("supported", &[Version::V2026_07_28]);
    let _ = data.set("requested", &requested);
    let error = RpcError::new(code::UNSUPPORTED_VERSION, "Unsupported protocol version");
    error.with_data(&data.to_raw().unwrap_or_else(|_| empty()))
}
