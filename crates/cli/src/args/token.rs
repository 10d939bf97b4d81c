//! What may be typed behind `oncue token` and `oncue audit`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueHint};
use oncue_decl::Scope;
use oncue_gateway::access::scope_named;
use oncue_tools::PrincipalName;

/// The end of the help of `oncue token create`.
const CREATE_EXAMPLES: &str = "\
Examples:
  oncue token create ci --expires 30d
  oncue token create me --scope write > token.txt";

/// Where a gateway keeps its tokens and its record.
#[derive(Args)]
pub(crate) struct StateArgs {
    /// The folder in which the gateway keeps what outlives it. Without it that of the settings, else the usual one of the system.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) state_dir: Option<PathBuf>,

    /// The settings of the gateway, which may name the folder.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum Token {
    /// Make a token that lets a client in over HTTP, and print it, this once.
    #[command(after_help = CREATE_EXAMPLES)]
    Create(TokenCreate),
    /// List the tokens, those too that let nobody in any more.
    List(TokenList),
    /// Make a token let nobody in from now on.
    Revoke(TokenRevoke),
}

#[derive(Args)]
pub(crate) struct TokenCreate {
    /// Whom it is for; rows of `[[grant]]` name this.
    #[arg(value_parser = name)]
    pub(crate) name: PrincipalName,

    /// How far it reaches, whatever its holder is granted: `read`, also `stage` changes that a person reviews, or also `write`.
    #[arg(long, value_name = "SCOPE", default_value = "read", value_parser = scopes())]
    pub(crate) scope: Scope,

    /// After what time it lets nobody in by itself, such as 12h or 30d. Without it, never.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) expires: Option<Duration>,

    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct TokenList {
    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct TokenRevoke {
    /// The id of the token, as `oncue token list` shows it.
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum Audit {
    /// Tell whether the record of calls, denials and changes is whole.
    Verify(AuditVerify),
}

#[derive(Args)]
pub(crate) struct AuditVerify {
    /// One file of the record. Without it, all of them as one chain.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

fn name(text: &str) -> Result<PrincipalName, &'static str> {
    PrincipalName::parse(text).ok_or("a name is not blank")
}

fn scopes() -> impl TypedValueParser<Value = Scope> {
    let names = PossibleValuesParser::new(["read", "stage", "write"]);
    names.try_map(|name| scope_named(&name).ok_or("no such scope"))
}
