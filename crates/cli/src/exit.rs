//! Exit codes: few, and the same for every command.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The question was answered. A reader that closes the pipe early counts as answered.
    Ok,
    /// Nothing was found, or `lint` found something.
    Nothing,
    /// The command line is wrong.
    Usage,
    /// A catalog or a data set cannot be read.
    Input,
    /// The answer cannot be written.
    Output,
}

impl Exit {
    /// Every code, in order.
    pub(crate) const ALL: [Self; 5] =
        [Self::Ok, Self::Nothing, Self::Usage, Self::Input, Self::Output];

    /// Returns the number that the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Nothing => 1,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Output => 4,
        }
    }

    /// Returns what the code means, for `--help` and the documentation.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "answered; also when the reader closes the pipe early",
            Self::Nothing => "nothing found, or `lint` has findings over its threshold",
            Self::Usage => "wrong command line",
            Self::Input => "a catalog or data set cannot be read",
            Self::Output => "the answer cannot be written",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Returns the exit codes as the end of a help text.
pub(crate) fn help() -> String {
    let lines: Vec<String> =
        Exit::ALL.iter().map(|exit| format!("  {}  {}", exit.code(), exit.meaning())).collect();
    format!("Exit codes:\n{}", lines.join("\n"))
}
