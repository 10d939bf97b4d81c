//! Holding the arguments of a call against the tool's own schema.
//!
//! A schema is compiled at the first call of its tool and kept with the tool's definition, for as long as that lives.

mod bounds;
pub(crate) mod problems;
mod shape;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::limits::{PATTERN_BYTES_MAX, SCHEMA_BYTES_MAX};
use crate::{Arguments, ToolError};

/// Why a schema cannot be enforced. Arguments of its tool pass unchecked, and the operator is told once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaFault {
    /// The schema is too long.
    #[error("the schema is {bytes} bytes long, and at most {SCHEMA_BYTES_MAX} are read")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The schema nests too deep or refers to itself without end at one place.
    #[error("the schema {0}")]
    Unbounded(&'static str),
    /// The schema refers to something outside of itself, which is never fetched.
    #[error("the schema refers to `{0}`, which is not in it and is never fetched")]
    Outside(String),
    /// The schema is no JSON Schema of its draft, or uses what the engine does not do.
    #[error("the schema does not compile: {0}")]
    Invalid(String),
}

/// The compiled schema of one tool; made at its first use, lives with the tool's definition.
#[derive(Default)]
pub(crate) struct Checker {
    compiled: OnceLock<Result<Validator, SchemaFault>>,
    reported: AtomicBool,
}

impl Checker {
    /// Checks arguments for the tool `name`.
    pub(crate) fn check(
        &self,
        name: &str,
        schema: Option<&RawValue>,
        arguments: &Arguments,
    ) -> Result<(), ToolError> {
        let Some(Ok(validator)) = schema.map(|schema| self.compiled(schema)) else { return Ok(()) };
        let instance = Value::Object(arguments.object().clone());
        if validator.is_valid(&instance) {
            return Ok(());
        }
        let problems = problems::listed(validator.iter_errors(&instance));
        Err(problems::refusal(name, schema, arguments.raw().get(), problems))
    }

    /// Returns why the schema is not enforced; `None` where it is.
    pub(crate) fn fault(&self, schema: &RawValue) -> Option<&SchemaFault> {
        self.compiled(schema).as_ref().err()
    }

    /// Returns why the schema is not enforced, the first time that this is asked of it.
    pub(crate) fn unreported_fault(&self, schema: &RawValue) -> Option<&SchemaFault> {
        self.fault(schema).filter(|_| !self.reported.swap(true, Ordering::Relaxed))
    }

    pub(crate) fn compiled(&self, schema: &RawValue) -> &Result<Validator, SchemaFault> {
        self.compiled.get_or_init(|| compile(schema.get()))
    }
}

impl fmt::Debug for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.compiled.get() {
            None => "not compiled yet",
            Some(Ok(_)) => "enforced",
            Some(Err(_)) => "not enforced",
        };
        write!(f, "Checker({state})")
    }
}

fn compile(text: &str) -> Result<Validator, SchemaFault> {
    if text.len() > SCHEMA_BYTES_MAX {
        return Err(SchemaFault::TooLong { bytes: text.len() });
    }
    let mut schema: Value =
        serde_json::from_str(text).map_err(|error| SchemaFault::Invalid(error.to_string()))?;
    let draft = draft(&schema);
    if let Some(object) = schema.as_object_mut() {
        // The draft is chosen above; an unknown name here must not void the whole schema.
        object.shift_remove("$schema");
    }
    bounds::check(&schema)?;
    jsonschema::options()
        .offline()
        .with_draft(draft)
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_BYTES_MAX))
        // A format is a remark unless a schema's vocabulary says otherwise, and upstreams use it as one.
        .should_validate_formats(false)
        .build(&schema)
        .map_err(|error| SchemaFault::Invalid(error.to_string()))
}

/// Returns the draft that `$schema` names, 2020-12 where it names none that is known.
fn draft(schema: &Value) -> Draft {
    let named = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
    let path = named.trim_end_matches('#').rsplit_once("json-schema.org/").map(|(_, path)| path);
    match path {
        Some("draft-04/schema") => Draft::Draft4,
        Some("draft-06/schema") => Draft::Draft6,
        Some("draft-07/schema") => Draft::Draft7,
        Some("draft/2019-09/schema") => Draft::Draft201909,
        _ => Draft::Draft202012,
    }
}
