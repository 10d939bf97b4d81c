//! What may be typed behind the commands of the gateway.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use oncue_gateway::clients::{Client, ClientScope, EntryName, Secrets};

/// The end of the help of `oncue import`.
pub(super) const IMPORT_EXAMPLES: &str = "\
Examples:
  oncue import --dry-run
  oncue import --secrets variables
  oncue import --from servers.json --out oncue.toml";

/// The end of the help of `oncue connect`.
pub(super) const CONNECT_EXAMPLES: &str = "\
Examples:
  oncue connect cursor --dry-run
  oncue connect claude-code vscode --move
  oncue connect cursor --scope project --http http://127.0.0.1:8787/mcp";

#[derive(Args)]
pub(crate) struct Import {
    /// A file to import from, of any client; may be repeated. Without it and `--client`, the files of all clients are looked for.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) from: Vec<PathBuf>,

    /// A client whose files are looked for; may be repeated.
    #[arg(long, value_name = "CLIENT", value_parser = clients())]
    pub(crate) client: Vec<Client>,

    /// Where the settings go; `-` for standard output. Without it `oncue.toml` here if it is there, else the user's `oncue/oncue.toml`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,

    /// Whether secrets that stand written out stay so, or become variables that you set. Without it they stay in a file, and become variables on standard output.
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) secrets: Option<SecretsArg>,

    /// Replace the file if it is there; what it says is kept beside it.
    #[arg(long)]
    pub(crate) force: bool,

    /// Tell what would be imported, and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Connect {
    #[command(flatten)]
    pub(crate) whose: ClientArgs,

    /// The address of a gateway that runs. Without it, the client starts one.
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url, value_parser = address)]
    pub(crate) http: Option<String>,

    /// The settings that the client starts a gateway with. Without it those that `oncue serve` finds here.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Take the client's other servers out; the gateway must have them.
    #[arg(long = "move")]
    pub(crate) moves: bool,

    #[command(flatten)]
    pub(crate) change: ChangeArgs,
}

#[derive(Args)]
pub(crate) struct Disconnect {
    #[command(flatten)]
    pub(crate) whose: ClientArgs,

    #[command(flatten)]
    pub(crate) change: ChangeArgs,
}

/// Which clients, and which entry of theirs.
#[derive(Args)]
pub(crate) struct ClientArgs {
    /// The clients.
    #[arg(required = true, value_name = "CLIENT", value_parser = clients())]
    pub(crate) clients: Vec<Client>,

    /// Whose file: the user's, for all projects, or that of the project here.
    #[arg(long, value_name = "SCOPE", value_enum, default_value_t = ScopeArg::User)]
    pub(crate) scope: ScopeArg,

    /// What the client calls the gateway.
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(crate) name: EntryName,
}

/// How a change of a client's file is made.
#[derive(Args)]
pub(crate) struct ChangeArgs {
    /// Show the change, and make none.
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,

    /// Make the change without asking.
    #[arg(long)]
    pub(crate) yes: bool,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Check {
    /// The settings, in the form of oncue or of any client. Without it those that `oncue serve` finds here.
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What becomes of secrets that stand written out.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SecretsArg {
    /// They stay.
    Keep,
    /// Variables take their place.
    Variables,
}

impl From<SecretsArg> for Secrets {
    fn from(secrets: SecretsArg) -> Self {
        match secrets {
            SecretsArg::Keep => Self::Keep,
            SecretsArg::Variables => Self::Variables,
        }
    }
}

/// Whose file of a client.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ScopeArg {
    /// The user's.
    User,
    /// The project's.
    Project,
}

impl From<ScopeArg> for ClientScope {
    fn from(scope: ScopeArg) -> Self {
        match scope {
            ScopeArg::User => Self::User,
            ScopeArg::Project => Self::Project,
        }
    }
}

fn clients() -> impl TypedValueParser<Value = Client> {
    let ids = PossibleValuesParser::new(Client::ALL.map(Client::id));
    ids.try_map(|id| Client::of(&id).ok_or("no such client"))
}

fn address(text: &str) -> Result<String, &'static str> {
    let rest = ["http://", "https://"].into_iter().find_map(|scheme| text.strip_prefix(scheme));
    let is_plain = !text.contains(|c: char| c.is_whitespace() || c.is_control());
    match rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/')) && is_plain {
        true => Ok(text.to_owned()),
        false => Err("an address looks like http://127.0.0.1:8787/mcp"),
    }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn an_address_has_a_scheme_and_a_host() {
        for good in ["http://127.0.0.1:8787/mcp", "https://gateway.example"] {
            assert_eq!(address(good).as_deref(), Ok(good));
        }
        for bad in ["", "127.0.0.1:8787", "http://", "http:///mcp", "ftp://a", "http://a b"] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
