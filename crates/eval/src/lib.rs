//! Measures of tool search, and checks of catalogs.
//!
//! # Map
//!
//! | module | holds |
//! |---|---|
//! | [`retrieval`] | labelled data sets, rankers by name, runs, measures and their intervals |
//! | `limits` | every bound, with its unit |
//!
//! # What it is not
//!
//! Nothing here prints, reads a catalog of a program's user or talks to a model.

mod limits;
pub mod retrieval;
