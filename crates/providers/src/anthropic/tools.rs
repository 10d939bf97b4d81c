//! The list of tools, and what of it may be called.

use std::sync::Arc;

use oncue_agent::conversation::Loaded;
use oncue_agent::{Choice, Disclosure, EncodeError, Loss, Request};
use oncue_tools::Entry;
use serde_json::value::RawValue;

use crate::Names;
use crate::blocks::Block;
use crate::compose::quoted;
use crate::limits::ANTHROPIC_TOOLS_MAX;
use crate::schema::{Dialect, project};

/// The schema of a tool that takes no arguments.
const NOTHING: &str = r#"{"type":"object","properties":{}}"#;

/// The list of tools of one request.
pub(super) struct Tools {
    /// Tools whose definitions the model sees from the start.
    pub(super) shown: Vec<Block>,
    /// How many of them every request of the session has: a mark stands behind these.
    pub(super) inline: usize,
    /// Tools that the model sees once a search refers to them.
    pub(super) deferred: Vec<String>,
}

impl Tools {
    /// Returns the tools of a request, as the disclosure shows them.
    ///
    /// # Errors
    ///
    /// There are more than the vendor takes.
    pub(super) fn of(
        request: &Request<'_>,
        disclosure: Disclosure,
        names: &Names,
        losses: &mut Vec<Loss>,
    ) -> Result<Self, EncodeError> {
        let list = request.tools;
        let mut define =
            |entry: &Arc<Entry>| of_entry(entry, &list.description(entry), names, losses);
        let mut shown: Vec<Block> =
            list.inline.iter().map(|entry| Block::new(define(entry).shown())).collect();
        let inline = shown.len();
        if disclosure == Disclosure::Append {
            shown.extend(list.found.iter().map(|entry| Block::new(define(entry).shown())));
        }
        let mut deferred = Vec::new();
        if are_deferred(request, disclosure) {
            let hidden = list.hidden.iter();
            deferred.extend(hidden.map(|entry| define(entry).deferred()));
        }
        let tools = shown.len() + deferred.len();
        if tools > ANTHROPIC_TOOLS_MAX {
            return Err(EncodeError::TooManyTools { tools, tools_max: ANTHROPIC_TOOLS_MAX });
        }
        Ok(Self { shown, inline, deferred })
    }
}

/// Says whether the hidden tools are in the list.
///
/// The vendor refuses a list in which nothing is shown; without a search tool nothing hidden can be found anyway.
pub(super) fn are_deferred(request: &Request<'_>, disclosure: Disclosure) -> bool {
    disclosure == Disclosure::ByReference && !request.tools.inline.is_empty()
}

/// Returns the definition of a tool of the catalog.
pub(super) fn of_entry(
    entry: &Entry,
    description: &str,
    names: &Names,
    losses: &mut Vec<Loss>,
) -> Definition {
    let parameters = entry.definition().parameters();
    Definition::new(entry.exposed(), description, parameters, names, losses)
}

/// Returns the definition of a tool as a search showed it.
pub(super) fn of_loaded(loaded: &Loaded, names: &Names, losses: &mut Vec<Loss>) -> Definition {
    let parameters = loaded.parameters.as_deref();
    let parameters = parameters.and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
    Definition::new(&loaded.name, &loaded.description, parameters, names, losses)
}

/// The JSON of a tool.
pub(super) struct Definition(String);

impl Definition {
    fn new(
        exposed: &str,
        description: &str,
        parameters: Option<&RawValue>,
        names: &Names,
        losses: &mut Vec<Loss>,
    ) -> Self {
        let projection = project(parameters, Dialect::Anthropic);
        let schema = projection.schema.as_deref().map_or(NOTHING, RawValue::get).to_owned();
        projection.report(exposed, losses);
        let name = quoted(names.wire(exposed));
        let description = match description {
            "" => String::new(),
            text => format!(r#""description":{},"#, quoted(text)),
        };
        Self(format!(r#"{{"name":{name},{description}"input_schema":{schema}}}"#))
    }

    /// Returns the tool as one that the model sees.
    pub(super) fn shown(self) -> String {
        self.0
    }

    /// Returns the tool as one that the model sees once something refers to it.
    fn deferred(mut self) -> String {
        self.0.pop();
        self.0 + r#","defer_loading":true}"#
    }
}

/// Returns what the model may call in this reply; `None` leaves it free.
pub(super) fn choice(choice: &Choice<'_>, names: &Names) -> Option<String> {
    Some(match choice {
        Choice::Free => return None,
        Choice::Nothing => r#"{"type":"none"}"#.to_owned(),
        Choice::Among(tools) => match &**tools {
            [] => r#"{"type":"none"}"#.to_owned(),
            [tool] => format!(r#"{{"type":"tool","name":{}}}"#, quoted(names.wire(tool))),
            _ => r#"{"type":"any"}"#.to_owned(),
        },
    })
}
