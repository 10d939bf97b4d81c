//! The contents: each part for itself, then turns of calls and of their results.

use serde_json::{Map, Value};

use super::check::{Kind, check_fields};
use super::fault;
use super::signature;
use super::tools::object;
use crate::read;
use crate::wire::Checked;

const CONTENT: &[(&str, Kind)] = &[("role", Kind::Text), ("parts", Kind::Array)];

const PART: &[(&str, Kind)] = &[
    ("text", Kind::Text),
    ("thought", Kind::Truth),
    ("thoughtSignature", Kind::Text),
    ("functionCall", Kind::Object),
    ("functionResponse", Kind::Object),
    ("inlineData", Kind::Object),
    ("fileData", Kind::Object),
    ("executableCode", Kind::Object),
    ("codeExecutionResult", Kind::Object),
    ("toolCall", Kind::Object),
    ("toolResponse", Kind::Object),
    ("videoMetadata", Kind::Object),
    ("mediaResolution", Kind::Object),
    ("partMetadata", Kind::Object),
];

/// Of these a part has one.
const DATA: [&str; 9] = [
    "text", "functionCall", "functionResponse", "inlineData", "fileData", "executableCode",
    "codeExecutionResult", "toolCall", "toolResponse",
];

const CALL: &[(&str, Kind)] = &[("id", Kind::Text), ("name", Kind::Text), ("args", Kind::Any)];

const RESPONSE: &[(&str, Kind)] = &[
    ("id", Kind::Text),
    ("name", Kind::Text),
    ("response", Kind::Any),
    ("parts", Kind::Array),
    ("willContinue", Kind::Truth),
    ("scheduling", Kind::Text),
];

/// Holds what the model is told once against the rules.
pub(super) fn check_system(system: &Value) -> Checked {
    check_content(system, "system_instruction")
}

/// Holds the contents against the rules; with `signs` the model wants its signatures back.
pub(super) fn check(body: &Map<String, Value>, signs: bool) -> Checked {
    let contents = read::list(body.get("contents"));
    if contents.is_empty() {
        return Err(fault::broken("contents", "contents is not specified"));
    }
    for (at, content) in contents.iter().enumerate() {
        check_content(content, &format!("contents[{at}]"))?;
        let role = content["role"].as_str();
        if !matches!(role, None | Some("user" | "model")) {
            return Err(fault::invalid("Please use a valid role: user, model."));
        }
    }
    check_turns(contents)?;
    match signs {
        true => check_signatures(contents),
        false => Ok(()),
    }
}

fn check_content(content: &Value, path: &str) -> Checked {
    let content = object(content, path)?;
    check_fields(content, path, CONTENT)?;
    let parts = read::list(content.get("parts"));
    if parts.is_empty() {
        return Err(fault::broken(&format!("{path}.parts"), "contents.parts must not be empty."));
    }
    for (at, part) in parts.iter().enumerate() {
        let path = format!("{path}.parts[{at}]");
        check_part(object(part, &path)?, &path)?;
    }
    Ok(())
}

fn check_part(part: &Map<String, Value>, path: &str) -> Checked {
    check_fields(part, path, PART)?;
    let mut data = DATA.iter().filter(|data| part.contains_key(**data));
    let first = data.next();
    if let Some(second) = data.next() {
        return Err(fault::invalid(format!(
            "Invalid value at '{path}' (oneof), oneof field 'data' is already set. Cannot set '{second}'"
        )));
    }
    let is_signed = part.contains_key("thoughtSignature");
    let is_empty = part.get("text").is_some_and(|text| text == "") && !is_signed;
    if first.is_none() || is_empty {
        let problem = "required oneof field 'data' must have one initialized field";
        return Err(fault::broken(&format!("{path}.data"), problem));
    }
    if let Some(call) = part.get("functionCall").and_then(Value::as_object) {
        check_function(call, &format!("{path}.function_call"), CALL, "args")?;
    }
    if let Some(response) = part.get("functionResponse").and_then(Value::as_object) {
        check_function(response, &format!("{path}.function_response"), RESPONSE, "response")?;
    }
    Ok(())
}

/// Holds a call or a response against the rules; `payload` names its object.
fn check_function(
    function: &Map<String, Value>,
    path: &str,
    fields: &[(&str, Kind)],
    payload: &str,
) -> Checked {
    check_fields(function, path, fields)?;
    if read::text(function.get("name")).is_empty() {
        return Err(fault::broken(&format!("{path}.name"), "Name cannot be empty."));
    }
    match function.get(payload) {
        Some(value) if !value.is_object() => {
            let kind = "type.googleapis.com/google.protobuf.Struct";
            Err(fault::wrong_value(&format!("{path}.{payload}"), kind, value))
        }
        None if payload == "response" => {
            Err(fault::broken(&format!("{path}.response"), "response is not specified."))
        }
        _ => Ok(()),
    }
}

/// Returns the calls or the responses of a content.
fn functions<'a>(content: &'a Value, kind: &str) -> Vec<&'a Value> {
    let parts = read::list(&content["parts"]);
    parts.iter().filter_map(|part| part.get(kind)).collect()
}

/// A turn of calls comes behind one of a user or of responses, and right before it is answered.
fn check_turns(contents: &[Value]) -> Checked {
    let mut before: Option<&Value> = None;
    let mut open: Vec<&Value> = Vec::new();
    for content in contents {
        let calls = functions(content, "functionCall");
        let responses = functions(content, "functionResponse");
        if !responses.is_empty() && open.is_empty() {
            return Err(fault::invalid(
                "Please ensure that function response turn comes immediately after a function call turn.",
            ));
        }
        check_answered(&open, &responses)?;
        let is_behind_user = before.is_some_and(|content| content["role"] != "model");
        if !calls.is_empty() && !is_behind_user {
            return Err(fault::invalid(
                "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
            ));
        }
        open = calls;
        before = Some(content);
    }
    check_answered(&open, &[])
}

fn check_answered(calls: &[&Value], responses: &[&Value]) -> Checked {
    if calls.len() != responses.len() {
        return Err(fault::invalid(
            "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
        ));
    }
    let mut left: Vec<&Value> = calls.to_vec();
    for response in responses {
        // Paired by id where both have one, else by name in the order of the calls.
        let is_pair = |call: &&Value| match (&call["id"], &response["id"]) {
            (Value::String(one), Value::String(other)) => {
                one == other && call["name"] == response["name"]
            }
            _ => call["name"] == response["name"],
        };
        let Some(at) = left.iter().position(is_pair) else {
            return Err(fault::invalid(
                "Please ensure that function response parts match the function call parts of the function call turn by id and name.",
            ));
        };
        left.remove(at);
    }
    Ok(())
}

/// In the current turn, the first call of each step has its signature.
fn check_signatures(contents: &[Value]) -> Checked {
    let is_asked = |content: &Value| {
        content["role"] != "model" && functions(content, "functionResponse").is_empty()
    };
    let begin = contents.iter().rposition(is_asked).unwrap_or_default();
    for (at, content) in contents.iter().enumerate().skip(begin) {
        let parts = read::list(&content["parts"]);
        let mut calls = parts.iter().filter(|part| part.get("functionCall").is_some());
        let Some(call) = calls.next() else { continue };
        let name = call["functionCall"]["name"].as_str().unwrap_or_default();
        match call["thoughtSignature"].as_str() {
            None => {
                return Err(fault::invalid(format!(
                    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:{name}` , position {}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
                    at + 1
                )));
            }
            Some(signature) if !signature::is_of(signature, name) => {
                return Err(fault::invalid("Thought signature is not valid."));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
