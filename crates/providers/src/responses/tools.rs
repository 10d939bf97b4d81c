//! The list of tools, definitions that searches showed, and what may be called.

use std::sync::Arc;

use oncue_agent::conversation::Loaded;
use oncue_agent::{Choice, Disclosure, EncodeError, Loss, Request};
use oncue_tools::Entry;
use serde_json::value::RawValue;

use crate::Names;
use crate::blocks::Block;
use crate::compose::quoted;
use crate::endpoint::Endpoint;
use crate::limits::OPENAI_TOOLS_MAX;
use crate::schema::{Dialect, project};

/// What says that a tool became visible through a search.
const DEFERRED: &str = r#","defer_loading":true"#;

/// Writes definitions.
pub(super) struct Writer<'r> {
    pub(super) endpoint: &'r Endpoint,
    pub(super) names: &'r Names,
}

impl Writer<'_> {
    /// Returns the tools of a request, as the disclosure shows them.
    ///
    /// # Errors
    ///
    /// There are more than the endpoint takes, or it has no form for the disclosure.
    pub(super) fn tools(
        &self,
        request: &Request<'_>,
        losses: &mut Vec<Loss>,
    ) -> Result<Vec<Block>, EncodeError> {
        let list = request.tools;
        let further: Vec<&Arc<Entry>> = match self.endpoint.disclosure {
            Disclosure::Append => list.found.iter().collect(),
            Disclosure::Mask => list.hidden.iter().collect(),
            Disclosure::ClientSearch => Vec::new(),
            Disclosure::ByReference | Disclosure::ByValue => {
                return Err(EncodeError::Unsupported(
                    "Responses has no form for this disclosure: use client-search, mask or append"
                        .to_owned(),
                ));
            }
        };
        let search = search_of(request, self.endpoint.disclosure);
        let count = list.inline.len() + further.len();
        if self.endpoint.is_openai() && count > OPENAI_TOOLS_MAX {
            return Err(EncodeError::TooManyTools { tools: count, tools_max: OPENAI_TOOLS_MAX });
        }
        let is_search = |entry: &&Arc<Entry>| search.is_some_and(|known| Arc::ptr_eq(known, entry));
        let functions = list.inline.iter().filter(|entry| !is_search(entry)).chain(further);
        let functions = functions.map(|entry| {
            let parameters = entry.definition().parameters();
            let description = list.description(entry);
            self.function(entry.exposed(), &description, parameters, "", losses)
        });
        let mut tools: Vec<Block> = functions.map(Block::new).collect();
        if let Some(search) = search {
            tools.push(Block::new(of_search(search, &list.description(search), losses)));
        }
        Ok(tools)
    }

    /// Returns the definition of a tool as a search showed it.
    pub(super) fn loaded(&self, loaded: &Loaded, losses: &mut Vec<Loss>) -> String {
        let parameters =
            loaded.parameters.clone().and_then(|text| RawValue::from_string(text).ok());
        self.function(&loaded.name, &loaded.description, parameters.as_deref(), DEFERRED, losses)
    }

    fn function(
        &self,
        exposed: &str,
        description: &str,
        parameters: Option<&RawValue>,
        more: &str,
        losses: &mut Vec<Loss>,
    ) -> String {
        let name = quoted(self.names.wire(exposed));
        let description = match description {
            "" => String::new(),
            text => format!(r#","description":{}"#, quoted(text)),
        };
        let wants_strict = self.endpoint.has_strict_tools;
        let strict = wants_strict.then(|| project(parameters, Dialect::OpenAiStrict));
        // Where something optional would come back as null, the tool's own schema would refuse it.
        let strict = strict.filter(|projection| projection.is_strict && !projection.adds_null);
        // Unless it is told otherwise the vendor reads schemas strictly where it can, nulls included.
        let is_strict = strict.is_some();
        let projection = strict.unwrap_or_else(|| project(parameters, Dialect::OpenAi));
        let parameters = projection.schema.as_ref().map_or("{}", |schema| schema.get());
        projection.report(exposed, losses);
        format!(
            r#"{{"type":"function","name":{name}{description},"parameters":{parameters},"strict":{is_strict}{more}}}"#
        )
    }

    /// Returns what the model may call in this reply; `None` leaves it free.
    ///
    /// # Errors
    ///
    /// The endpoint cannot be held to these tools.
    pub(super) fn choice(&self, request: &Request<'_>) -> Result<Option<String>, EncodeError> {
        let (list, disclosure) = (request.tools, self.endpoint.disclosure);
        let is_masked = disclosure == Disclosure::Mask && list.hidden.iter().next().is_some();
        let tools = match &request.choice {
            Choice::Free if is_masked => {
                let callable = list.inline.iter().chain(&list.found).map(|entry| entry.exposed());
                return Ok(Some(self.allowed("auto", callable)));
            }
            Choice::Free => return Ok(None),
            Choice::Nothing => return Ok(Some(quoted("none"))),
            Choice::Among(tools) => tools,
        };
        let is_listed = |name: &String| {
            let mut listed = list.inline.iter();
            disclosure != Disclosure::ClientSearch
                || listed.any(|entry| entry.exposed() == name) && !list.is_search(name)
        };
        if !tools.iter().all(is_listed) {
            return Err(EncodeError::Unsupported(
                "the endpoint can be held to tools of its list alone, not to those that a search showed: leave the choice free"
                    .to_owned(),
            ));
        }
        match &**tools {
            [] => Ok(Some(quoted("none"))),
            [tool] if !is_masked => {
                let name = quoted(self.names.wire(tool));
                Ok(Some(format!(r#"{{"type":"function","name":{name}}}"#)))
            }
            tools if is_masked || self.endpoint.can_narrow => {
                Ok(Some(self.allowed("required", tools.iter().map(String::as_str))))
            }
            _ => Err(EncodeError::Unsupported(
                "the endpoint cannot be held to several tools: name one, or leave the choice free"
                    .to_owned(),
            )),
        }
    }

    fn allowed<'t>(&self, mode: &str, tools: impl Iterator<Item = &'t str>) -> String {
        let tools = tools.map(|tool| {
            format!(r#"{{"type":"function","name":{}}}"#, quoted(self.names.wire(tool)))
        });
        let tools: Vec<String> = tools.collect();
        let tools = tools.join(",");
        format!(r#"{{"type":"allowed_tools","mode":"{mode}","tools":[{tools}]}}"#)
    }
}

/// Returns the search tool where it is a kind of its own.
pub(super) fn search_of<'r>(
    request: &'r Request<'_>,
    disclosure: Disclosure,
) -> Option<&'r Arc<Entry>> {
    request.tools.search.as_ref().filter(|_| disclosure == Disclosure::ClientSearch)
}

/// Returns the search tool as the vendor knows it: without a name.
fn of_search(search: &Entry, description: &str, losses: &mut Vec<Loss>) -> String {
    let projection = project(search.definition().parameters(), Dialect::OpenAi);
    projection.report(search.exposed(), losses);
    let parameters = projection.schema.as_ref().map_or("{}", |schema| schema.get());
    let description = quoted(description);
    format!(
        r#"{{"type":"tool_search","execution":"client","description":{description},"parameters":{parameters}}}"#
    )
}
