//! What `oncue serve` is given.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use oncue_gateway::config::Mode;

use super::StateArgs;

/// Serve every MCP server behind one endpoint.
#[derive(Args)]
pub(crate) struct Serve {
    /// The settings: `oncue.toml`, or the file of any client that names servers.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Serve over HTTP at this address, such as 127.0.0.1:8850; without it, over standard input and output.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<SocketAddr>,

    /// What clients see, whatever the settings say.
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<ModeArg>,

    /// Where catalogs are kept; the usual place of the system unless told otherwise.
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,

    /// What is told on standard error: a level such as `info`, or rules such as `oncue_gateway=debug`.
    #[arg(long, value_name = "RULES", env = "ONCUE_LOG", default_value = "warn")]
    pub(crate) log: String,

    /// How it is told.
    #[arg(long, value_name = "FORMAT", env = "ONCUE_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// A line for a person.
    Text,
    /// A JSON object on a line of its own.
    Json,
}

/// Call one tool behind the gateway.
#[derive(Args)]
pub(crate) struct CallTool {
    /// The tool, as clients know it, such as `github__create_issue`.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// Its arguments: a JSON object.
    #[arg(value_name = "JSON", default_value = "{}")]
    pub(crate) arguments: String,

    /// The settings; the usual ones unless told otherwise.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Where catalogs are kept; the usual place of the system unless told otherwise.
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,

    /// Print the whole result as the server wrote it.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Tell how the gateways are that run here.
#[derive(Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What clients see of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// What suits the client best.
    Auto,
    /// A search tool, a calling tool and the pinned ones.
    Search,
    /// The same, and what a search finds joins the list.
    Dynamic,
    /// Every tool.
    Passthrough,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Auto => Self::Auto,
            ModeArg::Search => Self::Search,
            ModeArg::Dynamic => Self::Dynamic,
            ModeArg::Passthrough => Self::Passthrough,
        }
    }
}
