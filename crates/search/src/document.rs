//! A tool as search reads it: its row and its parameters.

use oncue_decl::Row;
use serde_json::value::RawValue;

/// One tool's row and input schema.
///
/// It is shared by reference between a catalog and the index over it, never copied.
/// The schema stays the raw JSON text that its author wrote, so that a model and an upstream see exactly that.
#[derive(Clone, Debug)]
pub struct Document {
    /// The identity of the tool. For a tool of an upstream the name is the upstream's own.
    pub row: Row,
    /// The JSON Schema of its arguments, untouched; `None` where the tool declares none.
    pub schema: Option<Box<RawValue>>,
}

impl Document {
    /// A document of `row` without parameters.
    #[must_use]
    pub fn new(row: Row) -> Self {
        Self { row, schema: None }
    }

    /// Returns the document with the JSON Schema of its arguments.
    #[must_use]
    pub fn with_schema(self, schema: Box<RawValue>) -> Self {
        Self { schema: Some(schema), ..self }
    }
}
