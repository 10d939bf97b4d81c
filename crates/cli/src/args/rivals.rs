//! What `oncue eval rivals` takes.

use std::path::PathBuf;

use clap::Args;

use super::{EmbedderArgs, rankers};

pub(super) const EXAMPLES: &str = "\
Examples:
  oncue eval rivals sets/*
  oncue eval rivals sets/gtc --only fastmcp --only ratel
  oncue eval rivals sets/livemcp --kind step
  oncue eval rivals sets/* --recorded bench/rivals/claude-code.jsonl
  oncue eval rivals sets/gtc --json --answers > answers.jsonl";

#[derive(Args)]
pub(crate) struct Rivals {
    /// Data sets: folders with `tools.jsonl` and `queries.NAME.jsonl`. Others are skipped with a line.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    /// Only queries of this kind, such as `step`; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) kind: Vec<String>,

    /// A ranker of ours; with several, the first is the one that rivals are compared with. Without any `hybrid` where there is a model, and `bm25f`.
    #[arg(long, value_name = "NAME", value_parser = rankers())]
    pub(crate) ranker: Vec<String>,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// Only this rival; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,

    /// Answers that a searcher gave elsewhere, as `--answers` prints them; a row for each. May be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) recorded: Vec<PathBuf>,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the answer to every query as well, a line each.
    #[arg(long, requires = "json")]
    pub(crate) answers: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}
