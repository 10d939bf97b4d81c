//! The search tool: an ordinary tool that finds others and makes them callable.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`ToolSearch`]: row, schema, the order of the checks |
//! | `find` | what a query finds in a registry; pure |
//! | `load` | the one place that activates |
//! | `answer` | the JSON that the model reads |

mod answer;
pub(crate) mod find;
mod load;

use oncue_decl::{Exposure, Row, Text, Tier};
use oncue_search::Asked;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::limits::{
    QUERY_BYTES_MAX, RESULTS_DEFAULT, RESULTS_MAX, RESULTS_MIN, SEARCHES_PER_TURN_MAX,
};
use crate::{
    Arguments, BoxFuture, CallContext, Concurrency, Definition, ErrorKind, Output, ToolError,
};

/// The name of the search tool unless told otherwise.
const NAME: &str = "ToolSearch";

/// What the model reads about the search tool.
const DESCRIPTION: &str = "Finds tools that are not in your list and makes them callable from the next step on. Search when no listed tool does what is needed. Query with words for the action and the thing ('export csv'), with 'select:NAME,NAME' for exact names, or with '+word more words' for tools whose name contains word.";

/// What the model may send.
const PARAMETERS: &str = r#"{"type":"object","properties":{"query":{"type":"string","description":"Words for the action and the thing, or 'select:NAME,NAME', or '+word more words'"},"max_results":{"type":"number","description":"Most tools to return, 1 to 20","default":5}},"required":["query"],"additionalProperties":false}"#;

/// The tool by which a model finds the others.
///
/// What it returns is callable on the very next step: searching is loading.
/// It knows no catalog; what it searches comes with the context of each call.
///
/// ```
/// use oncue_tools::{Tool, ToolSearch};
///
/// let search = ToolSearch::named("searchTools").with_budget(5);
/// assert_eq!(search.definition().name(), "searchTools");
/// assert!(search.definition().row().is_inline());
/// ```
#[derive(Clone, Debug)]
pub struct ToolSearch {
    definition: Definition,
    /// How many searches a turn may make, its forks included.
    budget: u32,
    /// Whether a search that was made before in the turn is answered by names alone.
    is_short_on_repeats: bool,
}

impl ToolSearch {
    /// The search tool under its usual name, `ToolSearch`.
    #[must_use]
    pub fn new() -> Self {
        Self::named(NAME)
    }

    /// The search tool under another name.
    #[must_use]
    pub fn named(name: impl Into<Text>) -> Self {
        // The text is a constant of this file, and a test reads it.
        let parameters = RawValue::from_string(PARAMETERS.to_owned()).ok();
        Self {
            definition: Definition::new(Self::row(name), parameters),
            budget: SEARCHES_PER_TURN_MAX,
            is_short_on_repeats: false,
        }
    }

    /// Returns the search tool with another number of searches that a turn may make.
    #[must_use]
    pub fn with_budget(self, searches_per_turn: u32) -> Self {
        Self { budget: searches_per_turn, ..self }
    }

    /// Returns the search tool as one that answers a search that was made before in the turn by the names of what is loaded and the call to make.
    ///
    /// Weak models repeat a search that has succeeded; reading the same schemas again, they repeat it once more.
    #[must_use]
    pub fn with_short_repeats(self) -> Self {
        Self { is_short_on_repeats: true, ..self }
    }

    /// Returns the row of a search tool of this name: always inline, always part of the loop, and open to clients that may read, since it shows nobody more than they may see.
    #[must_use]
    pub fn row(name: impl Into<Text>) -> Row {
        Row::inline(name, DESCRIPTION).with_tier(Tier::Loop).with_exposure(Exposure::ReadOnly)
    }

    async fn search(
        &self,
        ctx: &CallContext<'_>,
        arguments: &Arguments,
    ) -> Result<Output, ToolError> {
        let query = query_of(arguments.object())?;
        let registry = ctx.registry().ok_or_else(|| {
            ToolError::of(ErrorKind::Assembly, "ToolSearchRegistry not available in tool context")
        })?;
        let activation = registry.activation();
        if !activation.meter().count_search(self.budget) {
            return Err(ToolError::of(ErrorKind::Budget, exhausted(self.budget)));
        }
        let is_repeated = self.is_short_on_repeats && activation.has_asked(query);
        let meaning = registry.meaning(query).await;
        let asked = Asked::from(query).meaning(meaning.as_ref());
        let loaded = load::load(registry, asked, results_max(arguments.object()));
        // In the catalog its exposed name is what the model must call.
        let name = registry.search_tool().map_or(self.definition.name(), |tool| tool.exposed());
        let json = match is_repeated {
            true => answer::repeated(&loaded),
            false => answer::json(name, &loaded),
        };
        let loaded = loaded.found.iter().map(|entry| entry.identity().clone());
        Ok(Output::from(json).loading(loaded.collect()))
    }
}

impl Default for ToolSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl crate::Tool for ToolSearch {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Alone, so that what it activates is there for its siblings.
    fn concurrency(&self) -> Concurrency {
        Concurrency::Sequential
    }

    /// A query that is missing or blank has its own text, whatever the schema would say.
    fn objection(&self, arguments: &Arguments) -> Option<ToolError> {
        query_of(arguments.object()).err()
    }

    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { self.search(ctx, &arguments).await })
    }
}

fn query_of(arguments: &Map<String, Value>) -> Result<&str, ToolError> {
    let query = arguments.get("query").and_then(Value::as_str).unwrap_or_default();
    if query.trim().is_empty() {
        return Err(ToolError::of(ErrorKind::Arguments, "Query cannot be empty"));
    }
    if query.len() > QUERY_BYTES_MAX {
        let bytes = query.len();
        return Err(ToolError::of(
            ErrorKind::Arguments,
            format!(
                "Query is {bytes} bytes long, at most {QUERY_BYTES_MAX} are read. Search again with a few words for the action and the thing"
            ),
        ));
    }
    Ok(query)
}

/// Returns how many results are wanted; out of range is brought into range, not refused.
fn results_max(arguments: &Map<String, Value>) -> usize {
    match arguments.get("max_results").and_then(Value::as_f64) {
        Some(wanted) => wanted.clamp(RESULTS_MIN as f64, RESULTS_MAX as f64) as usize,
        None => RESULTS_DEFAULT,
    }
}

fn exhausted(budget: u32) -> String {
    format!(r#"{{"error":"search-budget-exhausted","budgetCap":{budget}}}"#)
}
