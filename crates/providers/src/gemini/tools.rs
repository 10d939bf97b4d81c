//! The list of tools, and what of it may be called.

use std::sync::Arc;

use oncue_agent::{Choice, Disclosure, EncodeError, Loss, Request};
use oncue_tools::Entry;
use serde_json::json;

use crate::Names;
use crate::blocks::Block;
use crate::compose::quoted;
use crate::endpoint::Endpoint;
use crate::schema::{Dialect, project};

/// The version of the protocol that knows no JSON Schema.
const OLD_VERSION: &str = "/v1";

/// Returns the tools of a request, as the disclosure shows them.
///
/// # Errors
///
/// The endpoint has no form for the disclosure.
pub(super) fn tools(
    endpoint: &Endpoint,
    request: &Request<'_>,
    names: &Names,
    losses: &mut Vec<Loss>,
) -> Result<Vec<Block>, EncodeError> {
    let list = request.tools;
    let further: Vec<&Arc<Entry>> = match endpoint.disclosure {
        Disclosure::Append => list.found.iter().collect(),
        Disclosure::Mask => list.hidden.iter().collect(),
        Disclosure::ByReference | Disclosure::ByValue | Disclosure::ClientSearch => {
            return Err(EncodeError::Unsupported(
                "generateContent has no form for this disclosure: use append or mask".to_owned(),
            ));
        }
    };
    let is_old = endpoint.base_url.ends_with(OLD_VERSION);
    let entries = list.inline.iter().chain(further);
    let tools = entries.map(|entry| {
        let description = list.description(entry);
        Block::new(declaration(entry, &description, names, is_old, losses))
    });
    Ok(tools.collect())
}

/// Returns the declaration of a function.
fn declaration(
    entry: &Entry,
    description: &str,
    names: &Names,
    is_old: bool,
    losses: &mut Vec<Loss>,
) -> String {
    let name = quoted(names.wire(entry.exposed()));
    let description = match description {
        "" => String::new(),
        text => format!(r#","description":{}"#, quoted(text)),
    };
    let (field, dialect) = match is_old {
        true => ("parameters", Dialect::GeminiSchema),
        false => ("parametersJsonSchema", Dialect::GeminiJson),
    };
    let projection = project(entry.definition().parameters(), dialect);
    projection.report(entry.exposed(), losses);
    let parameters = match &projection.schema {
        Some(schema) => format!(r#","{field}":{}"#, schema.get()),
        None => String::new(),
    };
    format!(r#"{{"name":{name}{description}{parameters}}}"#)
}

/// Returns what the model may call in this reply; `None` leaves it free.
pub(super) fn choice(endpoint: &Endpoint, request: &Request<'_>, names: &Names) -> Option<String> {
    let list = request.tools;
    let is_masked = endpoint.disclosure == Disclosure::Mask && list.hidden.iter().next().is_some();
    let config = match &request.choice {
        Choice::Free if is_masked => {
            let callable = list.inline.iter().chain(&list.found);
            let allowed: Vec<&str> = callable.map(|entry| names.wire(entry.exposed())).collect();
            // The one mode in which the model may say something and yet call no others.
            json!({"mode": "VALIDATED", "allowedFunctionNames": allowed})
        }
        Choice::Free => return None,
        Choice::Among(tools) if !tools.is_empty() => {
            let allowed: Vec<&str> = tools.iter().map(|tool| names.wire(tool)).collect();
            json!({"mode": "ANY", "allowedFunctionNames": allowed})
        }
        Choice::Nothing | Choice::Among(_) => json!({"mode": "NONE"}),
    };
    Some(json!({"functionCallingConfig": config}).to_string())
}
