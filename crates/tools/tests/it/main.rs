//! What users of the crate can rely on, through its public interface alone.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod activation;
mod bounds;
mod catalog;
mod concurrency;
mod identity;
mod meaning;
mod registry;
mod search_tool;
mod structure;
mod support;
mod toolset;
mod turn;
