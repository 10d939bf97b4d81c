//! Catalog, activation, registry, tool search, permission and the path of one call.

mod context;
mod definition;
mod error;
mod output;
mod permission;
mod tool;

pub use context::CallContext;
pub use definition::Definition;
pub use error::ToolError;
pub use output::{Content, Output};
pub use permission::{
    AskReason, Decision, Denial, Glob, Grants, Guard, GuardError, Principal, PrincipalName,
    Restriction, ToolPattern, decide,
};
pub use tool::{Arguments, BoxFuture, Concurrency, Tool};
