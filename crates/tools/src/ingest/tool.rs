//! One tool, from its bytes to its definition.

use oncue_decl::Row;
use serde_json::value::RawValue;

use super::limits::{
    DESCRIPTION_BYTES_MAX, ENUM_VALUES_MAX, NAME_CHARS_MAX, SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX,
    SUBSCHEMAS_MAX, TITLE_CHARS_MAX, TOOL_BYTES_MAX, TOOL_DEPTH_MAX,
};
use super::scan::{self, Extent};
use super::{Oddity, Reason};
use crate::Definition;

/// A tool that was read, and what the file says about it beside its definition.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) id: Option<String>,
    pub(super) server: Option<String>,
    pub(super) definition: Definition,
    pub(super) oddities: Vec<Oddity>,
}

/// Reads the tool in `text`, which begins at `offset` of its file.
pub(super) fn decode(text: &[u8], offset: usize) -> Result<Decoded, Reason> {
    let raw = checked(text, offset)?;
    let text = raw.get();
    let fields = Fields::of(text)?;
    let mut oddities = Vec::new();
    let name = fields.name()?;
    let description = fields.description()?;
    let schema = fields.schema(&mut oddities)?;
    let title = fields.title(&mut oddities);
    fields.look_at_the_rest(&mut oddities);

    let mut row = Row::discoverable(name, description);
    if let Some(title) = title {
        row = row.with_title(title);
    }
    let definition = Definition::new(row, schema).with_raw(raw);
    Ok(Decoded {
        id: fields.id.and_then(string),
        server: fields.server_or_note(&mut oddities),
        definition,
        oddities,
    })
}

/// Returns the name in a tool's text however broken the rest is, cut to a bearable length.
pub(super) fn name_of(text: &[u8]) -> Option<String> {
    if text.first() != Some(&b'{') || text.len() > TOOL_BYTES_MAX {
        return None;
    }
    let name = scan::members(text, 0)
        .map_while(Result::ok)
        .find(|member| member.key == b"name")
        .and_then(|member| text.get(member.value))?;
    let name: String = serde_json::from_slice(name).ok()?;
    Some(name.chars().take(NAME_CHARS_MAX).collect())
}

/// Returns a string value, or nothing where `text` is something else.
pub(super) fn string(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

/// Returns the usable id of a server in `text`.
pub(super) fn server(text: &str) -> Option<String> {
    let fits = |id: &String| {
        !id.is_empty() && id.chars().count() <= NAME_CHARS_MAX && !id.chars().any(char::is_control)
    };
    string(text).filter(fits)
}

/// Returns what kind of JSON value `text` is.
pub(super) fn kind(text: &[u8]) -> &'static str {
    match text.first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        Some(b'-' | b'0'..=b'9') => "a number",
        _ => "not JSON",
    }
}

/// Returns the text if it is an object of valid JSON within the bounds of a whole definition.
fn checked(bytes: &[u8], offset: usize) -> Result<&RawValue, Reason> {
    if bytes.len() > TOOL_BYTES_MAX {
        return Err(Reason::TooLarge { bytes: bytes.len() });
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Reason::NotUtf8 { offset: offset + error.valid_up_to() })?;
    let raw = parsed::<&RawValue>(text)?;
    if kind(bytes) != "an object" {
        return Err(Reason::NotObject { found: kind(bytes) });
    }
    let depth = scan::extent(bytes).depth;
    if depth > TOOL_DEPTH_MAX {
        return Err(Reason::TooDeep { depth });
    }
    Ok(raw)
}

/// Parses JSON; the parser walks raw values without recursion.
fn parsed<'t, T: serde::Deserialize<'t>>(text: &'t str) -> Result<T, Reason> {
    serde_json::from_str(text).map_err(|error| not_json(text, &error))
}

fn not_json(text: &str, error: &serde_json::Error) -> Reason {
    let earlier: usize =
        text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let wording = error.to_string();
    let detail = wording.split(" at line ").next().unwrap_or_default();
    Reason::NotJson { column: (earlier + error.column()).max(1), detail: detail.to_owned() }
}

/// The parts of a definition that are read, each as its raw text.
#[derive(Default)]
struct Fields<'t> {
    id: Option<&'t str>,
    server: Option<&'t str>,
    name: Option<&'t str>,
    title: Option<&'t str>,
    description: Option<&'t str>,
    schema: Option<&'t str>,
    output_schema: Option<&'t str>,
    annotations: Option<&'t str>,
}

impl<'t> Fields<'t> {
    /// The fields of a valid JSON object.
    fn of(text: &'t str) -> Result<Self, Reason> {
        let mut fields = Self::default();
        for member in scan::members(text.as_bytes(), 0) {
            let Ok(member) = member else { break };
            let (slot, field) = match member.key {
                b"id" => (&mut fields.id, "id"),
                b"server" => (&mut fields.server, "server"),
                b"name" => (&mut fields.name, "name"),
                b"title" => (&mut fields.title, "title"),
                b"description" => (&mut fields.description, "description"),
                b"inputSchema" | b"input_schema" => (&mut fields.schema, "inputSchema"),
                b"outputSchema" | b"output_schema" => (&mut fields.output_schema, "outputSchema"),
                b"annotations" => (&mut fields.annotations, "annotations"),
                _ => continue,
            };
            if slot.is_some() {
                return Err(Reason::RepeatedField { field });
            }
            *slot = text.get(member.value);
        }
        Ok(fields)
    }

