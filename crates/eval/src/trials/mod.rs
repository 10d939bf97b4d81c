//! Trials that any ranker can be put to, by name, over the same data sets as [`retrieval`](crate::retrieval).
//!
//! | module | asks |
//! |---|---|
//! | [`attack`] | what does an adversary get who owns one server? |
//! | [`keywords`] | what are the keywords worth that [`suggest`](crate::lint::suggest) proposes? |
//! | [`needs`] | do all needs of a request come up when they are asked as a list? |
//! | [`no_fit`] | does a search say so when no tool fits? |
//!
//! Every draw is seeded, so the same data sets give the same trial.

pub mod attack;
pub mod keywords;
pub mod needs;
pub mod no_fit;
mod words;
