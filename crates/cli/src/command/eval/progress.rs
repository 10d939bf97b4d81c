//! A sign of life while many queries are asked.

use indicatif::{ProgressBar, ProgressStyle};

use crate::text::printable;

/// Returns a bar for `total` queries. It draws on standard error, and nothing where that is no terminal.
pub(super) fn bar(name: &str, total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64).with_message(printable(name));
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
        bar.set_style(style);
    }
    bar
}
