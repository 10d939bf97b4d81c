//! Measures of tool search, and checks of catalogs.
//!
//! # Map
//!
//! | module | holds |
//! |---|---|
//! | [`answers`] | what the answer to a search costs, by its form |
//! | [`first_call`] | which tool a model calls first, and what helps it |
//! | [`fit`] | weights fitted on data sets, and what they reach on sets that took no part |
//! | [`retrieval`] | labelled data sets, rankers by name, runs, measures and their intervals |
//! | [`rivals`] | the rankers of others, rebuilt, over the same data sets |
//! | [`trials`] | what a ranker does where no tool fits, or where somebody games it |
//! | [`tune`] | what a log of requests teaches of tools, and whether it helps |
//! | [`lint`] | findings about the tools of a catalog |
//! | `limits` | every bound, with its unit |
//!
//! # What it is not
//!
//! Nothing here prints, reads a catalog of a program's user or knows a model vendor: whoever measures a model brings it.

pub mod answers;
pub mod first_call;
pub mod fit;
mod limits;
pub mod lint;
mod random;
mod remembered;
pub mod retrieval;
pub mod rivals;
pub mod trials;
pub mod tune;
