//! What is known of one upstream.

use std::time::{SystemTime, UNIX_EPOCH};

use oncue_mcp::{CallError, Connection, Era, List, Listed, Raw, code};
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::limits::{PROMPTS_MAX, RESOURCES_MAX, TOOLS_MAX};

/// What an upstream said of itself and of what it offers, each entry as it was written.
///
/// It belongs to one fingerprint: what another command or address says is something else, whatever it is called here.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Known {
    /// Which upstream it is of.
    pub fingerprint: String,
    /// When it was read, in milliseconds since 1970.
    pub read_ms: u64,
    /// Which era it spoke.
    pub era: Era,
    /// What it calls itself.
    pub name: Option<String>,
    /// Its own version.
    pub version: Option<String>,
    /// How it wants to be used.
    pub instructions: Option<String>,
    /// What it can do.
    pub capabilities: Raw,
    /// Its tools.
    pub tools: Vec<Raw>,
    /// Its resources.
    pub resources: Vec<Raw>,
    /// Its templates of resources.
    pub templates: Vec<Raw>,
    /// Its prompts.
    pub prompts: Vec<Raw>,
    /// Why there may be more tools than these.
    pub incomplete: Option<String>,
    /// The digest of its tools, where their texts are not here any more.
    #[serde(skip)]
    pub(crate) forgotten: Option<Digest>,
}

impl Known {
    /// Reads all of it from an upstream.
    ///
    /// # Errors
    ///
    /// Its tools cannot be listed. What else cannot be listed is left out.
    pub async fn read(connection: &Connection, fingerprint: String) -> Result<Self, CallError> {
        let server = connection.server();
        let tools = match server.can("tools") {
            true => connection.list(List::Tools, TOOLS_MAX).await?,
            false => Listed::default(),
        };
        let resources = server.can("resources");
        Ok(Self {
            fingerprint,
            read_ms: now_ms(),
            era: connection.version().era(),
            name: server.name.clone(),
            version: server.version.clone(),
            instructions: server.instructions.clone(),
            capabilities: server.capabilities.clone(),
            incomplete: tools.incomplete.map(|why| why.to_string()),
            tools: tools.entries,
            resources: optional(connection, resources, List::Resources, RESOURCES_MAX).await,
            templates: optional(connection, resources, List::ResourceTemplates, RESOURCES_MAX)
                .await,
            prompts: optional(connection, server.can("prompts"), List::Prompts, PROMPTS_MAX).await,
            forgotten: None,
        })
    }

    /// Returns the same without the texts of its tools, which the catalog has in its own form and the disk has too.
    pub(crate) fn without_texts(&self) -> Self {
        let forgotten = Some(self.digest());
        Self {
            tools: Vec::new(),
            forgotten,
            fingerprint: self.fingerprint.clone(),
            name: self.name.clone(),
            version: self.version.clone(),
            instructions: self.instructions.clone(),
            capabilities: self.capabilities.clone(),
            resources: self.resources.clone(),
            templates: self.templates.clone(),
            prompts: self.prompts.clone(),
            incomplete: self.incomplete.clone(),
            ..*self
        }
    }

    fn digest(&self) -> Digest {
        let texts = || Digest::of_all(self.tools.iter().map(|tool| tool.get()));
        self.forgotten.unwrap_or_else(texts)
    }

    /// Says whether both say the same, whenever they were read.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        let same = |left: &[Raw], right: &[Raw]| {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| left.get() == right.get())
        };
        self.fingerprint == other.fingerprint
            && self.instructions == other.instructions
            && self.digest() == other.digest()
            && same(&self.resources, &other.resources)
            && same(&self.templates, &other.templates)
            && same(&self.prompts, &other.prompts)
    }
}

/// Lists what an upstream says that it has; some say so and do not know the method.
async fn optional(connection: &Connection, is_there: bool, list: List, max: usize) -> Vec<Raw> {
    if !is_there {
        return Vec::new();
    }
    match connection.list(list, max).await {
        Ok(listed) => listed.entries,
        Err(CallError::Rpc(error)) if error.code == code::METHOD_NOT_FOUND => Vec::new(),
        Err(error) => {
            tracing::warn!(method = list.method(), %error, "a list cannot be read");
            Vec::new()
        }
    }
}

/// Returns the time, in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
