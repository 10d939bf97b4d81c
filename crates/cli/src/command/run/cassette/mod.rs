//! Recordings of runs: what a model was asked and said, and what came of its calls. JSON, one line for each thing.

mod line;
mod play;
mod read;

pub(super) use play::Played;
pub(super) use read::Cassette;
