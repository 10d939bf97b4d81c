//! Models behind real connections to strict stand-ins for their vendors.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod anthropic;
mod http;
mod session;
