//! Reading a recording.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::line::{Line, Start, VERSION};
use crate::failure::Failure;

/// A recording as it was read. Lives as long as the command.
pub(in crate::command::run) struct Cassette {
    pub(super) start: Start,
    pub(super) lines: Vec<Line>,
}

impl Cassette {
    /// Reads a recording.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or a line of it is none; the error names the line.
    pub(in crate::command::run) fn read(path: &Path) -> Result<Self, Failure> {
        let context = || format!("failed to read the recording `{}`", path.display());
        let unreadable = |error: std::io::Error| {
            Failure::input(anyhow::Error::new(error).context(context()))
                .hint("make one with `oncue run --record FILE …`")
        };
        let file = File::open(path).map_err(unreadable)?;
        let mut lines = Vec::new();
        for (at, text) in BufReader::new(file).lines().enumerate() {
            let text = text.map_err(unreadable)?;
            if text.trim().is_empty() {
                continue;
            }
            let line = serde_json::from_str(&text).map_err(|error| {
                let error = anyhow::anyhow!("line {}: {error}", at + 1).context(context());
                Failure::input(error).hint("each line is an object as `--record` writes it")
            })?;
            lines.push(line);
        }
        match lines.first() {
            Some(Line::Start(start)) if start.version == VERSION => {
                Ok(Self { start: start.clone(), lines: lines.split_off(1) })
            }
            Some(Line::Start(start)) => {
                let version = start.version;
                let error = anyhow::anyhow!("it has version {version}, and {VERSION} is read here");
                Err(Failure::input(error.context(context())).hint("record it anew"))
            }
            _ => Err(Failure::input(
                anyhow::anyhow!("the first line does not say what was recorded").context(context()),
            )
            .hint(format!(
                "it begins with {{\"line\":\"start\",\"version\":{VERSION},\"model\":\"NAME\"}}"
            ))),
        }
    }
}
