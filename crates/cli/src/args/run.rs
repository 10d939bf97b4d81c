//! What may be typed behind `oncue run`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use oncue_agent::Disclosure;
use oncue_agent::limits::{CALLS_DEFAULT, STEPS_DEFAULT, TOKENS_DEFAULT};

use super::EmbedderArgs;
use crate::command::Answer;
use crate::limits::NAMES_CHARS_DEFAULT;

/// The end of the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  oncue run --model VENDOR:MODEL 'Which invoices are overdue?'
  oncue run --model VENDOR:MODEL --tools tools.toml 'How many lines has README.md?'
  oncue run --model http://127.0.0.1:8080/v1#MODEL --profile weak 'Refund order 1007'
  echo 'Summarize the open tickets' | oncue run --model VENDOR:MODEL - > answer.txt
  oncue run --model VENDOR:MODEL --session shop.json 'Refund order 1007'
  oncue run --model VENDOR:MODEL --session shop.json --answer ID=yes
  oncue run --check --tools tools.toml";

#[derive(Args)]
pub(crate) struct Run {
    /// What to do; `-` reads it from standard input. Without it a terminal begins a conversation: a line is a task, Ctrl-C calls the running one off, Ctrl-D ends.
    pub(crate) task: Option<String>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// A file that declares tools, settings with MCP servers (as `oncue serve` reads them), or `demo` for a small shop to try things with; may be repeated. Without it the demo is used.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Vec<String>,

    /// What the model is told once; `@FILE` reads it from a file.
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,

    #[command(flatten)]
    pub(crate) profile: ProfileArgs,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) consent: ConsentArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) session: SessionArgs,

    #[command(flatten)]
    pub(crate) tape: TapeArgs,

    /// Check the tools and the model's set-up, and ask nobody.
    #[arg(long, conflicts_with = "task")]
    pub(crate) check: bool,
}

/// Which model, and how it is talked to.
#[derive(Args)]
pub(crate) struct ModelArgs {
    /// The model: VENDOR:MODEL, PROTOCOL:MODEL@URL, URL#MODEL, or replay:FILE for one that says what a recording says.
    #[arg(long, value_name = "NAME", env = "ONCUE_MODEL", hide_env_values = true)]
    pub(crate) model: Option<String>,

    /// Another address for requests.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,

    /// How found tools become visible, where the endpoint is known to do otherwise than by default.
    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) disclosure: Option<DisclosureArg>,

    /// Read calls in the text of the model, as weak ones write them; the profile for weak models does so anyway.
    #[arg(long)]
    pub(crate) lenient: bool,

    /// The endpoint can be held to some of the listed tools (`allowed_tools`), which `--narrow` needs.
    #[arg(long)]
    pub(crate) can_narrow: bool,
}

/// What the loop does for a model that would not find its tools alone.
#[derive(Args)]
pub(crate) struct ProfileArgs {
    /// What the loop does for a model that would not find its tools alone; single settings below override it.
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub(crate) profile: ProfileArg,

    /// Load so many tools by the words of the task before the first step.
    #[arg(long, value_name = "TOOLS")]
    pub(crate) preload: Option<usize>,

    /// List names of hidden tools to the model, up to so many characters.
    #[arg(long, value_name = "CHARS", num_args = 0..=1, require_equals = true, default_missing_value = NAMES_CHARS_DEFAULT)]
    pub(crate) names: Option<usize>,

    /// Let the step after a search call only what was found, where the endpoint can be held to that.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) narrow: Option<bool>,

    /// Show the model its past searches as one line each.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) collapse: Option<bool>,

    /// Take a call of a hidden tool by its exact name for a search, and make it then.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) recover: Option<bool>,

    /// Ask once for the call that a reply only names.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) insist: Option<bool>,

    /// Searches that a turn may make.
    #[arg(long, value_name = "N")]
    pub(crate) searches: Option<u32>,
}

/// What bounds a turn.
#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Model calls of a turn.
    #[arg(long, value_name = "N", default_value_t = STEPS_DEFAULT, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) steps: u32,

    /// Tool calls of a turn.
    #[arg(long, value_name = "N", default_value_t = CALLS_DEFAULT)]
    pub(crate) calls: u64,

    /// Tokens of a turn, of prompts and replies.
    #[arg(long, value_name = "N", default_value_t = TOKENS_DEFAULT)]
    pub(crate) tokens: u64,

    /// Length of a turn, such as 90s or 10m.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = humantime::parse_duration)]
    pub(crate) time: Duration,
}

/// Who agrees to calls of gated tools.
#[derive(Args)]
pub(crate) struct ConsentArgs {
    /// Agree to every call of a gated tool.
    #[arg(long, conflicts_with = "deny_all")]
    pub(crate) yes: bool,

