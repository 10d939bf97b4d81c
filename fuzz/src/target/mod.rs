//! The targets, one file each.

mod query;
mod search;

pub use query::query;
pub use search::search;

/// Something that is fed with bytes.
pub type Target = fn(&[u8]);

/// Every target by the name of its program.
pub const TARGETS: [(&str, Target); 2] = [("query", query), ("search", search)];

/// The input as text; bytes that are not UTF-8 become replacement characters.
fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}
