//! The record of what was done: every call, every denial, every change, appended and never rewritten.
//!
//! A record is a line of JSON that says who did what, when, and what came of it.
//! It never holds arguments, results or secrets: of the arguments it has the SHA-256 digest alone, which tells whether two calls were the same, and which short arguments can be guessed from.
//!
//! Each record carries the digest of the one before, so that one that was changed, removed or moved is found by [`verify`], with its place.
//! The number and digest of the last record are also kept apart, so that missing ones at the end are found too.
//! Whoever may write the files may also compute new digests: against that, keep a digest that [`verify`] shows somewhere else, and compare.
//!
//! One thread writes; what waits is bounded, and who comes with one more waits.
//! A batch is on the disk (`fsync`) before the next is begun.
//! Several processes may append to one record: they take turns.
//!
//! | file | holds |
//! |---|---|
//! | `event` | what is recorded ([`Entry`]) |
//! | `line` | a record as a line, and its digest |
//! | `files` | the names of the files |
//! | `log` | the files: appending, beginning a new one, going on after a crash |
//! | `writer` | [`Audit`], the queue and the thread |
//! | `verify` | what is wrong with a record ([`verify`], [`verify_all`]) |

mod event;
mod files;
mod line;
mod log;
mod verify;
mod writer;

pub use crate::digest::Digest;
pub use event::{Call, Change, ChangeKind, Entry, Event, Outcome};
pub use verify::{Fault, FaultKind, Note, NoteKind, Report, VerifyError, verify, verify_all};
pub use writer::{Audit, AuditError, AuditStatus};

#[cfg(test)]
mod tests;
