//! Search over the tools of a catalog.

mod candidates;
mod document;
mod explain;
mod index;
pub mod limits;
mod query;
pub mod rank;
pub mod schema;
mod search;
mod settings;
pub mod text;

pub use candidates::{Admission, Admit, Candidates, Share};
pub use document::Document;
pub use explain::{Explanation, Field, FieldScore};
pub use index::{BytesError, Index};
pub use query::Query;
pub use rank::{Hit, Ranker};
pub use search::{required, search};
pub use settings::{FieldCounts, FieldWeight, Settings};
