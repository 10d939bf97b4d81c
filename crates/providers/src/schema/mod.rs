//! From the JSON Schema that a tool declares to the one that a vendor accepts, with a report of what the vendor cannot be told.
//!
//! [`project`] is pure and its output is a function of its input, byte for byte, so that what a vendor has cached stays good.
//! A schema that the vendor takes as it is passes through untouched.
//! Wherever the model is told less than the schema says, or something else, there is a [`Loss`] with a JSON pointer into the schema; where its root had to be put together from several, into the whole.
//! Calls are held against the schema itself later on, so a loss costs a repeated call and lets nothing through.
//!
//! | file | holds |
//! |---|---|
//! | `root` | the outermost schema, which every vendor wants to be an object |
//! | `walk` | every schema within a schema |
//! | `strict` | the subset in which a vendor guarantees that arguments fit |
//! | `inline` | the subset without references of older endpoints |
//! | `kind` | what a value may be there |
//! | `flat` | one schema and everything it takes over from others |
//! | `pointer` | places in a schema, and the report |

mod flat;
mod inline;
mod kind;
mod pointer;
mod root;
mod strict;
mod walk;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use oncue_agent::Loss;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use crate::limits::SCHEMA_BYTES_MAX;
use pointer::{Pointer, Report};

/// Which schemas a vendor accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// JSON Schema whose root is an object without alternatives, and whose parameters have plain names.
    Anthropic,
    /// The same.
    Bedrock,
    /// JSON Schema whose root is an object without alternatives, and whose lists say what they hold.
    OpenAi,
    /// The subset in which OpenAI guarantees that arguments fit, or `OpenAi` where a schema cannot be put so.
    ///
    /// Every property is required there; what was optional may be null, and comes back as null where the model leaves it out.
    OpenAiStrict,
    /// JSON Schema in Gemini's `parametersJsonSchema`.
    GeminiJson,
    /// The `Schema` of older Gemini endpoints: no references, no `allOf`, fixed values are texts.
    GeminiSchema,
}

/// A schema as a vendor accepts it.
#[derive(Clone, Debug)]
pub struct Projection<'s> {
    /// The schema; `None` where the vendor wants none for a tool without arguments.
    pub schema: Option<Cow<'s, RawValue>>,
    /// Whether it is in the strict subset.
    pub is_strict: bool,
    /// Whether something optional may be null in it although the tool's schema does not say so.
    pub adds_null: bool,
    /// What it does not say although the tool's schema does; the places are JSON pointers into that.
    pub losses: Vec<Loss>,
}

/// Returns `schema` as a vendor accepts it.
///
/// ```
/// use oncue_providers::schema::{Dialect, project};
/// use serde_json::{json, value::to_raw_value};
///
/// let schema = to_raw_value(&json!({"type": "object", "properties": {"path": {"type": "string"}}}))?;
/// let same = project(Some(&schema), Dialect::OpenAi);
/// assert_eq!(same.schema.unwrap().get(), schema.get());
/// assert_eq!(same.losses, []);
///
/// let either = to_raw_value(&json!({
///     "type": "object",
///     "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
///     "oneOf": [{"required": ["id"]}, {"required": ["name"]}],
/// }))?;
/// let loose = project(Some(&either), Dialect::OpenAi);
/// assert_eq!(loose.losses[0].place, "/oneOf");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn project(schema: Option<&RawValue>, dialect: Dialect) -> Projection<'_> {
    let mut report = Report::default();
    let Some(raw) = schema else {
        return Projection::made(no_arguments(dialect), false, report);
    };
    let fits = root::is_object(raw, dialect);
    let untouched = |report: Report| Projection {
        schema: Some(Cow::Borrowed(raw)),
        is_strict: false,
        adds_null: false,
        losses: report.into_losses(),
    };
    if fits && reads_the_root_only(dialect) {
        return untouched(report);
    }
    let Some(value) = read(raw) else {
        report.lose(&Pointer::root(), "the schema, which cannot be read");
        return Projection::made(no_arguments(dialect), false, report);
    };
    let mut whole = if fits { value } else { root::object(&value, dialect, &mut report) };
    if dialect == Dialect::OpenAiStrict
        && let Some(strict) = strict::strict(&whole, &mut report)
    {
        let made = Projection::made(Some(strict.schema), true, report);
        return Projection { adds_null: strict.adds_null, ..made };
    }
    if dialect == Dialect::GeminiSchema {
        let inlined = inline::inline(&whole, &mut report);
        let is_short =
            inlined.as_ref().is_none_or(|value| value.to_string().len() <= SCHEMA_BYTES_MAX);
        if !is_short {
            report.lose(&Pointer::root(), "the parameters, which are too long without references");
        }
        return Projection::made(inlined.filter(|_| is_short), false, report);
    }
    let is_filled = !reads_the_root_only(dialect) && walk::fill_items(&mut whole);
    if fits && !is_filled {
        return untouched(report);
    }
    Projection::made(Some(whole), false, report)
}

/// Says whether a vendor takes anything within the outermost schema.
fn reads_the_root_only(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Anthropic | Dialect::Bedrock | Dialect::GeminiJson => true,
        Dialect::OpenAi | Dialect::OpenAiStrict | Dialect::GeminiSchema => false,
    }
}

/// Returns the value of a schema, if it is short enough and its numbers can be held.
fn read(raw: &RawValue) -> Option<Value> {
    if raw.get().len() > SCHEMA_BYTES_MAX {
        return None;
    }
    serde_json::from_str(raw.get()).ok()
}

/// Returns the schema of a tool without arguments.
fn no_arguments(dialect: Dialect) -> Option<Value> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), Value::from("object"));
    schema.insert("properties".to_owned(), Value::Object(Map::new()));
    (dialect != Dialect::GeminiSchema).then_some(Value::Object(schema))
}

impl Projection<'_> {
    fn made(schema: Option<Value>, is_strict: bool, report: Report) -> Self {
        // Values print as JSON, whatever they hold.
        let schema = schema.and_then(|schema| to_raw_value(&schema).ok()).map(Cow::Owned);
        Self { schema, is_strict, adds_null: false, losses: report.into_losses() }
    }

    /// Adds what the schema of `tool` lost to the losses of a request.
    pub(crate) fn report(&self, tool: &str, losses: &mut Vec<Loss>) {
        losses.extend(self.losses.iter().map(|loss| Loss {
            place: format!("{tool}: {}", loss.place),
            what: loss.what.clone(),
        }));
    }
}
