//! From an offset in a text to its line and column.

use std::path::Path;
use std::sync::Arc;

use crate::config::Place;

/// The lines of one text.
pub(crate) struct Lines<'t> {
    file: Arc<Path>,
    text: &'t str,
    /// The offset at which each line begins.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(file: &Path, text: &'t str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Self { file: file.into(), text, starts }
    }

    /// Returns the place of the offset, in bytes.
    pub(crate) fn place(&self, at: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= at);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let column = self.text.get(start..at).map_or(0, |before| before.chars().count()) + 1;
        Place { file: self.file.clone(), line, column }
    }
}
