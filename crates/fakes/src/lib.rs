//! Strict stand-ins for the servers of model vendors.
//!
//! A fake refuses what the real server refuses, in its words, and computes from the bytes of each request what the vendor's prompt cache would read, write and miss.
//! It answers from a script ([`Scripted`]); it has no mind of its own.

mod chat;
mod frame;
pub mod limits;
mod openai;
mod script;
mod tokens;
mod wire;

pub use chat::{Chat, Quirk};
pub use script::{Failure, Piece, Scripted};
pub use wire::{Asked, Refusal, Wire};
