//! The trait of a tool.

use std::pin::Pin;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use crate::{CallContext, Definition, Output, ToolError};

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

    /// Runs the tool with arguments that already fit its schema.
    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>>;
}

/// The arguments of one call: a JSON object, read and verbatim.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The object.
    pub object: Map<String, Value>,
    /// The text that the model wrote, byte for byte, for tools that pass it on.
    pub raw: Box<RawValue>,
}

impl Default for Arguments {
    /// Returns the empty object.
    fn default() -> Self {
        Self { object: Map::new(), raw: to_raw_value(&Map::new()).unwrap_or_default() }
    }
}
