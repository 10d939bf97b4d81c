//! What both sides say of themselves.

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::{META_CAPABILITIES, META_CLIENT, META_VERSION};
use crate::{Members, Raw, Version, empty};

/// What this side says of itself to servers.
#[derive(Clone, Debug)]
pub struct AboutClient {
    /// Name and version, as the protocol's `Implementation`.
    pub info: Raw,
    /// What it can do. Servers hide tools from those who can do little.
    pub capabilities: Raw,
}

/// What a server says of itself.
#[derive(Clone, Debug)]
pub struct AboutServer {
    /// What it is called, where it says so.
    pub name: Option<String>,
    /// Its own version, where it says so.
    pub version: Option<String>,
    /// How it wants to be used.
    pub instructions: Option<String>,
    /// What it can do, as it was written.
    pub capabilities: Raw,
}

#[derive(Deserialize)]
struct Implementation {
    name: Option<String>,
    version: Option<String>,
}

impl AboutClient {
    /// A client of this name and version that can do all that a server may ask for.
    #[must_use]
    pub fn able(name: &str, version: &str) -> Self {
        let raw = |value: &serde_json::Value| {
            serde_json::value::to_raw_value(value).unwrap_or_else(|_| empty())
        };
        Self {
            info: raw(&json!({ "name": name, "version": version })),
            capabilities: raw(&json!({
                "roots": { "listChanged": true },
                "sampling": { "context": {}, "tools": {} },
                "elicitation": { "form": {}, "url": {} },
                "extensions": { "io.modelcontextprotocol/tasks": {} },
            })),
        }
    }

    /// Puts into `params` what each request says in the era without sessions. Capabilities that are there already stay: whoever asks for somebody else can do no more than they.
    pub(super) fn put_meta(
        &self,
        params: &mut Members,
        version: Version,
    ) -> Result<(), serde_json::Error> {
        let mut meta = Members::of(params.get("_meta")).unwrap_or_default();
        meta.set(META_VERSION, &version.as_str())?;
        meta.put(META_CLIENT, self.info.clone());
        if meta.get(META_CAPABILITIES).is_none() {
            meta.put(META_CAPABILITIES, self.capabilities.clone());
        }
        params.set("_meta", &meta)
    }
}

impl AboutServer {
    /// Reads the result of `initialize` or `server/discover`, whose server is described by `info`.
    pub(super) fn of(result: &Members, info: Option<&RawValue>) -> Self {
        let info = info.and_then(|raw| serde_json::from_str::<Implementation>(raw.get()).ok());
        let (name, version) = info.map_or((None, None), |info| (info.name, info.version));
        Self {
            name,
            version,
            instructions: result.read("instructions"),
            capabilities: result.get("capabilities").map_or_else(empty, RawValue::to_owned),
        }
    }

    /// Says whether the server has the capability `name`.
    #[must_use]
    pub fn can(&self, name: &str) -> bool {
        let capabilities = Members::of(Some(&self.capabilities)).unwrap_or_default();
        capabilities.get(name).is_some_and(|raw| raw.get() != "null")
    }

    /// Says whether the capability `name` has the ability `ability` set.
    #[must_use]
    pub fn can_within(&self, name: &str, ability: &str) -> bool {
        let capabilities = Members::of(Some(&self.capabilities)).unwrap_or_default();
        let within = Members::of(capabilities.get(name)).unwrap_or_default();
        within.read::<bool>(ability) == Some(true)
    }
}
