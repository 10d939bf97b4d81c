//! The settings of a gateway: read once from text into typed values, in its own form or in any client's.
//!
//! [`Loaded::read`] reads a file with what it imports.
//! The native form is strict, since a key that is silently passed over may be a grant that somebody relies on; files of clients are read as they are, and one bad server is set aside while its siblings live.
//!
//! Variables are looked up when their upstream is started ([`Upstream::launch`]), so one that is missing stops nothing else.
//! No rendering of a setting shows what may be a secret: a [`Template`] shows the names of variables alone, and a [`Fault`] says what kind of value stands where, never the value.

mod check;
mod diff;
mod environment;
mod foreign;
mod id;
mod load;
mod native;
mod place;
mod reference;
mod secret;
mod settings;
mod shape;
mod template;
mod tree;
mod upstream;
mod usual;

pub use check::{Finding, FindingKind, Severity, Surroundings, check};
pub use diff::Diff;
pub use environment::{Environment, INHERITED};
pub use foreign::{Foreign, Form, Note, SetAside};
pub use id::{IdFault, UpstreamId};
pub use load::{Context, Loaded, read_text};
pub use place::{ConfigError, Fault, Place};
pub use reference::reference;
pub use settings::{GrantRow, HttpSettings, LimitSettings, Mode, Settings, Telemetry, Wording};
pub use template::{MissingVariable, Reference, Template};
pub use upstream::{
    Fingerprint, Http, HttpKind, Launch, LaunchError, Origin, Stdio, Timeouts, ToolOverride,
    ToolOverrides, Transport, Upstream,
};

pub(crate) use check::{secret_places, starts_gateway};
pub(crate) use secret::{is_secret_name, is_secret_text};
pub(crate) use template::{Folders, Syntax, is_variable};
pub(crate) use tree::{Value as TreeValue, json_options, json_said, parse_json, parse_toml};
pub(crate) use upstream::UrlParts;

#[cfg(test)]
mod tests;
