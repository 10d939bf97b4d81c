//! An agent can have thousands of tools while its model sees only the few it needs now.
//! The rest come when they are searched for, and are callable on the very next step.
//!
//! ```
//! use std::sync::Arc;
//!
//! use oncue::{Activation, Catalog, Grants, Registry, Requested, Row, Step, Tier, ToolSearch, ToolSet};
//! use oncue::{NoArguments, tool};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), oncue::CatalogError> {
//! // The agent's tools: two that the model sees at once, and one that it has to find.
//! let catalog = Catalog::new();
//! catalog.register(Arc::new(ToolSearch::new()))?;
//! let read = Row::inline("readTable", "Reads rows of a table").with_tier(Tier::Silent);
//! catalog.register(Arc::new(tool(read, async |_, _: NoArguments| Ok("3 rows"))))?;
//! let export = Row::discoverable("startExport", "Writes a table to a file")
//!     .with_keywords(["csv", "download"])
//!     .with_tier(Tier::Silent);
//! catalog.register(Arc::new(tool(export, async |_, _: NoArguments| Ok("table.csv"))))?;
//!
//! // A turn: what the model has found so far, and what its caller may do.
//! let (activation, grants) = (Activation::turn(), Grants::local());
//! let registry = Registry::new(&catalog, &activation, &grants);
//! let list = |registry: &Registry<'_>| -> Vec<String> {
//!     registry.visible().iter().map(|tool| tool.exposed().to_owned()).collect()
//! };
//! assert_eq!(list(&registry), ["ToolSearch", "readTable"]);
//!
//! // First step: the model searches.
//! let search = Requested::new("call_1", "ToolSearch", r#"{"query": "download csv"}"#);
//! Step::new(&registry).run(vec![search]).await;
//! assert_eq!(list(&registry), ["ToolSearch", "readTable", "startExport"]);
//!
//! // Next step: it calls what it has found.
//! let registry = registry.step();
//! let call = Requested::new("call_2", "startExport", "{}");
//! let finished = Step::new(&registry).run(vec![call]).await;
//! assert_eq!(finished[0].outcome.as_ref().unwrap(), &"table.csv".into());
//! # Ok(())
//! # }
//! ```
//!
//! # With and without the loop
//!
//! What is at the top of this crate decides which tools a step shows and walks the calls that come back, for a loop of one's own: it needs no async runtime, reads no clock and opens no connection.
//! `agent` is a loop that is ready to use: turns with limits, approvals that may wait, sub-agents, sessions that are stored, and help for models that would not search by themselves.
//! `providers` has the models.
//!
//! | feature | adds | costs |
//! |---|---|---|
//! | `agent` (default) | the module `agent` | tokio, its timers and tasks |
//! | `providers` | the module `providers` | an HTTP client with TLS |
//! | `embed` | the module `embed`: search by what is meant, in 15 languages, with a model that is installed once | unpacking and mapping of files |
//! | `onnx` | `embed::OnnxEncoder`: any sentence model in ONNX in the place of that one | a runtime for such models and a tokenizer, about 30 crates |
//! | `mcp` | the module `mcp`: the Model Context Protocol in both directions | an HTTP client with TLS, an HTTP server |
//! | `gateway` | the module `gateway`: one endpoint in front of many MCP servers, as `oncue serve` is | the same |
//! | `bedrock` | AWS among the providers | the vendor's libraries for credentials and signatures |
//!
//! # Behind another loop
//!
//! A program on another library keeps its loop and its providers: before each model call it sends what [`Registry`] shows, and runs the calls that come back as a [`Step`].
//! The folder `bridges` of the repository has a whole program for each of the libraries `genai` and `rig`; such a program needs no feature of this crate.
//!
//! # Parts
//!
//! | I have … | I want … | look at |
//! |---|---|---|
//! | a function | it to be a tool | [`tool`], [`TypedTool`], [`Tool`] |
//! | tools | them declared once, in one list | [`Row`], [`rows`] |
//! | many tools | the model to find them | [`Catalog`], [`ToolSearch`], [`Activation`], [`Registry`] |
//! | tools that requests name in other words | them found all the same | [`Embedder`], [`Catalog::embed`], `embed::Models`, `providers::EmbeddingEndpoint` |
//! | few tools | no searching at all | [`PlainTools`] |
//! | calls from a model | their results | [`Step`], [`Requested`], [`Finished`] |
//! | callers | limits on what they may do | [`Grants`], [`decide`], [`Approver`] |
//! | work around each call | one place for it | [`Hook`] |
//! | a model and tools | an agent | `agent::Agent`, `agent::Session` |
//! | MCP servers | one endpoint in front of them | `gateway::serve::Gateway` |
//! | a query that finds the wrong tool | to know why, or another order | [`search`], [`search::Ranker`] |
//!
//! # Limits
//!
//! Every bound has a name and a unit: [`limits`] has those of tools and calls, [`search::limits`] those of searching.
//!
//! # Arguments of one's own type
//!
//! Types of arguments derive `serde::Deserialize` and [`schemars::JsonSchema`].
//! A crate that has `serde` and `schemars` 1 among its dependencies derives as usual; one that wants the re-exported [`schemars`] says so with `#[schemars(crate = "oncue::schemars")]`.

pub mod rows;

#[cfg(feature = "agent")]
pub use oncue_agent as agent;
pub use oncue_decl::{
    Declaration, Exposure, Keywords, Pair, PairRole, Row, Scope, Text, Tier, Visibility,
};
#[cfg(feature = "embed")]
pub use oncue_embed as embed;
#[cfg(feature = "gateway")]
pub use oncue_gateway as gateway;
#[cfg(feature = "mcp")]
pub use oncue_mcp as mcp;
#[cfg(feature = "providers")]
pub use oncue_providers as providers;
pub use oncue_search as search;
pub use oncue_tools::{
    Activation, ActivationRecord, ActivationScope, Approval, Approver, Arguments, ArgumentsFault,
    AskReason, Asking, Before, Blame, BoxFuture, CallContext, CallId, Cancel, Cancellation,
    Cancelled, Catalog, CatalogError, Checked, Chip, Collision, Concurrency, Content, Decision,
    Definition, Denial, Dropped, EmbedError, Embedder, Entry, ErrorKind, Finished, FnTool, Glob,
    Grants, Guard, GuardError, Hook, HookError, Identity, Meter, NameRules, NameTable, NoArguments,
    NoStore, OpenTools, Options, Outcome, Output, Permitted, PlainTools, Principal, PrincipalName,
    Progress, Registry, Report, Requested, Resolved, Restriction, SchemaFault, SetAside, Snapshot,
    Step, StructTool, TellModel, Tool, ToolError, ToolFn, ToolPattern, ToolSearch, ToolSet,
    TypedTool, Unresolved, UnresolvedKind, VectorStore, Verdict, decide, limits, near, propose,
    tool,
};
pub use schemars;
