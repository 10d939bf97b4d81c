//! How a run ends for the shell.

use std::path::Path;

use oncue_agent::{Limit, ModelErrorKind, Outcome, Question, TurnEnd};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::printable;

/// Returns the code of an outcome.
fn exit(outcome: &Outcome) -> Exit {
    match outcome {
        Outcome::Answered { .. } => Exit::Ok,
        Outcome::Failed { .. } => Exit::Model,
        Outcome::Cancelled => Exit::Interrupted,
        _ => Exit::Unanswered,
    }
}

/// Returns success, or what is to be said of an end that is none.
///
/// `session` is the file in which a turn that waits is kept.
pub(super) fn ended(end: &TurnEnd, session: Option<&Path>) -> Result<Exit, Failure> {
    let outcome = match end {
        TurnEnd::Ended(outcome) => outcome,
        TurnEnd::Waiting(questions) => return Err(waits(questions, session)),
    };
    let (error, hint) = match outcome {
        Outcome::Answered { .. } => return Ok(Exit::Ok),
        // Who has called it off knows.
        Outcome::Cancelled => return Ok(Exit::Interrupted),
        Outcome::Failed { kind, .. } => {
            let hint = match kind {
                ModelErrorKind::Authentication | ModelErrorKind::Permission => {
                    Some("look at the key, and at what it opens")
                }
                ModelErrorKind::NotFound => Some("look at the model's name and address"),
                ModelErrorKind::Unavailable | ModelErrorKind::TimedOut => {
                    Some("look whether the server runs and its address is right")
                }
                _ => None,
            };
            let error = anyhow::anyhow!("{outcome}").context("the model could not be asked");
            (error, hint.map(str::to_owned))
        }
        Outcome::Limit { limit } => {
            let flag = match limit {
                Limit::Steps => "--steps",
                Limit::Calls => "--calls",
                Limit::Tokens => "--tokens",
                Limit::Time => "--time",
            };
            (anyhow::anyhow!("{outcome}"), Some(format!("allow more with `{flag}`")))
        }
        Outcome::EmptyFinish => (
            anyhow::anyhow!("{outcome}"),
            Some("say it in other words, or use another model".to_owned()),
        ),
        Outcome::Refused { .. } => (anyhow::anyhow!("{outcome}"), None),
        outcome => (anyhow::anyhow!("{outcome}"), None),
    };
    Err(Failure { exit: exit(outcome), error, hint })
}

/// Returns what is to be said of a turn that waits.
fn waits(questions: &[Question], session: Option<&Path>) -> Failure {
    let calls: Vec<String> = questions.iter().map(|question| printable(&question.name)).collect();
    let error = anyhow::anyhow!("a person must agree to {}", calls.join(", "));
    let hint = match (session, questions.first()) {
        (Some(path), Some(question)) => {
            let (path, id) = (path.display(), &question.id);
            format!("answer it: oncue run --session '{path}' --answer '{id}=yes'")
        }
        _ => "run it at a terminal, keep it with `--session FILE` and answer later, or agree to everything with `--yes`".to_owned(),
    };
    Failure { exit: Exit::Waits, error, hint: Some(hint) }
}
