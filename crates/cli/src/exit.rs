//! Exit codes: few, and the same for every command.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The question was answered. A reader that closes the pipe early counts as answered.
    Ok,
    /// Nothing was found, or `lint` or `audit verify` found something.
    Nothing,
    /// The command line is wrong.
    Usage,
    /// A file that was named cannot be read, or does not fit, or `check` found errors.
    Input,
    /// The answer, or a file that was to be written, cannot be.
    Output,
    /// A person must agree first: to a call of a run, or to a change of a client's file.
    Waits,
    /// A run ended without an answer.
    Unanswered,
    /// The model could not be asked.
    Model,
    /// A run was called off.
    Interrupted,
}

impl Exit {
    /// Every code, in order.
    pub(crate) const ALL: [Self; 9] = [
        Self::Ok,
        Self::Nothing,
        Self::Usage,
        Self::Input,
        Self::Output,
        Self::Waits,
        Self::Unanswered,
        Self::Model,
        Self::Interrupted,
    ];

    /// Returns the number that the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Nothing => 1,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Output => 4,
            Self::Waits => 5,
            Self::Unanswered => 6,
            Self::Model => 7,
            // What shells say of a process that Ctrl-C has ended.
            Self::Interrupted => 130,
        }
    }

    /// Returns what the code means, for `--help` and the documentation.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "answered; also when the reader closes the pipe early",
            Self::Nothing => {
                "nothing found; `lint` has findings over its threshold; `audit verify` finds a fault"
            }
            Self::Usage => "wrong command line",
            Self::Input => {
                "a file that was named cannot be read, or does not fit; `check` found errors"
            }
            Self::Output => {
                "the answer cannot be written, or a file that is there is not to be replaced"
            }
            Self::Waits => {
                "`run` waits for a person to agree to a call; nobody agreed to what `connect` or `disconnect` would change"
            }
            Self::Unanswered => {
                "`run` ended without an answer: a limit, a refusal, or a reply that is empty or cut off"
            }
            Self::Model => "`run` could not ask the model",
            Self::Interrupted => "`run` was called off by Ctrl-C or another signal",
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
        Exit::ALL.iter().map(|exit| format!("  {:>3}  {}", exit.code(), exit.meaning())).collect();
    format!("Exit codes:\n{}", lines.join("\n"))
}
