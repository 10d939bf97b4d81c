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

/// Shows what happens.
pub(super) trait Report {
    /// A run begins.
    fn begin(&mut self, about: &About) -> io::Result<()>;

    /// Something happened.
    fn hear(&mut self, event: &Event) -> io::Result<()>;

    /// The run has come to rest, and the process ends so.
    fn end(&mut self, end: &TurnEnd, exit: Exit) -> io::Result<()>;
}
