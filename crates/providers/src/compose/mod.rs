//! What several wires have in common when they write a request. Pure.
//!
//! A body is composed as text, so that schemas and arguments arrive as their authors wrote them and the same request gives the same bytes.
//!
//! | file | holds |
//! |---|---|
//! | `fields` | the object around everything |
//! | `prompt` | what a cache sees of the blocks of a request |
//! | `turns` | a conversation in which each call has its result beside it |
//! | `legal` | names and ids that a vendor takes |
//! | `content` | text, data and pictures |

mod content;
mod fields;
mod legal;
mod prompt;
mod turns;

pub(crate) use content::{Picture, is_text, pictures, text};
pub(crate) use fields::{Fields, object_or_empty, quoted, streaming};
pub(crate) use legal::{legal_id, legal_name};
pub(crate) use prompt::{list, pictured, prompt};
pub(crate) use turns::{Answered, NO_BEGINNING, NO_RESULT, Turn, turns};
