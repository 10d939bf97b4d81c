//! What a run shows while it works, to people and to programs.

mod json;
mod lines;
mod trace;

#[cfg(test)]
mod tests;

use std::io;

use oncue_agent::{Event, TurnEnd};

pub(super) use self::json::Json;
pub(super) use self::trace::{Trace, View};
use super::setup::About;
use crate::exit::Exit;
use crate::failure::Failure;

/// Shows what happens.
pub(super) trait Report {
    /// A run begins.
    fn begin(&mut self, about: &About) -> io::Result<()>;

    /// Something happened.
    fn hear(&mut self, event: &Event) -> io::Result<()>;

    /// Somebody is to agree to a call.
    fn prompt(&mut self, name: &str, arguments: &str) -> io::Result<()>;

    /// A person has typed a line, which the terminal shows.
    fn typed(&mut self);

    /// Somebody is to say what to do.
    fn invite(&mut self) -> io::Result<()>;

    /// Something is to be known.
    fn note(&mut self, text: &str) -> io::Result<()>;

    /// Something is wrong, and the run goes on.
    fn warn(&mut self, text: &str) -> io::Result<()>;

    /// A turn has failed, and the run goes on.
    fn fail(&mut self, failure: &Failure) -> io::Result<()>;

    /// The run has come to rest, and the process ends so.
    fn end(&mut self, end: &TurnEnd, exit: Exit) -> io::Result<()>;
}
