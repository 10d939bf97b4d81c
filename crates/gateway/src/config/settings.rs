//! The settings of a gateway. They are read once, never change, and are replaced as a whole when a file changes.

use std::net::SocketAddr;
use std::path::PathBuf;

use oncue_decl::Scope;
use oncue_tools::{Glob, Grants, NameRules, PrincipalName, ToolPattern};

use super::{Place, Timeouts, Upstream, UpstreamId};
use crate::limits::ANSWER_BYTES_DEFAULT;

/// Everything that is set about a gateway.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What a client sees.
    pub mode: Mode,
    /// Serving over HTTP.
    pub http: HttpSettings,
    /// Answer budget of a search, in bytes.
    pub answer_bytes: usize,
    /// Longest exposed name of a tool, in characters.
    pub name_chars: usize,
    /// Tools of any upstream that are listed from the start.
    pub pinned: Vec<ToolPattern>,
    /// Other wording for what the gateway itself says.
    pub wording: Wording,
    /// What holders of tokens may do; the first row that names a principal holds.
    pub grants: Vec<GrantRow>,
    /// Where catalogs, tokens and records are kept; absent: the usual place of the system.
    pub state_dir: Option<PathBuf>,
    /// The embedding model that tells what tools mean; absent: the usual one if it is installed.
    pub embedder: Option<String>,
    /// What requests have taught of tools, as `oncue tune` has written it.
    pub tuning: Option<PathBuf>,
    /// The file in which searches are written that have led to a call, to learn from; absent: nothing of them is kept.
    pub requests: Option<PathBuf>,
    /// What is told to the outside.
    pub telemetry: Telemetry,
    /// Whether calls, denials and changes are recorded.
    pub has_audit: bool,
    /// Times for all upstreams.
    pub timeouts: Timeouts,
    /// Bounds in the place of the gateway's own.
    pub limits: LimitSettings,
    /// The upstreams, in the order of the files.
    pub upstreams: Vec<Upstream>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            http: HttpSettings::default(),
            answer_bytes: ANSWER_BYTES_DEFAULT,
            name_chars: NameRules::DEFAULT.chars_max(),
            pinned: Vec::new(),
            wording: Wording::default(),
            grants: Vec::new(),
            state_dir: None,
            embedder: None,
            tuning: None,
            requests: None,
            telemetry: Telemetry::default(),
            has_audit: true,
            timeouts: Timeouts::default(),
            limits: LimitSettings::default(),
            upstreams: Vec::new(),
        }
    }
}

/// What a client sees of the tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// What suits the client best.
    #[default]
    Auto,
    /// A search tool, a calling tool and the pinned ones; the list never changes.
    Search,
    /// The same, and what a search finds joins the list.
    Dynamic,
    /// Every tool.
    Passthrough,
}

impl Mode {
    /// Every mode with the name that settings give it.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("auto", Self::Auto),
        ("search", Self::Search),
        ("dynamic", Self::Dynamic),
        ("passthrough", Self::Passthrough),
    ];

    /// Returns the name that settings give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Search => "search",
            Self::Dynamic => "dynamic",
            Self::Passthrough => "passthrough",
        }
    }
}

/// Serving over HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpSettings {
    /// The address that is listened on; absent: the gateway serves over its standard input and output.
    pub bind: Option<SocketAddr>,
    /// Names in `Host` that are answered beside those of the address.
    pub allowed_hosts: Vec<String>,
    /// Origins of web pages that are answered; others are refused.
    pub allowed_origins: Vec<String>,
}

/// Other wording for what the gateway says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// The description of the tool that searches.
    pub search: Option<String>,
    /// The description of the tool that calls.
    pub call: Option<String>,
    /// What clients are told when they connect.
    pub instructions: Option<String>,
}

/// What principals of some names may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRow {
    /// Where the row stands.
    pub place: Place,
    /// Whom it is for.
    pub principal: Glob,
    /// How far it reaches.
    pub scope: Scope,
    /// The upstreams; absent: all, empty: none.
    pub upstreams: Option<Vec<Glob>>,
    /// The tools; absent: all, empty: none.
    pub tools: Option<Vec<ToolPattern>>,
    /// Tools that stay denied whatever the others say.
    pub denied: Vec<ToolPattern>,
    /// Gated tools that run without asking.
    pub unasked: Vec<ToolPattern>,
}

impl GrantRow {
    /// Returns what the row grants to a principal of this name.
    #[must_use]
    pub fn grants(&self, name: PrincipalName) -> Grants {
        let grants = Grants::external(name, self.scope)
            .with_denied(self.denied.iter().cloned())
            .with_unasked(self.unasked.iter().cloned());
        let grants = match &self.upstreams {
            Some(upstreams) => grants.with_upstreams(upstreams.iter().cloned()),
            None => grants,
        };
        match &self.tools {
            Some(tools) => grants.with_tools(tools.iter().cloned()),
            None => grants,
        }
    }
}

/// What is told to the outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Telemetry {
    /// Where traces and metrics are sent; absent: nowhere.
    pub otlp: Option<super::Template>,
    /// Whether `/metrics` is served.
    pub has_prometheus: bool,
}

/// Bounds in the place of the gateway's own; absent ones are left as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitSettings {
    /// Largest message from an upstream, in bytes.
    pub upstream_message_bytes: Option<usize>,
    /// Largest message from a client, in bytes.
    pub client_message_bytes: Option<usize>,
    /// Largest result that a model reads, in bytes.
    pub result_bytes: Option<usize>,
    /// Most calls in flight of one principal.
    pub calls_per_principal: Option<usize>,
    /// Most calls in flight at one upstream.
    pub calls_per_upstream: Option<usize>,
    /// Most calls in flight.
    pub calls: Option<usize>,
    /// Most connections of clients.
    pub connections: Option<usize>,
}

impl Settings {
    /// Returns the upstream of this id.
    #[must_use]
    pub fn upstream(&self, id: &UpstreamId) -> Option<&Upstream> {
        self.upstreams.iter().find(|upstream| upstream.id == *id)
    }

    /// Returns what the holder of a token may do: what the first row that names it says, and nothing where none does.
    #[must_use]
    pub fn grants_of(&self, name: &PrincipalName) -> Option<Grants> {
        let row = self.grants.iter().find(|row| row.principal.matches(name.as_str()))?;
        Some(row.grants(name.clone()))
    }
}
