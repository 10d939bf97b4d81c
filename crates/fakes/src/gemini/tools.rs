//! The tools of a request, and which of them may be called.

use serde_json::{Map, Value};

use super::check::{Kind, check_fields};
use super::fault;
use super::schema;
use crate::limits::GEMINI_NAME_CHARS_MAX;
use crate::wire::Checked;
use crate::{Refusal, read};

const TOOL: &[(&str, Kind)] = &[
    ("functionDeclarations", Kind::Array),
    ("googleSearch", Kind::Object),
    ("googleSearchRetrieval", Kind::Object),
    ("googleMaps", Kind::Object),
    ("codeExecution", Kind::Object),
    ("computerUse", Kind::Object),
    ("fileSearch", Kind::Object),
    ("urlContext", Kind::Object),
    ("mcpServers", Kind::Array),
];

const DECLARATION: &[(&str, Kind)] = &[
    ("name", Kind::Text),
    ("description", Kind::Text),
    ("parameters", Kind::Object),
    ("parametersJsonSchema", Kind::Any),
    ("response", Kind::Object),
    ("responseJsonSchema", Kind::Any),
    ("behavior", Kind::Text),
];

const CONFIG: &[(&str, Kind)] = &[
    ("functionCallingConfig", Kind::Object),
    ("retrievalConfig", Kind::Object),
    ("includeServerSideToolInvocations", Kind::Truth),
];

const CALLING: &[(&str, Kind)] = &[("mode", Kind::Text), ("allowedFunctionNames", Kind::Array)];

const MODES: [&str; 5] = ["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"];

/// Holds the tools against the rules and returns the names of their functions.
pub(super) fn check(body: &Map<String, Value>) -> Result<Vec<&str>, Refusal> {
    let mut names = Vec::new();
    for (at, tool) in read::list(body.get("tools")).iter().enumerate() {
        let path = format!("tools[{at}]");
        let tool = object(tool, &path)?;
        check_fields(tool, &path, TOOL)?;
        if tool.is_empty() {
            let problem = "required one_of 'tool_type' must have one initialized field";
            return Err(fault::broken(&format!("{path}.tool_type"), problem));
        }
        for (at, declaration) in read::list(tool.get("functionDeclarations")).iter().enumerate() {
            let path = format!("{path}.function_declarations[{at}]");
            let name = check_declaration(object(declaration, &path)?, &path)?;
            if names.contains(&name) {
                return Err(fault::invalid(format!(
                    "Duplicate function declaration found: {name}"
                )));
            }
            names.push(name);
        }
    }
    Ok(names)
}

fn check_declaration<'a>(
    declaration: &'a Map<String, Value>,
    path: &str,
) -> Result<&'a str, Refusal> {
    check_fields(declaration, path, DECLARATION)?;
    let name = read::text(declaration.get("name"));
    check_name(name, &format!("{path}.name"))?;
    let json = declaration.get("parametersJsonSchema").filter(|schema| !schema.is_null());
    match (declaration.get("parameters").and_then(Value::as_object), json) {
        (Some(_), Some(_)) => Err(fault::broken(
            path,
            "parameters and parameters_json_schema are mutually exclusive.",
        )),
        (Some(schema), None) => {
            schema::check_parameters(schema, &format!("{path}.parameters"))?;
            Ok(name)
        }
        (None, Some(schema)) if schema["type"] != "object" => {
            let path = format!("{path}.parameters_json_schema.type");
            Err(fault::broken(&path, "parameters_json_schema must describe an object."))
        }
        _ => Ok(name),
    }
}

fn check_name(name: &str, path: &str) -> Checked {
    let is_good = |c: char| c.is_ascii_alphanumeric() || "_.:-".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins && name.chars().all(is_good) && name.len() <= GEMINI_NAME_CHARS_MAX {
        return Ok(());
    }
    let problem = format!(
        "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of {GEMINI_NAME_CHARS_MAX}."
    );
    Err(fault::broken(path, &problem))
}

/// Holds the choice of functions against the rules and the names that are declared.
pub(super) fn check_config(body: &Map<String, Value>, names: &[&str]) -> Checked {
    let Some(config) = body.get("toolConfig").and_then(Value::as_object) else { return Ok(()) };
    check_fields(config, "tool_config", CONFIG)?;
    let Some(calling) = config.get("functionCallingConfig").and_then(Value::as_object) else {
        return Ok(());
    };
    let path = "tool_config.function_calling_config";
    check_fields(calling, path, CALLING)?;
    let mode = calling.get("mode").and_then(Value::as_str).unwrap_or("AUTO");
    if !MODES.contains(&mode) {
        let kind =
            "type.googleapis.com/google.ai.generativelanguage.v1beta.FunctionCallingConfig.Mode";
        let path = format!("{path}.mode");
        return Err(fault::wrong_value(&path, kind, &Value::from(mode)));
    }
    if names.is_empty() {
        return Err(fault::invalid(
            "Function calling config is set without function_declarations.",
        ));
    }
    let allowed = read::list(calling.get("allowedFunctionNames"));
    let path = format!("{path}.allowed_function_names");
    if !allowed.is_empty() && !["ANY", "VALIDATED"].contains(&mode) {
        return Err(fault::broken(&path, "only allowed when the function calling mode is ANY."));
    }
    for (at, name) in allowed.iter().enumerate() {
        if !name.as_str().is_some_and(|name| names.contains(&name)) {
            let problem = "function is not declared.";
            return Err(fault::broken(&format!("{path}[{at}]"), problem));
        }
    }
    Ok(())
}

/// Returns a value that must be an object.
pub(super) fn object<'a>(value: &'a Value, path: &str) -> Result<&'a Map<String, Value>, Refusal> {
    value.as_object().ok_or_else(|| fault::wrong_value(path, "TYPE_MESSAGE", value))
}
