//! The targets, one file each.

mod ingest;
mod query;
mod schema;
mod search;

pub use ingest::ingest;
pub use query::query;
pub use schema::schema;
pub use search::search;

/// Something that is fed with bytes.
pub type Target = fn(&[u8]);

/// Every target by the name of its program.
pub const TARGETS: [(&str, Target); 4] =
    [("ingest", ingest), ("query", query), ("schema", schema), ("search", search)];

/// The input as text; bytes that are not UTF-8 become replacement characters.
fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}
