//! A sign of life during long work.

use indicatif::{ProgressBar, ProgressStyle};

use crate::text::printable;

/// Returns a bar for `total` steps of the work on `name`. It draws on standard error, and nothing where that is no terminal.
pub(crate) fn bar(name: &str, total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64).with_message(printable(name));
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}") {
        bar.set_style(style);
    }
    bar
}
