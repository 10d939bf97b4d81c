//! Models behind real connections to strict stand-ins for their vendors.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod anthropic;
#[cfg(feature = "bedrock")]
mod bedrock;
mod embeddings;
mod http;
mod quirks;
mod session;
mod whole_loop;
mod wires;
