//! Reading a tools file: TOML, row by row.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::program::Program;
use super::row::{Declared, Rows};
use crate::failure::Failure;
use crate::limits::TOOLS_FILE_BYTES_MAX;

/// What is wrong with a row, and how to mend it.
#[derive(Debug)]
pub(super) struct RowFault {
    pub(super) what: String,
    pub(super) hint: String,
}

impl RowFault {
    pub(super) fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into() }
    }
}

/// Returns the programs that a file declares, in its order.
///
/// # Errors
///
/// The file cannot be read, is no TOML, or a row of it is wrong.
pub(super) fn read(path: &Path) -> Result<Vec<Program>, Failure> {
    let mut text = String::new();
    let read = File::open(path)
        .and_then(|file| file.take(TOOLS_FILE_BYTES_MAX + 1).read_to_string(&mut text));
    let shown = path.display().to_string();
    read.map_err(|error| {
        let error = anyhow::Error::new(error).context(context(&shown));
        Failure::input(error)
            .hint("name a file that declares tools, or `demo` for those that come with the command")
    })?;
    if text.len() as u64 > TOOLS_FILE_BYTES_MAX {
        let error = anyhow::anyhow!("it is larger than {TOOLS_FILE_BYTES_MAX} bytes");
        return Err(
            Failure::input(error.context(context(&shown))).hint("split it and repeat `--tools`")
        );
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // A program with a folder of its own must be found all the same.
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    parse(&text, &folder, &shown)
}

/// Returns the programs that `text` declares; relative paths are taken from `folder`, and `file` is how messages name it.
pub(super) fn parse(text: &str, folder: &Path, file: &str) -> Result<Vec<Program>, Failure> {
    let rows: Rows = toml::from_str(text).map_err(|error| {
        let line = error.span().and_then(|span| text.get(..span.start)).map(lines);
        let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let error = anyhow::anyhow!("{place}{}", error.message()).context(context(file));
        Failure::input(error).hint(
            "each tool is a table `[[tool]]` with at least `name`, `description` and `command`",
        )
    })?;
    let programs = rows.tool.into_iter().enumerate().map(|(at, table)| {
        let name = table.get("name").and_then(toml::Value::as_str).map(str::to_owned);
        read_row(table, folder).map_err(|fault| failure(file, at + 1, name.as_deref(), &fault))
    });
    programs.collect()
}

fn read_row(table: toml::Table, folder: &Path) -> Result<Program, RowFault> {
    let declared: Declared = table.try_into().map_err(|error: toml::de::Error| {
        RowFault::new(error.message(), "the keys are listed in docs/run.md, under `tools files`")
    })?;
    Program::new(declared, folder)
}

/// Returns the failure for a fault of a row.
pub(super) fn failure(file: &str, row: usize, name: Option<&str>, fault: &RowFault) -> Failure {
    let name = name.map(|name| format!(" `{name}`")).unwrap_or_default();
    let error = anyhow::anyhow!("row {row}{name}: {}", fault.what).context(context(file));
    Failure::input(error).hint(fault.hint.clone())
}

fn context(file: &str) -> String {
    format!("failed to read tools `{file}`")
}

/// Returns the number of the line behind `text`.
fn lines(text: &str) -> usize {
    text.matches('\n').count() + 1
}

#[cfg(test)]
mod tests;
