//! One upstream as the settings describe it. It lives as long as the settings.

mod fingerprint;
mod launch;
mod overrides;
mod url;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use fingerprint::Fingerprint;
pub use launch::{Launch, LaunchError};
pub use overrides::{ToolOverride, ToolOverrides};
pub(crate) use url::UrlParts;

use super::foreign::Form;
use super::{Place, Template, UpstreamId};

/// An MCP server behind the gateway: how it is reached and what is changed about its tools.
///
/// Its credentials are in [`Template`]s, so no rendering of an upstream shows one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// Its id.
    pub id: UpstreamId,
    /// Which file describes it, and where.
    pub origin: Origin,
    /// How it is reached.
    pub transport: Transport,
    /// Whether it is used at all.
    pub is_enabled: bool,
    /// Whether its id stands in front of its tools' names.
    pub is_namespaced: bool,
    /// A sentence about it for the search tool's wording; absent where nobody wrote one.
    pub description: Option<String>,
    /// What is changed about its tools.
    pub tools: ToolOverrides,
    /// Times of its own, in the place of those for all upstreams.
    pub timeouts: Timeouts,
}

/// Where an upstream is described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The place.
    pub place: Place,
    /// The form of the file.
    pub form: Form,
    /// The folder of the project that the file belongs to: where a client would start the command.
    pub project: Option<PathBuf>,
}

/// How an upstream is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A process, spoken to over its standard input and output.
    Stdio(Stdio),
    /// A server, spoken to over HTTP.
    Http(Http),
}

/// A process that is an upstream.
#[derive(Clone, PartialEq, Eq)]
pub struct Stdio {
    /// The program.
    pub command: Template,
    /// Its arguments.
    pub args: Vec<Template>,
    /// Variables that are set for it.
    pub env: BTreeMap<String, Template>,
    /// Variables that it inherits beyond [`INHERITED`](super::INHERITED); `NAME*` stands for all that begin like it.
    pub inherit: Vec<String>,
    /// The folder that it runs in; absent where it runs in that of the project or, without one, of the gateway.
    pub cwd: Option<Template>,
}

/// A server that is an upstream.
#[derive(Clone, PartialEq, Eq)]
pub struct Http {
    /// Its address.
    pub url: Template,
    /// Headers that are sent with every request.
    pub headers: Vec<(String, Template)>,
    /// Which protocol over HTTP it speaks.
    pub kind: HttpKind,
}

/// A protocol over HTTP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HttpKind {
    /// Streamable HTTP where the server speaks it, else the one with server-sent events.
    #[default]
    Auto,
    /// Streamable HTTP.
    Streamable,
    /// The older one, with server-sent events.
    Sse,
}

/// Times that an upstream is given. What is absent falls to the settings for all upstreams, and then to the gateway's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// How long a call may take.
    pub call: Option<Duration>,
    /// How long it may take to start.
    pub start: Option<Duration>,
    /// How long listing its tools may take.
    pub list: Option<Duration>,
    /// How long it may be idle before it is stopped.
    pub idle: Option<Duration>,
}

impl Timeouts {
    /// Returns these times, with those of `others` where one is absent.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use oncue_gateway::config::Timeouts;
    ///
    /// let second = Some(Duration::from_secs(1));
    /// let own = Timeouts { call: second, ..Timeouts::default() };
    /// let all = Timeouts { call: Some(Duration::from_secs(9)), list: second, ..Timeouts::default() };
    /// assert_eq!(own.or(all), Timeouts { call: second, list: second, ..Timeouts::default() });
    /// ```
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            call: self.call.or(others.call),
            start: self.start.or(others.start),
            list: self.list.or(others.list),
            idle: self.idle.or(others.idle),
        }
    }
}

impl Upstream {
    /// Returns every text in which variables may be named.
    pub fn templates(&self) -> Vec<&Template> {
        match &self.transport {
            Transport::Stdio(stdio) => {
                let texts = std::iter::once(&stdio.command).chain(&stdio.args);
                texts.chain(stdio.env.values()).chain(&stdio.cwd).collect()
            }
            Transport::Http(http) => {
                let headers = http.headers.iter().map(|(_, text)| text);
                std::iter::once(&http.url).chain(headers).collect()
            }
        }
    }

    /// Returns the folder that a process runs in, by name; `None` where it is that of the gateway.
    fn folder(&self, stdio: &Stdio) -> Option<Template> {
        let project = || self.origin.project.as_deref().map(Path::to_string_lossy);
        stdio.cwd.clone().or_else(|| project().map(|folder| Template::literal(&folder)))
    }
}

impl fmt::Display for Transport {
    /// What the upstream is, without its arguments, path, query and credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio(stdio) => f.write_str(&stdio.program()),
            Self::Http(http) => f.write_str(&http.server()),
        }
    }
}

impl Stdio {
    /// Returns the program, with variables by name.
    #[must_use]
    pub fn program(&self) -> String {
        self.command.exposed(|reference| reference.to_string())
    }
}

impl Http {
    /// Returns scheme, host and port, with variables by name: paths and queries may hold keys.
    #[must_use]
    pub fn server(&self) -> String {
        let url = self.url.exposed(|reference| reference.to_string());
        UrlParts::of(&url).map_or_else(|| self.url.to_string(), |parts| parts.server())
    }
}

impl fmt::Debug for Stdio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stdio")
            .field("command", &self.program())
            .field("args", &self.args)
            .field("env", &self.env)
            .field("inherit", &self.inherit)
            .field("cwd", &self.cwd)
            .finish()
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http")
            .field("url", &self.server())
            .field("headers", &self.headers)
            .field("kind", &self.kind)
            .finish()
    }
}

#[cfg(test)]
mod tests;
