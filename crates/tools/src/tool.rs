//! The trait of a tool.

use std::pin::Pin;

use crate::{Arguments, CallContext, Definition, Output, ToolError};

/// A future on the heap, as dynamic tools return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How a call behaves beside other calls of the same step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Concurrency {
    /// Runs alone, in call order.
    #[default]
    Sequential,
    /// May run beside other parallel calls.
    Parallel,
}

/// Something that can be called.
pub trait Tool: Send + Sync {
    /// Returns the tool's row and schemas; the same value for the tool's whole life.
    fn definition(&self) -> &Definition;

    /// Returns how a call behaves beside other calls of the same step.
    fn concurrency(&self) -> Concurrency {
        Concurrency::Sequential
    }

    /// Returns what the tool has against these arguments, in its own words; heard before the schema is.
    fn objection(&self, arguments: &Arguments) -> Option<ToolError> {
        let _ = arguments;
        None
    }

    /// Runs the tool with arguments that already fit its schema.
    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>>;
}
