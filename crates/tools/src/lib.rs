//! Catalog, activation, registry, tool search, permission and the path of one call.

mod arguments;
mod cancel;
mod context;
mod definition;
mod error;
mod excerpt;
pub mod limits;
mod output;
mod permission;
mod tool;
mod typed;
mod validate;

pub use arguments::{Arguments, ArgumentsFault};
pub use cancel::{Cancel, Cancellation, Cancelled};
pub use context::{CallContext, CallId, Progress, Report};
pub use definition::Definition;
pub use error::{Blame, ErrorKind, TellModel, ToolError};
pub use output::{Content, Output};
pub use permission::{
    AskReason, Decision, Denial, Glob, Grants, Guard, GuardError, Principal, PrincipalName,
    Restriction, ToolPattern, decide,
};
pub use tool::{BoxFuture, Concurrency, Tool};
pub use typed::{FnTool, NoArguments, StructTool, ToolFn, TypedTool, tool};
pub use validate::SchemaFault;