    /// Refuse every call of a gated tool.
    #[arg(long)]
    pub(crate) deny_all: bool,

    /// Who answers besides a person at a terminal: `stdin`, lines such as {"id":"c5","answer":"yes"}, where the answer is yes, no (perhaps with "why") or later.
    #[arg(long, value_name = "WHO", value_enum, requires = "json", conflicts_with_all = ["yes", "deny_all"])]
    pub(crate) approve: Option<ApproveArg>,
}

/// A conversation that is kept.
#[derive(Args)]
pub(crate) struct SessionArgs {
    /// Keep the conversation in this file: it goes on where it was, with the tools that were found.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "replay", "check"])]
    pub(crate) session: Option<PathBuf>,

    /// Answer what the session waits for, and go on: ID=yes, ID=no or ID=no:WHY; may be repeated.
    #[arg(long, value_name = "ANSWER", requires = "session", conflicts_with = "task")]
    pub(crate) answer: Vec<Answer>,
}

/// Recordings.
#[derive(Args)]
pub(crate) struct TapeArgs {
    /// Record what the model is asked and says, and what comes of its calls; no key is recorded.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub(crate) record: Option<PathBuf>,

    /// Play a recording, without a network and without running tools: the requests must be those that were recorded. Without a task, those of the recording are worked on.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "yes", "deny_all", "approve", "check"])]
    pub(crate) replay: Option<PathBuf>,
}

/// What is shown.
#[derive(Args)]
pub(crate) struct OutputArgs {
    /// Print one JSON object a line: what happens, as it happens.
    #[arg(long)]
    pub(crate) json: bool,

    /// Show the answer alone.
    #[arg(long, conflicts_with_all = ["verbose", "json"])]
    pub(crate) quiet: bool,

    /// Show results whole, steps, thoughts, and what lies behind failures.
    #[arg(long)]
    pub(crate) verbose: bool,

    /// Ask for whole replies, not for streams.
    #[arg(long)]
    pub(crate) no_stream: bool,
}

/// Who answers besides a person at a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ApproveArg {
    /// A program, in lines of JSON on standard input.
    Stdin,
}

/// A profile by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileArg {
    /// What is known of the model; the default profile where nothing is.
    #[default]
    Auto,
    /// For models that search when they should.
    Default,
    /// For models that do not.
    Weak,
}

/// How a tool that was found becomes visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DisclosureArg {
    /// Every definition is sent hidden, and search results refer to some.
    ByReference,
    /// The definition stands in the search result.
    ByValue,
    /// The vendor knows searches that the client answers.
    ClientSearch,
    /// Every definition is sent, and a mask says which may be called.
    Mask,
    /// The definition joins the end of the list of tools.
    Append,
}

impl From<DisclosureArg> for Disclosure {
    fn from(arg: DisclosureArg) -> Self {
        match arg {
            DisclosureArg::ByReference => Self::ByReference,
            DisclosureArg::ByValue => Self::ByValue,
            DisclosureArg::ClientSearch => Self::ClientSearch,
            DisclosureArg::Mask => Self::Mask,
            DisclosureArg::Append => Self::Append,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::args::{Cli, Command, Run};

    fn run(args: &[&str]) -> Result<Run, String> {
        let typed = ["oncue", "run"].iter().chain(args);
        match Cli::try_parse_from(typed).map(|cli| cli.command) {
            Ok(Command::Run(run)) => Ok(*run),
            Ok(_) => Err("another command".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn a_setting_with_an_optional_value_does_not_eat_the_task() {
        let typed = run(&["--names", "--narrow", "--collapse=false", "do it"]).unwrap();
        assert_eq!(typed.task.as_deref(), Some("do it"));
        let profile = typed.profile;
        assert_eq!((profile.names, profile.narrow), (Some(4_000), Some(true)));
        assert_eq!((profile.collapse, profile.recover), (Some(false), None));
    }

    #[test]
    fn times_are_read_with_their_unit() {
        let time = |text| run(&["--time", text, "x"]).map(|run| run.limits.time.as_secs());
        assert_eq!(time("10m"), Ok(600));
        assert_eq!(time("1h 30m"), Ok(5_400));
        assert!(time("10").is_err());
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        for args in [
            &["--yes", "--deny-all", "x"][..],
            &["--quiet", "--verbose", "x"],
            &["--quiet", "--json", "x"],
            &["--check", "x"],
            &["--steps", "0", "x"],
            &["--disclosure", "loud", "x"],
            &["--answer", "c1=yes"],
            &["--session", "s", "--answer", "c1=yes", "x"],
            &["--session", "s", "--answer", "c1"],
            &["--session", "s", "--record", "r", "x"],
            &["--replay", "r", "--yes", "x"],
            &["--approve", "stdin", "x"],
        ] {
            assert!(run(args).is_err(), "{args:?}");
        }
    }
}
