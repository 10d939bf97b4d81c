//! What may be typed. Nothing is done here.

mod gateway;
mod model;
mod rivals;
mod run;
mod serve;
mod token;
mod trials;
mod tune;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use oncue_eval::first_call::{LADDER, Rung, custom, rung};
use oncue_eval::lint::Severity;
use oncue_eval::retrieval::{WORDS_RANKER, ranker_names};
use oncue_gateway::limits::ANSWER_BYTES_DEFAULT;

pub(crate) use self::gateway::{
    ChangeArgs, Check, ClientArgs, Connect, Disconnect, Import, ScopeArg,
};
pub(crate) use self::model::{EmbedderArgs, Model, ModelInstall, ModelList, ModelRemove};
pub(crate) use self::rivals::Rivals;
pub(crate) use self::run::{
    ApproveArg, LimitArgs, ModelArgs, OutputArgs, ProfileArg, ProfileArgs, Run,
};
pub(crate) use self::serve::{CallTool, LogFormat, Serve, Status};
pub(crate) use self::token::{
    Audit, AuditVerify, StateArgs, Token, TokenCreate, TokenList, TokenRevoke,
};
pub(crate) use self::trials::{Attack, EvalTune, Keywords, Needs, NoFit};
pub(crate) use self::tune::Tune;
use crate::exit;
use crate::limits::{EVAL_HITS_DEFAULT, FIT_ROUNDS_DEFAULT, HITS_DEFAULT};

/// Find the right tool among thousands.
#[derive(Parser)]
#[command(name = "oncue", version, after_help = exit::help(), max_term_width = 100)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// When to use colours; `auto` honours NO_COLOR and uses none where output is no terminal.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Search a catalog as a model would.
    #[command(after_help = SEARCH_EXAMPLES)]
    Search(Search),
    /// Show a tool: what it does, its arguments, its cost.
    Show(Show),
    /// Tell why tools rank where they do.
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(Explain),
    /// Tell what keeps tools from being found, told apart and called rightly.
    Lint(Lint),
    /// Learn from a log of requests what people want of tools.
    #[command(after_help = tune::EXAMPLES)]
    Tune(Tune),
    /// Install, list and remove the embedding models by which search knows what words mean.
    #[command(subcommand, after_help = model::EXAMPLES)]
    Model(Model),
    /// Let a model work on a task with tools.
    #[command(after_help = run::EXAMPLES)]
    Run(Box<Run>),
    /// Serve every MCP server behind one endpoint.
    Serve(Serve),
    /// Tell how the gateways are that run here.
    Status(Status),
    /// Call one tool behind the gateway.
    Call(CallTool),
    /// Kill what is left of upstreams when the gateway that writes to standard input is gone.
    #[command(hide = true)]
    Watchdog,
    /// Make the settings of a gateway from the files of clients.
    #[command(after_help = gateway::IMPORT_EXAMPLES)]
    Import(Import),
    /// Let clients use the gateway.
    #[command(after_help = gateway::CONNECT_EXAMPLES)]
    Connect(Connect),
    /// Take the gateway out of clients again.
    Disconnect(Disconnect),
    /// Tell what the settings of a gateway say, and what is wrong with them.
    Check(Check),
    /// Make, list and revoke the tokens that let clients in over HTTP.
    #[command(subcommand)]
    Token(Token),
    /// Examine the record of what a gateway did.
    #[command(subcommand)]
    Audit(Audit),
    /// Measure search over labelled data sets.
    #[command(subcommand)]
    Eval(Eval),
    /// Print a script that completes commands in a shell.
    Completions(Completions),
    /// Print the reference of this command in Markdown.
    #[command(hide = true)]
    Docs,
    /// Write the index over the embedded catalog to a file.
    #[command(hide = true)]
    Index {
        /// The file.
        file: PathBuf,
    },
}

const SEARCH_EXAMPLES: &str = "\
Queries:
  csv export               tools that fit these words, best first
  read a file; send mail   the best tools for each of several needs in turn
  select:read_file,stat    tools of exactly these names
  +slack send              tools whose name contains `slack`, ranked by `send`";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  oncue explain 'csv export'
  oncue explain 'csv export' --tool download_file";

