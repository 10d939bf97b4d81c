//! What may be typed behind `oncue run`.

use clap::Args;

#[derive(Args)]
pub(crate) struct Run {
    /// A file that declares tools; may be repeated.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) tools: Vec<String>,

    /// Check the tools, and ask no model.
    #[arg(long, required = true)]
    pub(crate) check: bool,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
