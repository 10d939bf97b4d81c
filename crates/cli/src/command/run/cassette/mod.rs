//! Recordings of runs: what a model was asked and said, and what came of its calls. JSON, one line for each thing.
//!
//! | file | holds |
//! |---|---|
//! | `line` | the lines |
//! | `asked` | what a model was asked, and how two requests differ |
//! | `record` | writing, around the model and the tools |
//! | `read`, `play` | reading, and playing in the place of both |
//! | `tape` | which of it a run does |

mod asked;
mod line;
mod play;
mod read;
mod record;
mod tape;

#[cfg(test)]
mod tests;

pub(super) use line::{Consent, Start};
pub(super) use play::{Played, Player};
pub(super) use read::Cassette;
pub(super) use tape::Tape;