/// Where tools come from.
#[derive(Args)]
pub(crate) struct CatalogArgs {
    /// A catalog: a file, a folder of *.json and *.jsonl, settings with MCP servers (as `oncue serve` reads them), or `-` for standard input; may be repeated. Without it the embedded catalog is used.
    #[arg(long, value_name = "PATH")]
    pub(crate) catalog: Vec<PathBuf>,

    /// List every tool that was set aside, with the reason.
    #[arg(long)]
    pub(crate) verbose: bool,
}

/// How hits are ordered.
#[derive(Args)]
pub(crate) struct RankerArgs {
    /// What orders the hits; `hybrid` unless told otherwise, which without a model is `bm25f`.
    #[arg(long, value_name = "NAME", value_parser = rankers())]
    pub(crate) ranker: Option<String>,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// What requests have taught of these tools, as `oncue tune` has written it.
    #[arg(long, value_name = "FILE")]
    pub(crate) tuning: Option<PathBuf>,

    /// How many hits to show.
    #[arg(long, value_name = "N", default_value_t = HITS_DEFAULT, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) limit: u16,
}

#[derive(Args)]
pub(crate) struct Search {
    /// What the tool should do.
    pub(crate) query: String,

    #[command(flatten)]
    pub(crate) catalog: CatalogArgs,

    #[command(flatten)]
    pub(crate) ranking: RankerArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Show {
    /// The tool's name, in any spelling, with or without its source in front.
    pub(crate) name: String,

    #[command(flatten)]
    pub(crate) catalog: CatalogArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Explain {
    /// What was searched.
    pub(crate) query: String,

    /// Tell where this tool ranks, what is above it, and which word would have found it.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,

    #[command(flatten)]
    pub(crate) catalog: CatalogArgs,

    #[command(flatten)]
    pub(crate) ranking: RankerArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct Lint {
    /// Catalogs: files, folders of *.json and *.jsonl, or `-` for standard input. Without any the embedded catalog is examined.
    #[arg(value_name = "CATALOG")]
    pub(crate) catalogs: Vec<PathBuf>,

    /// The least severity to show.
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = Level::Warning)]
    pub(crate) level: Level,

    /// The least severity that makes the exit code 1.
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = Level::Error)]
    pub(crate) fail_on: Level,

    /// What must find the tools.
    #[arg(long, value_name = "NAME", default_value = WORDS_RANKER, value_parser = rankers())]
    pub(crate) ranker: String,

    /// Show what each tool costs, the dearest first, instead of findings.
    #[arg(long)]
    pub(crate) tokens: bool,

    /// Propose words that people may use for a tool and that no tool says, each with the reason, instead of findings.
    #[arg(long, conflicts_with = "tokens")]
    pub(crate) suggest: bool,

    /// Print the proposed words as settings of a gateway.
    #[arg(long, requires = "suggest", conflicts_with_all = ["json", "markdown"])]
    pub(crate) toml: bool,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// List every tool that was set aside, with the reason.
    #[arg(long)]
    pub(crate) verbose: bool,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print a summary in Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Subcommand)]
pub(crate) enum Eval {
    /// Measure how well rankers find the tools that labelled requests need.
    Retrieval(Retrieval),
    /// Measure the rankers of others, rebuilt, beside ours on the same data sets.
    #[command(after_help = rivals::EXAMPLES)]
    Rivals(Rivals),
    /// Fit the weights of the lexical ranker, and measure them on data sets that took no part.
    Fit(Fit),
    /// Measure which tool a model calls first, and what helps it to find the hidden ones.
    Calls(Calls),
    /// Measure how long the answers to searches are, beside the forms in which others answer.
    Answers(Answers),
    /// Measure whether a search says so when no tool fits.
    #[command(after_help = trials::NO_FIT_EXAMPLES)]
    NoFit(NoFit),
    /// Measure what an adversary gets who owns one server of fifty.
    #[command(after_help = trials::ATTACK_EXAMPLES)]
    Attack(Attack),
    /// Measure whether all needs of a request come up when they are asked as a list.
    #[command(after_help = trials::NEEDS_EXAMPLES)]
    Needs(Needs),
    /// Measure what the keywords are worth that `oncue lint --suggest` proposes, when all of them are taken.
    Keywords(Keywords),
    /// Measure whether requests are served better by what other requests have taught.
    #[command(after_help = trials::TUNE_EXAMPLES)]
    Tune(EvalTune),
}

