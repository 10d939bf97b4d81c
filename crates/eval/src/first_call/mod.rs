//! Which tool a model calls first: requests of people, tools of which some are hidden, and a ladder of ways to help.
//!
//! For each request a turn runs until a tool that is no search has run, and then stops.
//! Tools do nothing here: what is measured is which of them is reached.
//!
//! | file | holds |
//! |---|---|
//! | `set` | catalogs and labelled requests |
//! | `ladder` | the rungs: ways to help, by name |
//! | `measure` | one turn a request |
//! | `memory` | a model that remembers its answers, so that a measurement can be broken off and taken up |
//! | `summary` | shares with their intervals |

mod ladder;
mod measure;
mod memory;
mod set;
mod summary;

#[cfg(test)]
mod tests;

pub use ladder::{LADDER, Rung, custom, rung};
pub use measure::{First, MeasureError, Setting, Verdict, measure};
pub use memory::{Memory, MemoryError};
pub use set::{CatalogFile, Kind, LabelledRequest, RequestSet, SetError};
pub use summary::{Share, Summary, summarize};
