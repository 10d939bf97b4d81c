//! Catalog, activation, registry, tool search, permission and the path of one call.
//!
//! # Tools that are found
//!
//! An agent may have thousands of tools while the model sees only the few it needs now.
//! Three objects with two lifetimes make that work:
//!
//! | object | holds | lives as long as |
//! |---|---|---|
//! | [`Catalog`] | every tool, inline or discoverable, and the index over them | the agent; shared by all turns |
//! | [`Activation`] | which discoverable tools were found, in order | one turn, one fork or, by choice, one session |
//! | [`Registry`] | nothing: a view over both and the caller's [`Grants`] | one step |
//!
//! [`ToolSearch`] is an ordinary tool.
//! What it returns is active before it returns, and so callable on the very next step; there is no second call to load it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use oncue_decl::Row;
//! use oncue_tools::{
//!     Activation, Arguments, BoxFuture, CallContext, Catalog, Definition, Grants, Output, Registry,
//!     Tool, ToolError, ToolSearch, ToolSet,
//! };
//!
//! struct Export(Definition);
//!
//! impl Tool for Export {
//!     fn definition(&self) -> &Definition {
//!         &self.0
//!     }
//!
//!     fn call<'a>(
//!         &'a self,
//!         _ctx: &'a CallContext<'a>,
//!         _arguments: Arguments,
//!     ) -> BoxFuture<'a, Result<Output, ToolError>> {
//!         Box::pin(async { Ok(Output::from("rows.csv")) })
//!     }
//! }
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let row = Row::discoverable("startExport", "Writes a table to a file").with_keywords(["csv"]);
//! let catalog = Catalog::new();
//! catalog.register(Arc::new(ToolSearch::new()))?;
//! catalog.register(Arc::new(Export(Definition::new(row, None))))?;
//!
//! let (activation, grants) = (Activation::turn(), Grants::all());
//! catalog.check(&grants)?;
//! let step = Registry::new(&catalog, &activation, &grants);
//! assert!(step.resolve("startExport").is_err());
//!
//! let search = step.resolve("ToolSearch")?;
//! let ctx = CallContext::new(&grants).with_registry(&step);
//! search.tool().call(&ctx, Arguments::parse(r#"{"query": "csv"}"#)?).await?;
//!
//! let next = step.step();
//! assert_eq!(next.visible().len(), 2);
//! assert!(next.resolve("startExport").is_ok());
//! # Ok(())
//! # }
//! # let mut future = std::pin::pin!(run());
//! # let mut waits = std::task::Context::from_waker(std::task::Waker::noop());
//! # assert!(matches!(future.as_mut().poll(&mut waits), std::task::Poll::Ready(Ok(()))));
//! ```
//!
//! What always holds:
//!
//! - A reader works on one [`Snapshot`] and sees nothing move; writers never make it wait.
//! - What a search returns is callable, and what is callable is permitted; a tool that the caller may not know of looks like one that does not exist.
//! - The list of a step is a function of the snapshot, the activation and the grants. It grows at its end, so that what a vendor has cached of it stays good.
//! - A name that leads nowhere is answered with the call that recovers ([`Unresolved`]), never with a guess.
//!
//! An assembly without search gives [`PlainTools`] in the place of a [`Registry`] and sees nothing of the above.
//!
//! | module | holds |
//! |---|---|
//! | `catalog` | [`Catalog`], what it refuses ([`CatalogError`]), the tools of one source |
//! | `snapshot` | [`Snapshot`], its [`Entry`]s and the pure questions to it |
//! | `activation`, `meter` | [`Activation`] and its scopes; what a turn has used ([`Meter`]) |
//! | `registry` | [`Registry`], [`ToolSet`], [`PlainTools`], [`Unresolved`] |
//! | `search_tool` | [`ToolSearch`]: find, load, answer |
//! | `call` | the path of one call as states ([`Requested`] to [`Finished`]), [`Hook`]s, and all calls of a [`Step`] |
//! | `permission` | [`Grants`] and [`decide`] |
//! | `arguments`, `validate` | reading [`Arguments`] and holding them against a schema |
//! | `tool`, `definition`, `typed` | [`Tool`], its [`Definition`], and writing one as a closure ([`tool`]) or struct ([`TypedTool`]) |
//! | `context`, `cancel`, `output`, `error` | what a call runs in, what ends it, what it gives: [`CallContext`], [`Cancel`], [`Output`], [`ToolError`] |
//! | [`ingest`] | reading catalog files, tool by tool |
//! | `embedder`, `tuning` | what tells what texts mean: [`Embedder`]; what requests have taught of tools: [`Tuning`] |
//! | `names` | [`Identity`] and the names that stand for it outside: [`NameRules`], [`NameTable`]; [`near`] ones |
//! | [`limits`] | every bound, with its unit |

mod activation;
mod arguments;
mod call;
mod cancel;
mod catalog;
mod context;
mod definition;
mod embedder;
mod error;
mod excerpt;
pub mod ingest;
pub mod limits;
mod meter;
mod names;
mod output;
mod permission;
mod propose;
mod registry;
mod search_tool;
mod snapshot;
mod tool;
mod tuning;
mod typed;
mod validate;

pub use activation::{Activated, Activation, ActivationRecord, ActivationScope, Dropped};
pub use arguments::{Arguments, ArgumentsFault};
pub use call::{
    Approval, Approver, Asking, Before, Checked, Finished, Hook, HookError, Outcome, Panic,
    Permitted, Requested, Resolved, Step, Verdict, caught,
};
pub use cancel::{Cancel, Cancellation, Cancelled};
pub use catalog::{
    Catalog, CatalogError, Indexing, NoStore, Options, SetAside, VectorStore, vectors_of,
};
pub use context::{CallContext, CallId, Progress, Report};
pub use definition::Definition;
pub use embedder::{EmbedError, Embedder, meaning, meaning_now};
pub use error::{Blame, ErrorKind, TellModel, ToolError};
pub use meter::Meter;
pub use names::{Collision, Identity, NameRules, NameTable, near};
pub use output::{Content, Output};
pub use permission::{
    AskReason, Decision, Denial, Glob, Grants, Guard, GuardError, Principal, PrincipalName,
    Restriction, ToolPattern, decide,
};
pub use propose::{Chip, propose};
pub use registry::{Found, OpenTools, PlainTools, Registry, ToolSet, Unresolved, UnresolvedKind};
pub use search_tool::ToolSearch;
pub use snapshot::{Entry, Snapshot};
pub use tool::{BoxFuture, Concurrency, Tool};
pub use tuning::{Lesson, Tuning};
pub use typed::{FnTool, NoArguments, StructTool, ToolFn, TypedTool, tool};
pub use validate::SchemaFault;
