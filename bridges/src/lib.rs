//! What the examples of this package share: a program's tools, a scripted model on a local port, and what must come of the two.
//!
//! What the examples show stands in the package's `README.md`.

mod server;
pub mod story;
mod tools;

pub use server::{Answer, Asked, Server};
pub use tools::{User, catalog};
