//! Catalog, activation, registry, tool search, permission and the path of one call.

mod activation;
mod arguments;
mod cancel;
mod catalog;
mod context;
mod definition;
mod error;
mod excerpt;
pub mod ingest;
pub mod limits;
mod names;
mod output;
mod permission;
mod registry;
mod search_tool;
mod snapshot;
mod tool;
mod typed;
mod validate;

pub use activation::{Activation, ActivationScope, Dropped};
pub use arguments::{Arguments, ArgumentsFault};
pub use cancel::{Cancel, Cancellation, Cancelled};
pub use catalog::{Catalog, CatalogError, Options, SetAside};
pub use context::{CallContext, CallId, Progress, Report};
pub use definition::Definition;
pub use error::{Blame, ErrorKind, TellModel, ToolError};
pub use names::{Collision, Identity, NameRules, NameTable};
pub use output::{Content, Output};
pub use permission::{
    AskReason, Decision, Denial, Glob, Grants, Guard, GuardError, Principal, PrincipalName,
    Restriction, ToolPattern, decide,
};
pub use registry::{PlainTools, Registry, ToolSet, Unresolved, UnresolvedKind};
pub use search_tool::ToolSearch;
pub use snapshot::{Entry, Snapshot};
pub use tool::{BoxFuture, Concurrency, Tool};
pub use typed::{FnTool, NoArguments, StructTool, ToolFn, TypedTool, tool};
pub use validate::SchemaFault;
