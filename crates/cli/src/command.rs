//! The commands, one room each: ask the libraries, print the answer.

mod audit;
mod completions;
mod docs;
mod eval;
mod explain;
mod gateway;
mod hits;
mod index;
mod lint;
mod model;
mod run;
mod search;
mod show;
mod state;
mod suggest;
mod token;
mod tune;

use std::io::Write;

pub(crate) use self::gateway::{Behind, is_settings};
pub(crate) use self::run::Answer;

use crate::args::{Command, Eval};
use crate::exit::Exit;
use crate::failure::Failure;

/// The version of the JSON that commands print; it grows when a key changes its meaning or goes away.
pub(crate) const JSON_VERSION: u32 = 1;

/// Serves where that is the command: what is written on standard output then is messages alone.
pub(crate) fn serve(command: &Command) -> Option<Result<Exit, Failure>> {
    match command {
        Command::Serve(args) => Some(gateway::serve(args, &mut anstream::stderr())),
        Command::Watchdog => {
            gateway::watch();
            Some(Ok(Exit::Ok))
        }
        _ => None,
    }
}

/// Answers `command` on `out`.
pub(crate) fn run(command: &Command, out: &mut dyn Write) -> Result<Exit, Failure> {
    let err = &mut anstream::stderr();
    match command {
        Command::Search(args) => search::run(args, out, err),
        Command::Show(args) => show::run(args, out, err),
        Command::Explain(args) => explain::run(args, out, err),
        Command::Lint(args) => lint::run(args, out, err),
        Command::Model(args) => model::run(args, out, err),
        Command::Run(args) => run::run(args, out, err),
        // These use standard input and output for themselves.
        Command::Serve(_) | Command::Watchdog => Ok(Exit::Ok),
        Command::Status(args) => gateway::status(args, out),
        Command::Call(args) => gateway::call(args, out),
        Command::Import(args) => gateway::import(args, out, err),
        Command::Connect(args) => gateway::connect(args, out, err),
        Command::Disconnect(args) => gateway::disconnect(args, out, err),
        Command::Check(args) => gateway::check(args, out, err),
        Command::Eval(Eval::Retrieval(args)) => eval::retrieval(args, out, err),
        Command::Eval(Eval::Rivals(args)) => eval::rivals(args, out, err),
        Command::Eval(Eval::Fit(args)) => eval::fit(args, out, err),
        Command::Eval(Eval::Answers(args)) => eval::answers(args, out, err),
        Command::Eval(Eval::NoFit(args)) => eval::no_fit(args, out, err),
        Command::Eval(Eval::Attack(args)) => eval::attack(args, out, err),
        Command::Eval(Eval::Needs(args)) => eval::needs(args, out, err),
        Command::Eval(Eval::Keywords(args)) => eval::keywords(args, out, err),
        Command::Eval(Eval::Tune(args)) => eval::tune(args, out, err),
        Command::Eval(Eval::Calls(args)) => eval::calls(args, out, err),
        Command::Token(args) => token::run(args, out, err),
        Command::Tune(args) => tune::run(args, out, err),
        Command::Audit(args) => audit::run(args, out, err),
        Command::Completions(args) => completions::run(args, out),
        Command::Docs => docs::run(out),
        Command::Index { file } => index::run(file),
    }
}

/// Writes `answer` as one line of JSON.
fn write_json(out: &mut dyn Write, answer: &impl serde::Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, answer)?;
    writeln!(out)?;
    Ok(())
}
