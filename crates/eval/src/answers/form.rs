//! The forms in which others answer, as their code and documents have them in 2026.

use std::fmt::Write;
use std::sync::Arc;

use oncue_tools::{Entry, Found};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A form of answer.
pub struct Form<'f> {
    /// Names it in a table.
    pub name: &'static str,
    /// How many hits it asks for.
    pub hits: usize,
    /// Writes the text that the model reads.
    pub write: Box<dyn Fn(&Found) -> String + 'f>,
}

/// Returns the forms of others, each with as many hits as it answers with unless told otherwise.
///
/// Sources: FastMCP 4 `serialize_tools_for_output_json` and `…_markdown` (five hits, the whole entry of `tools/list`); mcpproxy-go `retrieve_tools` (fifteen hits with name, description, schema, score and server); definitions that a vendor or a framework loads whole (five).
#[must_use]
pub fn rivals() -> Vec<Form<'static>> {
    vec![
        Form { name: "whole definitions, 5", hits: 5, write: Box::new(loaded) },
        Form { name: "FastMCP JSON, 5", hits: 5, write: Box::new(listed) },
        Form { name: "FastMCP Markdown, 5", hits: 5, write: Box::new(markdown) },
        Form { name: "mcpproxy-go, 15", hits: 15, write: Box::new(scored) },
    ]
}

/// Name, description and schema, and nothing else.
fn loaded(found: &Found) -> String {
    let tools: Vec<Value> =
        found.tools.iter().map(|entry| Value::Object(definition(entry))).collect();
    Value::from(tools).to_string()
}

/// The entries of `tools/list`.
fn listed(found: &Found) -> String {
    let entry = |entry: &Arc<Entry>| {
        let raw = entry.definition().raw().and_then(|raw| serde_json::from_str(raw.get()).ok());
        let mut members = raw.unwrap_or_else(|| definition(entry));
        members.insert("name".to_owned(), Value::from(entry.exposed()));
        Value::Object(members)
    };
    Value::from(found.tools.iter().map(entry).collect::<Vec<_>>()).to_string()
}

fn scored(found: &Found) -> String {
    let tools: Vec<Value> = (found.tools.iter())
        .map(|entry| {
            let mut members = definition(entry);
            // Scores are numbers of this length; what they say is no part of the measure.
            members.insert("score".to_owned(), json!(1.234_567_890_123_456_7));
            members.insert("server".to_owned(), Value::from(entry.source()));
            Value::Object(members)
        })
        .collect();
    json!({ "total": tools.len(), "query": "", "tools": tools }).to_string()
}

fn definition(entry: &Entry) -> serde_json::Map<String, Value> {
    let schema = schema(entry).unwrap_or_else(|| json!({ "type": "object" }));
    [
        ("name".to_owned(), Value::from(entry.exposed())),
        ("description".to_owned(), Value::from(entry.row().description())),
        ("inputSchema".to_owned(), schema),
    ]
    .into_iter()
    .collect()
}

fn schema(entry: &Entry) -> Option<Value> {
    entry
        .definition()
        .parameters()
        .map(RawValue::get)
        .and_then(|text| serde_json::from_str(text).ok())
}

/// A heading, the description, and a line for each parameter of the first level with its kind.
fn markdown(found: &Found) -> String {
    let mut text = String::new();
    for entry in &found.tools {
        let (name, about) = (entry.exposed(), entry.row().description().trim());
        // Writing to a text cannot fail.
        let _ = write!(text, "### {name}\n\n{about}\n\n**Parameters**\n");
        let schema = schema(entry).unwrap_or_default();
        let required = schema.get("required").and_then(Value::as_array);
        for (name, property) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let kind = property.get("type").and_then(Value::as_str).unwrap_or("any");
            let is_required = required.is_some_and(|names| names.iter().any(|it| it == name));
            let required = if is_required { ", required" } else { "" };
            let _ = writeln!(text, "- `{name}` ({kind}{required})");
        }
        text.push('\n');
    }
    text
}