    fn name(&self) -> Result<String, Reason> {
        let name = text_of("the name", self.name)?.ok_or(Reason::NoName)?;
        let chars = name.chars().count();
        if name.trim().is_empty() {
            return Err(Reason::NoName);
        }
        if chars > NAME_CHARS_MAX {
            return Err(Reason::NameTooLong { chars });
        }
        if let Some(control) = name.chars().find(|c| c.is_control()) {
            return Err(Reason::NameWithControl { code: control.into() });
        }
        Ok(name)
    }

    fn description(&self) -> Result<String, Reason> {
        let description = text_of("the description", self.description)?.unwrap_or_default();
        match description.len() {
            bytes if bytes > DESCRIPTION_BYTES_MAX => Err(Reason::DescriptionTooLong { bytes }),
            _ => Ok(description),
        }
    }

    fn schema(&self, oddities: &mut Vec<Oddity>) -> Result<Option<Box<RawValue>>, Reason> {
        let Some(text) = self.schema.filter(|text| *text != "null") else {
            oddities.push(Oddity::NoInputSchema);
            return Ok(None);
        };
        if kind(text.as_bytes()) != "an object" {
            let (field, found) = ("the input schema", kind(text.as_bytes()));
            return Err(Reason::WrongType { field, expected: "an object", found });
        }
        if text.len() > SCHEMA_BYTES_MAX {
            return Err(Reason::SchemaTooLarge { bytes: text.len() });
        }
        let Extent { depth, objects, enum_values } = scan::extent(text.as_bytes());
        if depth > SCHEMA_DEPTH_MAX {
            return Err(Reason::SchemaTooDeep { depth });
        }
        if objects > SUBSCHEMAS_MAX {
            return Err(Reason::TooManySubschemas { objects });
        }
        if enum_values > ENUM_VALUES_MAX {
            return Err(Reason::TooManyEnumValues { values: enum_values });
        }
        parsed(text).map(Some)
    }

    /// Returns the label: the tool's own, or else the one in its annotations.
    fn title(&self, oddities: &mut Vec<Oddity>) -> Option<String> {
        let annotated = || {
            let annotations = self.annotations?;
            let title = scan::members(annotations.as_bytes(), 0)
                .map_while(Result::ok)
                .find(|member| member.key == b"title")?;
            annotations.get(title.value)
        };
        let is_object = self.annotations.is_some_and(|text| kind(text.as_bytes()) == "an object");
        let text = self.title.or_else(|| annotated().filter(|_| is_object))?;
        let Some(title) = string(text) else {
            if text != "null" {
                oddities.push(Oddity::Title { found: kind(text.as_bytes()) });
            }
            return None;
        };
        let chars = title.chars().count();
        if chars > TITLE_CHARS_MAX {
            oddities.push(Oddity::TitleTooLong { chars });
            return None;
        }
        Some(title)
    }

    /// Notes what is wrong with the parts that search and calls do not need.
    fn look_at_the_rest(&self, oddities: &mut Vec<Oddity>) {
        if let Some(why) = self.output_schema.and_then(output_schema_fault) {
            oddities.push(Oddity::OutputSchema { why });
        }
        if let Some(text) = self.annotations {
            let found = kind(text.as_bytes());
            if !matches!(found, "an object" | "null") {
                oddities.push(Oddity::Annotations { found });
            }
        }
    }

    fn server_or_note(&self, oddities: &mut Vec<Oddity>) -> Option<String> {
        let text = self.server.filter(|text| *text != "null")?;
        let id = server(text);
        if id.is_none() {
            oddities.push(Oddity::Server);
        }
        id
    }
}

/// Returns the text of a field that must be a string; `null` counts as absent.
fn text_of(field: &'static str, text: Option<&str>) -> Result<Option<String>, Reason> {
    let Some(text) = text.filter(|text| *text != "null") else { return Ok(None) };
    if kind(text.as_bytes()) != "a string" {
        let found = kind(text.as_bytes());
        return Err(Reason::WrongType { field, expected: "a string", found });
    }
    serde_json::from_str(text).map(Some).map_err(|_| Reason::BrokenText { field })
}

/// Returns what makes an output schema unusable: MCP wants an object schema.
fn output_schema_fault(text: &str) -> Option<&'static str> {
    if text == "null" {
        return None;
    }
    if kind(text.as_bytes()) != "an object" {
        return Some("it is not an object");
    }
    let kind = scan::members(text.as_bytes(), 0)
        .map_while(Result::ok)
        .find(|member| member.key == b"type")
        .and_then(|member| text.get(member.value));
    match kind {
        None => Some("it has no `type`"),
        Some("\"object\"") => None,
        Some(_) => Some("its `type` is not `object`"),
    }
}
