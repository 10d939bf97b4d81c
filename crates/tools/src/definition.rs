//! What is known of a tool apart from its code.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::Document;
use serde_json::value::RawValue;

/// A tool's row, schemas and origin, without its code.
///
/// Cheap to clone. It lives in a snapshot of a catalog and never changes.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What search reads: the row and the input schema.
    pub document: Arc<Document>,
    /// The tool as its upstream wrote it, whole and untouched; `None` for tools of the program itself.
    pub raw: Option<Arc<RawValue>>,
}

impl Definition {
    /// A definition of `row` whose arguments follow the JSON Schema `parameters`.
    #[must_use]
    pub fn new(row: Row, parameters: Option<Box<RawValue>>) -> Self {
        Self { document: Arc::new(Document { row, schema: parameters }), raw: None }
    }

    /// Returns the tool's row.
    #[must_use]
    pub fn row(&self) -> &Row {
        &self.document.row
    }

    /// Returns the name by which the tool is called.
    #[must_use]
    pub fn name(&self) -> &str {
        self.document.row.name()
    }

    /// Returns the JSON Schema of the arguments, untouched.
    #[must_use]
    pub fn parameters(&self) -> Option<&RawValue> {
        self.document.schema.as_deref()
    }
}
