//! What may be typed after `oncue eval` for the trials of rankers.

use std::path::PathBuf;

use clap::Args;

use super::{CatalogArgs, EmbedderArgs, rankers};

pub(super) const NO_FIT_EXAMPLES: &str = "\
Examples:
  oncue eval no-fit data/*                 requests that no tool serves, over each data set's catalog
  oncue eval no-fit data/gtc data/restbench --show 20
                                           the first 20 that were answered, with what came";

pub(super) const ATTACK_EXAMPLES: &str = "\
Examples:
  oncue eval attack data/*                 2,000 tools of 50 servers and 20 tools of an adversary
  oncue eval attack data/* --ranker keyword --ranker bm25f";

pub(super) const NEEDS_EXAMPLES: &str = "\
Examples:
  oncue eval needs data/livemcp            tasks with steps: as they stand, as a sentence, as a list
  oncue eval needs data/* --hits 10        requests of every data set in threes";

pub(super) const TUNE_EXAMPLES: &str = "\
Examples:
  oncue eval tune data/metatool data/restbench
                                           requests of each data set, a fifth at a time, after the others were learnt";

#[derive(Args)]
pub(crate) struct EvalTune {
    /// Data sets: folders with `tools.jsonl` and `queries.NAME.jsonl`.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Args)]
pub(crate) struct NoFit {
    /// Data sets: folders with `tools.jsonl` and `queries.NAME.jsonl`. Requests of one are asked over the catalog of another where the two are about different things.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    /// A ranker to measure; may be repeated. Without any `bm25f`, and `hybrid` where there is a model.
    #[arg(long, value_name = "NAME", value_parser = rankers())]
    pub(crate) ranker: Vec<String>,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// Show up to N requests of each data set and kind that were answered.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) show: usize,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Args)]
pub(crate) struct Attack {
    /// Data sets: folders with `tools.jsonl` and `queries.NAME.jsonl`. Their most needed servers and some of their requests make the catalog under attack.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    #[command(flatten)]
    pub(crate) catalog: CatalogArgs,

    /// A ranker to measure; may be repeated. Without any `bm25f`, and `hybrid` where there is a model.
    #[arg(long, value_name = "NAME", value_parser = rankers())]
    pub(crate) ranker: Vec<String>,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Args)]
pub(crate) struct Needs {
    /// Data sets: folders with `tools.jsonl` and `queries.NAME.jsonl`. Requests with steps are asked whole, and others in threes.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    /// A ranker to measure; may be repeated. Without any `bm25f`, and `hybrid` where there is a model.
    #[arg(long, value_name = "NAME", value_parser = rankers())]
    pub(crate) ranker: Vec<String>,

    /// How many hits to ask for; may be repeated.
    #[arg(long, value_name = "N", default_values_t = [5, 10], value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) hits: Vec<u16>,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Args)]
pub(crate) struct Keywords {
    /// Data sets: folders with `tools.jsonl` and `queries.NAME.jsonl`. The queries are asked without and with the keywords.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Which queries: the NAME of `queries.NAME.jsonl`.
    #[arg(long, value_name = "NAME", default_value = "dev")]
    pub(crate) split: String,

    /// A ranker to measure; may be repeated. Without any `bm25f`, and `hybrid` where there is a model.
    #[arg(long, value_name = "NAME", value_parser = rankers())]
    pub(crate) ranker: Vec<String>,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// Print one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}
