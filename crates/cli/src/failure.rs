//! A failure as a person reads it: what happened, why, and what to type next.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::exit::Exit;
use crate::text::printable;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// Why a command did not answer.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the process ends.
    pub(crate) exit: Exit,
    /// What happened, with its causes.
    pub(crate) error: anyhow::Error,
    /// What to do next, with the command to type.
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// A failure to read what was given.
    pub(crate) fn input(error: impl Into<anyhow::Error>) -> Self {
        Self { exit: Exit::Input, error: error.into(), hint: None }
    }

    /// A command line that says what does not go together.
    pub(crate) fn usage(text: &'static str) -> Self {
        Self { exit: Exit::Usage, error: anyhow::Error::msg(text), hint: None }
    }

    /// A failure to write what was asked for.
    pub(crate) fn output(error: impl Into<anyhow::Error>) -> Self {
        Self { exit: Exit::Output, error: error.into(), hint: None }
    }

    /// A question to which there is no answer.
    pub(crate) fn nothing(text: String) -> Self {
        Self { exit: Exit::Nothing, error: anyhow::Error::msg(text), hint: None }
    }

    /// Returns the failure with what to do next.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Writes `error:` with the causes, a blank line and `hint:`.
    ///
    /// If that cannot be written there is nobody left to tell.
    pub(crate) fn report(&self, err: &mut dyn Write) {
        let chain: Vec<String> =
            self.error.chain().map(|cause| printable(&cause.to_string())).collect();
        let _ = writeln!(err, "{ERROR}error:{ERROR:#} {}", chain.join(": "));
        if let Some(hint) = &self.hint {
            let _ = writeln!(err);
            write_hint(err, hint);
        }
    }
}

/// Writes what to type next, after a command that did what it was asked.
///
/// If that cannot be written there is nobody left to tell.
pub(crate) fn write_hint(err: &mut dyn Write, hint: &str) {
    let _ = writeln!(err, "{HINT}hint:{HINT:#} {}", printable(hint));
}

impl From<io::Error> for Failure {
    /// A failure to write the answer; failures to read are made with their path by [`Failure::input`].
    fn from(error: io::Error) -> Self {
        Self {
            exit: Exit::Output,
            error: anyhow::Error::new(error).context("failed to write the answer"),
            hint: None,
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}

/// Says whether the reader of our output has gone.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
