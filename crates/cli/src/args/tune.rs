//! What may be typed after `oncue tune`.

use std::path::PathBuf;

use clap::Args;

use super::{CatalogArgs, EmbedderArgs};

pub(super) const EXAMPLES: &str = "\
A log has one JSON object a line:
  {\"query\": \"my money back\", \"tools\": [\"shop/refund_payment\"]}

Examples:
  oncue tune requests.jsonl --catalog tools.json
  oncue search 'money back' --catalog tools.json --tuning tuning.json";

#[derive(Args)]
pub(crate) struct Tune {
    /// What was asked and which tools have served it, one JSON object a line; `-` for standard input.
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,

    #[command(flatten)]
    pub(crate) catalog: CatalogArgs,

    /// Where to write what was learnt.
    #[arg(long, value_name = "FILE", default_value = "tuning.json")]
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) embedder: EmbedderArgs,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}
