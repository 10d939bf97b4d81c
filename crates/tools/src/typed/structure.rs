//! A tool from a struct.

use oncue_decl::Row;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{read, schema};
use crate::{Arguments, BoxFuture, CallContext, Concurrency, Definition, Output, Tool, ToolError};

/// A tool as a struct that holds what it works on, with arguments of a type of its own.
///
/// ```
/// use oncue_decl::Row;
/// use oncue_tools::{CallContext, Output, Tool, ToolError, TypedTool};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// struct Greeter {
///     greeting: String,
/// }
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Greet {
///     /// Whom to greet.
///     name: String,
/// }
///
/// impl TypedTool for Greeter {
///     type Args = Greet;
///
///     fn row(&self) -> Row {
///         Row::inline("greet", "Greets somebody")
///     }
///
///     async fn call(&self, _: &CallContext<'_>, args: Greet) -> Result<Output, ToolError> {
///         Ok(format!("{} {}", self.greeting, args.name).into())
///     }
/// }
///
/// let tool = Greeter { greeting: "hello".into() }.into_tool();
/// assert_eq!(tool.definition().name(), "greet");
/// ```
pub trait TypedTool: Send + Sync + Sized {
    /// The arguments; their schema is derived from the type.
    type Args: DeserializeOwned + JsonSchema + Send;

    /// Returns the row of the tool.
    fn row(&self) -> Row;

    /// Returns how a call behaves beside other calls of the same step.
    fn concurrency(&self) -> Concurrency {
        Concurrency::Sequential
    }

    /// Runs the tool.
    fn call(
        &self,
        ctx: &CallContext<'_>,
        args: Self::Args,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send;

    /// Returns the struct as a [`Tool`].
    fn into_tool(self) -> StructTool<Self> {
        StructTool { definition: schema::define::<Self::Args>(self.row()), inner: self }
    }
}

/// A tool made by [`TypedTool::into_tool`].
#[derive(Debug)]
pub struct StructTool<T> {
    definition: Definition,
    inner: T,
}

impl<T> StructTool<T> {
    /// Returns the struct.
    pub fn inner(&self) -> &T {
        &self.inner
    }
}

impl<T: TypedTool> Tool for StructTool<T> {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn concurrency(&self) -> Concurrency {
        self.inner.concurrency()
    }

    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        match read(&self.definition, &arguments) {
            Ok(arguments) => Box::pin(self.inner.call(ctx, arguments)),
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }
    }
}
