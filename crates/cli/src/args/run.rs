//! What may be typed behind `oncue run`.

use clap::Args;

#[derive(Args)]
pub(crate) struct Run {
    /// A file that declares tools, or `demo` for a small shop to try things with; may be repeated. Without it the demo is used.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Vec<String>,

    /// Check the tools, and ask no model.
    #[arg(long, required = true)]
    pub(crate) check: bool,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