#[derive(Args)]
pub(crate) struct Answers {
    /// Where the searches come from: folders with `tools.jsonl` and `queries.NAME.jsonl`.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    #[command(flatten)]
    pub(crate) catalog: CatalogArgs,

    /// About how long an answer may be, as `answer_bytes` in the settings of the gateway.
    #[arg(long, value_name = "BYTES", default_value_t = ANSWER_BYTES_DEFAULT)]
    pub(crate) answer_bytes: usize,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Args)]
pub(crate) struct Calls {
    /// Catalogs and requests: a folder with `catalogs/*.json` and `requests.jsonl`.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// The model: VENDOR:MODEL, or PROTOCOL:MODEL@URL for any other server.
    #[arg(long, value_name = "MODEL", env = "ONCUE_MODEL")]
    pub(crate) model: String,

    /// Read calls in the text of the model, as weak ones write them.
    #[arg(long)]
    pub(crate) lenient: bool,

    /// The endpoint can be held to some of the listed tools (`allowed_tools`), which narrowing needs.
    #[arg(long)]
    pub(crate) can_narrow: bool,

    /// A way to help; may be repeated. Without it, all of them.
    #[arg(long, value_name = "NAME", value_parser = rungs())]
    pub(crate) rung: Vec<Rung>,

    /// Settings of one's own as one more way to help, such as preload=8,names=1500,narrows,collapses,recovers,insists.
    #[arg(long, value_name = "SETTINGS", value_parser = custom)]
    pub(crate) settings: Vec<Rung>,

    /// The language of the requests.
    #[arg(long, value_name = "LANG", default_value = "en")]
    pub(crate) language: String,

    /// Which requests: those to choose settings on, those to report on, or all.
    #[arg(long, value_name = "NAME", default_value = "all", value_parser = ["dev", "test", "all"])]
    pub(crate) part: String,

    /// Only requests over this catalog; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) catalog: Vec<String>,

    /// Only the first N requests of each kind and catalog.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// Remember the model's answers in a file, so that a measurement can be broken off and taken up.
    #[arg(long, value_name = "FILE")]
    pub(crate) memory: Option<PathBuf>,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

/// Whose weights are fitted.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum FitRanker {
    #[default]
    Bm25f,
    Hybrid,
}

#[derive(Args)]
pub(crate) struct Fit {
    /// Data sets, as for `oncue eval retrieval`, over at least two catalogs; those over one catalog are left out together.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    /// Whose weights: those of ranking by words, or those by which words and meaning are blended.
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub(crate) ranker: FitRanker,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// How often each fit goes through all weights at most; it ends earlier where nothing changes.
    #[arg(long, value_name = "N", default_value_t = FIT_ROUNDS_DEFAULT, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) rounds: u8,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Args)]
pub(crate) struct Retrieval {
    /// Data sets: folders with `tools.jsonl` and `queries.NAME.jsonl`. Others are skipped with a line.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    /// A ranker to measure; with several, each is compared with the first. Without any `bm25f`, and `hybrid` where there is a model.
    #[arg(long, value_name = "NAME", value_parser = rankers())]
    pub(crate) ranker: Vec<String>,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// How many hits to ask for; measures further down are as if there were none.
    #[arg(long, value_name = "N", default_value_t = EVAL_HITS_DEFAULT, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) hits: u16,

    /// Show up to N queries of each data set with a need that is not served within 5 hits.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) misses: usize,

    /// Count the needs that are not served within 5 hits by what keeps them from it.
    #[arg(long)]
    pub(crate) reasons: bool,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: Shell,
}

/// The least severity that counts.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Level {
    /// Errors alone.
    Error,
    /// Errors and warnings.
    Warning,
    /// Everything.
    Note,
    /// Nothing.
    Never,
}

impl Level {
    /// Says whether findings of `severity` count.
    pub(crate) fn includes(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity <= Severity::Error,
            Self::Warning => severity <= Severity::Warning,
            Self::Note => true,
            Self::Never => false,
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes the choice hold for all output of the process.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

fn rungs() -> impl TypedValueParser<Value = Rung> {
    let names = PossibleValuesParser::new(LADDER.iter().map(|rung| &*rung.name));
    names.try_map(|name| rung(&name).cloned().ok_or("no such way to help"))
}

fn rankers() -> PossibleValuesParser {
    PossibleValuesParser::new(ranker_names())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
