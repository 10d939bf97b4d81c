//! Catalog, activation, registry, tool search, permission and the path of one call.

mod context;
mod definition;
mod error;
pub mod ingest;
mod output;
mod tool;

pub use context::CallContext;
pub use definition::Definition;
pub use error::ToolError;
pub use output::{Content, Output};
pub use tool::{Arguments, BoxFuture, Concurrency, Tool};
