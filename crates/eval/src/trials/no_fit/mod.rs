//! Requests that no tool serves, and whether a search says so.
//!
//! Two kinds, reported apart:
//!
//! - *foreign*: requests of other data sets, about things that the catalog is not about (`pairs`);
//! - *removed*: the catalog's own requests, asked against the catalog without the tools that serve them and without whatever is nearly one of those.
//!
//! The labels of *foreign* are by hand and nearly clean.
//! Those of *removed* are noisy: what is left may well serve, above all in catalogs with many ways to do one thing.
//!
//! A search that refuses everything would win, so what ordinary requests find is told beside it.

mod foreign;
mod measure;
mod pairs;
mod removed;

pub use foreign::foreign;
pub use measure::{Answered, Kind, Line, Price, measure, price, totals};
pub use removed::removed;

/// A request that no tool serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible<'d> {
    /// Its id.
    pub id: &'d str,
    /// What is asked.
    pub text: &'d str,
    /// The language of the text: `ko` wherever it has Hangul, or else as labelled.
    pub lang: &'d str,
    /// The data set that it comes from.
    pub asked: &'d str,
    /// Tools that are taken out of the catalog, as places in [`Dataset::tools`](crate::retrieval::Dataset::tools).
    pub without: Vec<usize>,
}

/// Returns the language of a text that is labelled `lang`.
fn language<'d>(text: &str, lang: &'d str) -> &'d str {
    if text.chars().any(|c| matches!(c, '\u{ac00}'..='\u{d7a3}')) { "ko" } else { lang }
}
