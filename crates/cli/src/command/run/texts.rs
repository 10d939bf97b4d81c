//! Texts for the model: typed, from a file, or from standard input.

use std::fs::File;
use std::io::{self, Read};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::TEXT_BYTES_MAX;

/// What stands for standard input.
const STDIN: &str = "-";

/// Says whether a task is to be read from standard input.
pub(super) fn is_stdin(typed: &str) -> bool {
    typed == STDIN
}

/// Says that standard input cannot give both.
pub(super) fn stdin_is_taken() -> Failure {
    let error = anyhow::anyhow!("standard input cannot give the task and the answers");
    let hint = "say the task as an argument";
    Failure { exit: Exit::Usage, error, hint: Some(hint.to_owned()) }
}

/// Returns the task that was typed, or stands in standard input.
///
/// # Errors
///
/// It cannot be read, or is empty.
pub(super) fn task(typed: &str) -> Result<String, Failure> {
    let text = match typed {
        STDIN => read(io::stdin().lock(), "the task from standard input")?,
        typed => typed.to_owned(),
    };
    if text.trim().is_empty() {
        let error = anyhow::anyhow!("the task is empty");
        let hint = "say what is to be done: oncue run … 'Which invoices are overdue?'";
        return Err(Failure { exit: Exit::Usage, error, hint: Some(hint.to_owned()) });
    }
    Ok(text.trim().to_owned())
}

/// Says that there is no task.
pub(super) fn missing() -> Failure {
    let error = anyhow::anyhow!("there is no task");
    let hint = "say what is to be done, or `-` to read it from standard input";
    Failure { exit: Exit::Usage, error, hint: Some(hint.to_owned()) }
}

/// Returns what the model is told once: the text, or that of the file behind `@`.
///
/// # Errors
///
/// The file cannot be read.
pub(super) fn system(typed: &str) -> Result<String, Failure> {
    let Some(path) = typed.strip_prefix('@') else { return Ok(typed.to_owned()) };
    let what = format!("what the model is told once from `{path}`");
    let file = File::open(path).map_err(|error| unreadable(&what, error))?;
    read(file, &what)
}

fn read(reader: impl Read, what: &str) -> Result<String, Failure> {
    let mut text = String::new();
    reader
        .take(TEXT_BYTES_MAX + 1)
        .read_to_string(&mut text)
        .map_err(|error| unreadable(what, error))?;
    if text.len() as u64 > TEXT_BYTES_MAX {
        let error = anyhow::anyhow!("{what} is longer than {TEXT_BYTES_MAX} bytes");
        return Err(Failure::input(error).hint("let a tool read it piece by piece"));
    }
    Ok(text)
}

fn unreadable(what: &str, error: io::Error) -> Failure {
    Failure::input(anyhow::Error::new(error).context(format!("failed to read {what}")))
}
