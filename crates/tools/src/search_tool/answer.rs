//! The JSON that the model reads. It is composed as text, so that schemas arrive as their authors wrote them.

use std::sync::Arc;

use serde_json::Value;

use super::find::Findings;
use crate::Entry;
use crate::excerpt::echo;

/// Stands for the arguments of a tool that declares none.
const NO_PARAMETERS: &str = r#"{"type":"object","properties":{}}"#;

/// Returns the answer of the search tool that is called `tool`.
pub(super) fn json(tool: &str, findings: &Findings) -> String {
    let functions: Vec<String> = findings.found.iter().map(|entry| function(entry)).collect();
    let mut json = format!(r#"{{"functions":[{}]"#, functions.join(","));
    write_names(&mut json, "available", &findings.available);
    write_names(&mut json, "near", &findings.near);
    write_names(&mut json, "omitted", &findings.omitted);
    if let Some(hint) = hint(tool, findings) {
        json += &format!(r#","hint":{}"#, quoted(&hint));
    }
    json.push('}');
    json
}

/// Returns the answer to a search that was made before: the names of what is loaded, and the call to make.
///
/// A search that found nothing says so again as the first one did.
pub(super) fn repeated(findings: &Findings) -> String {
    let mut names: Vec<Arc<str>> =
        findings.found.iter().map(|entry| entry.exposed_shared()).collect();
    names.extend(findings.available.iter().cloned());
    let hint = match names.first() {
        Some(name) => format!("Searched already in this turn. Call {name} now"),
        None => "Searched already in this turn, and nothing fits. Answer without a tool, or ask the user".to_owned(),
    };
    let mut json = String::from(r#"{"functions":[]"#);
    write_names(&mut json, "available", &names);
    json += &format!(r#","hint":{}}}"#, quoted(&hint));
    json
}

fn function(entry: &Entry) -> String {
    let name = quoted(entry.exposed());
    let description = quoted(entry.row().description());
    let parameters = entry.definition().parameters().map_or(NO_PARAMETERS, |schema| schema.get());
    format!(r#"{{"name":{name},"description":{description},"parameters":{parameters}}}"#)
}

fn write_names(json: &mut String, key: &str, names: &[Arc<str>]) {
    if !names.is_empty() {
        let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        *json += &format!(r#","{key}":[{}]"#, names.join(","));
    }
}

/// Returns what to do next, where it is not to call what was found.
fn hint(tool: &str, findings: &Findings) -> Option<String> {
    if let Some((name, full)) = findings.ambiguous.as_ref().zip(findings.near.first()) {
        let name = echo(name);
        return Some(format!(
            "'{name}' names several tools. Select one by its full name, such as {tool}(query='select:{full}')"
        ));
    }
    if findings.is_full {
        return Some("As many tools are active as may be; work with those".to_owned());
    }
    if let Some(name) = findings.omitted.first() {
        return Some(format!(
            "Too many names at once. Call {tool}(query='select:{name}') for those omitted"
        ));
    }
    if !findings.found.is_empty() {
        return None;
    }
    if !findings.available.is_empty() {
        return Some("What fits is in your list already; call it".to_owned());
    }
    if let Some(name) = findings.near.first() {
        return Some(format!(
            "No tool is called that. Call {tool}(query='select:{name}') if that is what you mean"
        ));
    }
    Some(format!(
        "No tool fits. Call {tool} again with other words for the action and the thing, or with '+word' for tools whose name contains word"
    ))
}

/// Returns `text` as a JSON string.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
