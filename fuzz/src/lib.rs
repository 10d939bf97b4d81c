//! What is fed with made-up input, and what must hold for every input. A target panics where something does not hold.
//!
//! The targets are ordinary functions, so that inputs found once are replayed by an ordinary test.

mod limits;
mod pieces;
mod target;
mod time;

pub use target::{TARGETS, Target, events, framing, ingest, message, query, schema, search};
