//! What is known of a tool apart from its code.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::Document;
use serde_json::value::RawValue;

use crate::validate::{Checker, problems};
use crate::{Arguments, SchemaFault, ToolError};

/// A tool's row, schemas and origin, without its code.
///
/// Cheap to clone. It lives in a snapshot of a catalog and never changes.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What search reads: the row and the input schema.
    document: Arc<Document>,
    /// The tool as its upstream wrote it; `None` for tools of the program itself.
    raw: Option<Arc<Written>>,
    /// The name by which models should call the tool, where somebody has chosen one.
    exposed: Option<Arc<str>>,
    /// The compiled input schema, shared by all clones.
    checker: Arc<Checker>,
}

/// A tool as its upstream wrote it. Most of it is the schema, which is not kept twice.
#[derive(Debug)]
enum Written {
    /// What stands before and behind the schema of the document.
    Around(Box<str>, Box<str>),
    /// All of it.
    Whole(Box<RawValue>),
}

impl Definition {
    /// A definition of `row` whose arguments follow the JSON Schema `parameters`.
    #[must_use]
    pub fn new(row: Row, parameters: Option<Box<RawValue>>) -> Self {
        Self {
            document: Arc::new(Document { row, schema: parameters }),
            raw: None,
            exposed: None,
            checker: Arc::default(),
        }
    }

    /// Returns the definition with this row in the place of its own; the schema stays.
    #[must_use]
    pub fn with_row(self, row: Row) -> Self {
        let schema = match Arc::try_unwrap(self.document) {
            Ok(document) => document.schema,
            Err(shared) => shared.schema.clone(),
        };
        Self { document: Arc::new(Document { row, schema }), ..self }
    }

    /// Returns the definition with the tool as its upstream wrote it.
    #[must_use]
    pub fn with_raw(self, raw: &RawValue) -> Self {
        let schema = self.parameters().map(RawValue::get);
        let written = match schema.and_then(|schema| raw.get().split_once(schema)) {
            Some((before, behind)) => Written::Around(before.into(), behind.into()),
            None => Written::Whole(raw.to_owned()),
        };
        Self { raw: Some(Arc::new(written)), ..self }
    }

    /// Returns the definition of a tool that models call by this name, in the place of the one that would be made for it.
    ///
    /// A catalog that does not admit the name makes one as ever, and one in which it is taken sets the tool aside.
    #[must_use]
    pub fn with_exposed(self, name: impl Into<Arc<str>>) -> Self {
        Self { exposed: Some(name.into()), ..self }
    }

    /// Returns the name that was chosen for the tool, if one was.
    pub(crate) fn exposed(&self) -> Option<&Arc<str>> {
        self.exposed.as_ref()
    }

    /// Returns what search reads: the row and the input schema.
    #[must_use]
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// Returns the tool as its upstream wrote it, whole and untouched; `None` for tools of the program itself.
    ///
    /// It is put together anew each time.
    #[must_use]
    pub fn raw(&self) -> Option<Box<RawValue>> {
        match &**self.raw.as_ref()? {
            Written::Whole(raw) => Some(raw.clone()),
            Written::Around(before, behind) => {
                let schema = self.parameters().map_or("", RawValue::get);
                RawValue::from_string([before, schema, behind].concat()).ok()
            }
        }
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

    /// Reads the arguments text of a call and holds it against the schema.
    ///
    /// The schema is compiled at the first call, by its own draft, without fetching anything it refers to.
    ///
    /// # Errors
    ///
    /// Where the text is no object or does not fit; the error names every problem, the shape that is expected and the next call.
    ///
    /// ```
    /// use oncue_decl::Row;
    /// use oncue_tools::Definition;
    /// use serde_json::{json, value::to_raw_value};
    ///
    /// let schema = to_raw_value(&json!({
    ///     "type": "object",
    ///     "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
    ///     "required": ["path"],
    /// }))?;
    /// let tool = Definition::new(Row::inline("read", "Reads a file"), Some(schema));
    /// assert!(tool.read(r#"{"path": "a.txt"}"#).is_ok());
    /// assert_eq!(
    ///     tool.read(r#"{"lines": 3}"#).unwrap_err().to_string(),
    ///     "Arguments of 'read' do not fit: 'path' is missing. Expected {path: string, lines?: integer}. \
    ///      You sent {\"lines\": 3}. Nothing was run; call read again with arguments of that shape."
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn read(&self, text: &str) -> Result<Arguments, ToolError> {
        let arguments = self.parse_as(self.name(), text)?;
        self.check_as(self.name(), &arguments)?;
        Ok(arguments)
    }

    /// Reads the arguments text of a call that knows the tool as `name`.
    pub(crate) fn parse_as(&self, name: &str, text: &str) -> Result<Arguments, ToolError> {
        Arguments::parse(text)
            .map_err(|fault| problems::refusal(name, self.parameters(), text, fault))
    }

    /// Holds the arguments of a call that knows the tool as `name` against the schema.
    pub(crate) fn check_as(&self, name: &str, arguments: &Arguments) -> Result<(), ToolError> {
        self.checker.check(name, self.parameters(), arguments)
    }

    /// Returns the error for arguments that fit the schema but not the tool, and why not.
    pub(crate) fn misfit(&self, arguments: &Arguments, why: &str) -> ToolError {
        let sent = arguments.raw().get();
        problems::refusal(self.name(), self.parameters(), sent, why)
    }

    /// Returns why the schema is not enforced; `None` where it is, or where there is none.
    #[must_use]
    pub fn schema_fault(&self) -> Option<&SchemaFault> {
        self.checker.fault(self.parameters()?)
    }

    /// Returns why the schema is not enforced, once in the life of the definition and its clones.
    pub(crate) fn unreported_fault(&self) -> Option<&SchemaFault> {
        self.checker.unreported_fault(self.parameters()?)
    }

    #[cfg(test)]
    pub(crate) fn compiled(&self) -> Option<&Result<jsonschema::Validator, SchemaFault>> {
        self.parameters().map(|schema| self.checker.compiled(schema))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).expect("JSON")
    }

    #[test]
    fn what_an_upstream_wrote_comes_back_to_the_letter_wherever_its_schema_stands() {
        let check = |text: &str, schema: Option<&str>| {
            let row = || Row::inline("t", "Does");
            let definition = Definition::new(row(), schema.map(raw)).with_raw(&raw(text));
            let again = definition.clone().with_row(row().with_title("T"));
            for definition in [definition, again] {
                assert_eq!(definition.raw().expect("there").get(), text);
                assert_eq!(definition.parameters().map(RawValue::get), schema);
            }
        };
        check(
            r#"{"name":"t","inputSchema":{"type":"object"},"x":1}"#,
            Some(r#"{"type":"object"}"#),
        );
        check(r#"{ "a": {}, "inputSchema" : {} , "b": {}}"#, Some("{}"));
        check(r#"{"name":"t"}"#, None);
        // A schema that is spelled another way than in the definition.
        check(r#"{"name":"t","inputSchema":{"a":1.0}}"#, Some(r#"{"a":1}"#));
        assert!(Definition::new(Row::inline("t", ""), None).raw().is_none());
    }
}
