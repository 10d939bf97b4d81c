//! Writing a tool: from an async closure or from a struct, with arguments of one's own type.

mod closure;
mod schema;
mod structure;

#[cfg(test)]
mod tests;

pub use closure::{FnTool, ToolFn, tool};
pub use structure::{StructTool, TypedTool};

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Arguments, Definition, ToolError};

/// The arguments of a tool that takes none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}

/// Reads arguments that already fit the schema as the tool's own type.
///
/// A type may be pickier than its schema, so this can fail still.
fn read<A: DeserializeOwned>(
    definition: &Definition,
    arguments: &Arguments,
) -> Result<A, ToolError> {
    arguments
        .read()
        .map_err(|error| definition.misfit(arguments, &error.to_string()).with_cause(error))
}
