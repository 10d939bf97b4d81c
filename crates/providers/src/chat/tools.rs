//! The list of tools, and what of it may be called.

use std::sync::Arc;

use oncue_agent::{Choice, Disclosure, EncodeError, Loss, Request};
use oncue_tools::Entry;

use super::Chat;
use crate::Names;
use crate::blocks::Block;
use crate::compose::quoted;
use crate::limits::OPENAI_TOOLS_MAX;
use crate::schema::{Dialect, project};

/// Returns the tools of a request, as the disclosure shows them.
///
/// # Errors
///
/// There are more than the endpoint takes, or it has no form for the disclosure.
pub(super) fn tools(
    chat: &Chat,
    request: &Request<'_>,
    names: &Names,
    losses: &mut Vec<Loss>,
) -> Result<Vec<Block>, EncodeError> {
    let list = request.tools;
    let further: Vec<&Arc<Entry>> = match chat.endpoint.disclosure {
        Disclosure::Append => list.found.iter().collect(),
        Disclosure::Mask => list.hidden.iter().collect(),
        Disclosure::ByReference | Disclosure::ByValue | Disclosure::ClientSearch => {
            return Err(EncodeError::Unsupported(
                "Chat Completions has no form for this disclosure: use append or mask".to_owned(),
            ));
        }
    };
    let count = list.inline.len() + further.len();
    if chat.endpoint.is_openai() && count > OPENAI_TOOLS_MAX {
        return Err(EncodeError::TooManyTools { tools: count, tools_max: OPENAI_TOOLS_MAX });
    }
    let entries = list.inline.iter().chain(further);
    let tools = entries.map(|entry| {
        let description = list.description(entry);
        Block::new(tool(entry, &description, names, chat.endpoint.has_strict_tools, losses))
    });
    Ok(tools.collect())
}

/// Returns the definition of a tool.
fn tool(
    entry: &Entry,
    description: &str,
    names: &Names,
    wants_strict: bool,
    losses: &mut Vec<Loss>,
) -> String {
    let name = quoted(names.wire(entry.exposed()));
    let description = match description {
        "" => String::new(),
        text => format!(r#","description":{}"#, quoted(text)),
    };
    let parameters = entry.definition().parameters();
    let strict = wants_strict.then(|| project(parameters, Dialect::OpenAiStrict));
    // Where something optional would come back as null, the tool's own schema would refuse it.
    let strict = strict.filter(|projection| projection.is_strict && !projection.adds_null);
    let is_strict = if strict.is_some() { r#","strict":true"# } else { "" };
    let projection = strict.unwrap_or_else(|| project(parameters, Dialect::OpenAi));
    let parameters = projection.schema.as_ref().map_or("{}", |schema| schema.get());
    projection.report(entry.exposed(), losses);
    format!(
        r#"{{"type":"function","function":{{"name":{name}{description},"parameters":{parameters}{is_strict}}}}}"#
    )
}

/// Returns what the model may call in this reply; `None` leaves it to the server.
///
/// # Errors
///
/// The endpoint cannot be held to several tools.
pub(super) fn choice(
    chat: &Chat,
    request: &Request<'_>,
    names: &Names,
) -> Result<Option<String>, EncodeError> {
    let list = request.tools;
    let is_masked =
        chat.endpoint.disclosure == Disclosure::Mask && list.hidden.iter().next().is_some();
    Ok(match &request.choice {
        Choice::Nothing => Some(quoted("none")),
        Choice::Free if is_masked => {
            let callable = list.inline.iter().chain(&list.found).map(|entry| entry.exposed());
            Some(allowed("auto", callable, names))
        }
        Choice::Free => None,
        Choice::Among(tools) => match &**tools {
            [] => Some(quoted("none")),
            [tool] if !is_masked => {
                let name = quoted(names.wire(tool));
                Some(format!(r#"{{"type":"function","function":{{"name":{name}}}}}"#))
            }
            tools if is_masked || chat.endpoint.can_narrow => {
                Some(allowed("required", tools.iter().map(String::as_str), names))
            }
            _ => {
                return Err(EncodeError::Unsupported(
                    "the endpoint cannot be held to several tools: name one, or leave the choice free"
                        .to_owned(),
                ));
            }
        },
    })
}

fn allowed<'t>(mode: &str, tools: impl Iterator<Item = &'t str>, names: &Names) -> String {
    let tools = tools.map(|tool| {
        format!(r#"{{"type":"function","function":{{"name":{}}}}}"#, quoted(names.wire(tool)))
    });
    let tools: Vec<String> = tools.collect();
    format!(
        r#"{{"type":"allowed_tools","allowed_tools":{{"mode":"{mode}","tools":[{}]}}}}"#,
        tools.join(",")
    )
}
