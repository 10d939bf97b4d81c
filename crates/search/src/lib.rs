//! Search over the tools of a catalog.

mod candidates;
mod document;
mod explain;
mod index;
mod query;
pub mod rank;
mod search;

pub use candidates::{Admit, Candidates};
pub use document::Document;
pub use explain::{Explanation, Field, FieldScore};
pub use index::{Index, Settings};
pub use query::Query;
pub use rank::{Hit, Ranker};
pub use search::{required, search};
