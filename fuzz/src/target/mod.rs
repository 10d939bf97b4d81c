//! The targets, one file each.

mod events;
mod framing;
mod ingest;
mod message;
mod query;
mod schema;
mod search;

pub use events::events;
pub use framing::framing;
pub use ingest::ingest;
pub use message::message;
pub use query::query;
pub use schema::schema;
pub use search::search;

/// Something that is fed with bytes.
pub type Target = fn(&[u8]);

/// Every target by the name of its program.
pub const TARGETS: [(&str, Target); 7] = [
    ("events", events),
    ("framing", framing),
    ("ingest", ingest),
    ("message", message),
    ("query", query),
    ("schema", schema),
    ("search", search),
];

/// The input as text; bytes that are not UTF-8 become replacement characters.
fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}
