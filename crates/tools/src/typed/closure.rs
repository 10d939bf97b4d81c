//! A tool from an async closure or an async function.

use std::marker::PhantomData;

use oncue_decl::Row;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{read, schema};
use crate::{Arguments, BoxFuture, CallContext, Concurrency, Definition, Output, Tool, ToolError};

/// The code of a tool: an async closure or function over the context and arguments of type `A`.
///
/// It is implemented for everything that can be, and only spells out that the closure's future can move between threads.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the code of a tool",
    note = "write `async |ctx: &CallContext<'_>, args: {A}| Ok(…)`; what it captures must be `Clone`, what it holds while it waits must be `Send`, and what it gives must turn into an `Output`"
)]
pub trait ToolFn<'a, A>: FnOnce(&'a CallContext<'a>, A) -> Self::Running {
    /// What it gives back.
    type Answer: Into<Output>;
    /// The future of a call.
    type Running: Future<Output = Result<Self::Answer, ToolError>> + Send + 'a;
}

impl<'a, A, F, R, O> ToolFn<'a, A> for F
where
    F: FnOnce(&'a CallContext<'a>, A) -> R,
    R: Future<Output = Result<O, ToolError>> + Send + 'a,
    O: Into<Output>,
{
    type Answer = O;
    type Running = R;
}

/// Returns a tool of this row that runs `code`; the schema of its arguments is that of the type `A`.
///
/// What the closure captures is cloned for each call, so share it behind an [`Arc`](std::sync::Arc).
/// Calls run one after the other unless [`FnTool::parallel`] says otherwise.
///
/// ```
/// use oncue_decl::{Row, Tier};
/// use oncue_tools::{Tool, tool};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Sum {
///     /// The numbers to add.
///     numbers: Vec<i64>,
/// }
///
/// let row = Row::inline("sum", "Adds numbers").with_tier(Tier::Silent);
/// let sum = tool(row, async |_, sum: Sum| Ok(sum.numbers.iter().sum::<i64>().to_string()));
/// assert_eq!(
///     sum.definition().parameters().unwrap().get(),
///     r#"{"type":"object","properties":{"numbers":{"description":"The numbers to add.","type":"array","items":{"type":"integer","format":"int64"}}},"additionalProperties":false,"required":["numbers"]}"#
/// );
/// ```
#[must_use]
pub fn tool<A, O, F>(row: Row, code: F) -> FnTool<A, F>
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    O: Into<Output>,
    // The first bound lets the compiler find the closure's types, the second one adds `Send`.
    F: AsyncFn(&CallContext<'_>, A) -> Result<O, ToolError>,
    F: for<'a> ToolFn<'a, A> + Clone + Send + Sync + 'static,
{
    FnTool {
        definition: schema::define::<A>(row),
        concurrency: Concurrency::Sequential,
        code,
        arguments: PhantomData,
    }
}

/// A tool made by [`tool`].
pub struct FnTool<A, F> {
    definition: Definition,
    concurrency: Concurrency,
    code: F,
    arguments: PhantomData<fn(A)>,
}

impl<A, F> FnTool<A, F> {
    /// Returns the tool as one whose calls may overlap with others of the same step.
    #[must_use]
    pub fn parallel(self) -> Self {
        Self { concurrency: Concurrency::Parallel, ..self }
    }
}

impl<A, F> Tool for FnTool<A, F>
where
    A: DeserializeOwned + Send + 'static,
    F: for<'a> ToolFn<'a, A> + Clone + Send + Sync + 'static,
{
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn concurrency(&self) -> Concurrency {
        self.concurrency
    }

    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        match read(&self.definition, &arguments) {
            Ok(arguments) => {
                let running = self.code.clone()(ctx, arguments);
                Box::pin(async move { running.await.map(Into::into) })
            }
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }
    }
}
