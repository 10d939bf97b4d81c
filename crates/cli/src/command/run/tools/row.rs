//! One row of a tools file as it is written. It lives while the file is read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use oncue_decl::{Row, Tier};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A file: its rows, each of which is read alone so that an error names it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rows {
    #[serde(default)]
    pub(super) tool: Vec<toml::Table>,
}

/// A row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declared {
    pub(super) name: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    keywords: Vec<String>,
    /// Whether the model has to find it.
    #[serde(default)]
    discoverable: bool,
    #[serde(default)]
    tier: Tiers,
    /// Whether calls may overlap with others of the same step.
    #[serde(default)]
    pub(super) parallel: bool,
    pub(super) command: Vec<Argument>,
    #[serde(default)]
    pub(super) stdin: Stdin,
    #[serde(default, deserialize_with = "duration")]
    pub(super) timeout: Option<Duration>,
    pub(super) cwd: Option<PathBuf>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, Variable>,
    #[serde(default)]
    pub(super) output: Form,
    /// Exit codes that are no failure.
    #[serde(default = "zero")]
    pub(super) success: Vec<i32>,
    #[serde(default)]
    pub(super) leading_dash: Dash,
    pub(super) parameters: Option<toml::Table>,
}

/// An element of a command, or several that belong together.
#[derive(Deserialize)]
#[serde(untagged, expecting = "each element of `command` is a text or a list of texts")]
pub(super) enum Argument {
    One(String),
    Together(Vec<String>),
}

/// A variable of the program's environment.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a value of `env` is a text, or `true` to pass on what this process has"
)]
pub(super) enum Variable {
    Value(String),
    Inherited(bool),
}

/// Whether a call asks first.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Tiers {
    Silent,
    #[default]
    Gated,
}

/// What the program reads.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stdin {
    /// The arguments of the call as one JSON object.
    Json,
    #[default]
    None,
}

/// What the program writes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    #[default]
    Text,
    Json,
}

/// What becomes of an argument that begins with `-` and would be read as an option.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Dash {
    #[default]
    Refuse,
    Allow,
}

impl Declared {
    /// Returns the row of the catalog.
    pub(super) fn row(&self) -> Row {
        let (name, description) = (self.name.clone(), self.description.trim().to_owned());
        let row = match self.discoverable {
            true => Row::discoverable(name, description),
            false => Row::inline(name, description),
        };
        let tier = match self.tier {
            Tiers::Silent => Tier::Silent,
            Tiers::Gated => Tier::Gated,
        };
        row.with_title(self.title.clone()).with_keywords(self.keywords.clone()).with_tier(tier)
    }
}

fn zero() -> Vec<i32> {
    vec![0]
}

fn duration<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(reader)?;
    humantime::parse_duration(&text).map(Some).map_err(|error| {
        D::Error::custom(format!("`{text}` is no time such as \"30s\" or \"5m\": {error}"))
    })
}
