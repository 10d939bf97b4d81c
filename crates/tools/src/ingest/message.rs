//! One message: a `tools/list` result, alone or in its envelope, and what a catalog file adds to it.

use std::ops::Range;

use super::gather::Gathering;
use super::limits::INSTRUCTIONS_BYTES_MAX;
use super::scan::{self, Broken};
use super::tool::{kind, server, string};
use super::{Oddity, Package, Place, Reason};
use crate::excerpt::excerpt;
use crate::limits::ECHO_CHARS_MAX;

/// Why a message gives nothing.
pub(super) enum Fault {
    /// It is not JSON.
    Broken(Broken),
    /// This is there instead of a list.
    NoTools(String),
    /// The server refused with these words.
    Refusal(String),
}

impl Fault {
    /// Returns the fault as the reason for which a line that begins at `begin` gives nothing.
    pub(super) fn in_line(self, begin: usize) -> Reason {
        match self {
            Self::Broken(Broken { at, expected }) => Reason::NotJson {
                column: at.saturating_sub(begin) + 1,
                detail: format!("expected {expected}"),
            },
            Self::NoTools(found) => Reason::NoTools { found },
            Self::Refusal(message) => {
                Reason::NoTools { found: format!("an error answer: {message}") }
            }
        }
    }
}

/// The parts of a message that are read.
#[derive(Default)]
struct Parts<'f> {
    tools: Option<Range<usize>>,
    result: Option<Range<usize>>,
    error: Option<&'f str>,
    has_name: bool,
    server: Option<&'f str>,
    package: Option<&'f str>,
    version: Option<&'f str>,
    licence: Option<&'f str>,
    instructions: Option<&'f str>,
    next_cursor: Option<&'f str>,
}

impl<'f> Parts<'f> {
    fn of(file: &'f [u8], begin: usize) -> Result<Self, Broken> {
        let mut parts = Self::default();
        for member in scan::members(file, begin) {
            let member = member?;
            let value = file.get(member.value.clone()).unwrap_or_default();
            let text = std::str::from_utf8(value).ok();
            match member.key {
                b"tools" => parts.tools = Some(member.value),
                b"result" => parts.result = Some(member.value),
                b"error" => parts.error = text,
                b"name" => parts.has_name = true,
                b"server" => parts.server = text,
                b"package" => parts.package = text,
                b"version" => parts.version = text,
                b"license" | b"licence" => parts.licence = text,
                b"instructions" => parts.instructions = text,
                b"nextCursor" => parts.next_cursor = text.filter(|text| *text != "null"),
                _ => {}
            }
        }
        Ok(parts)
    }

    fn package(&self) -> Option<Package> {
        let name = self.package.and_then(string)?;
        let text = |part: Option<&str>| part.and_then(string).unwrap_or_default();
        Some(Package { name, version: text(self.version), licence: text(self.licence) })
    }
}

/// Takes in the tools of the message at `span`.
pub(super) fn message(
    gathering: &mut Gathering<'_>,
    file: &[u8],
    span: Range<usize>,
    place: Place,
    origin: &str,
) -> Result<(), Fault> {
    let bytes = file.get(span.clone()).unwrap_or_default();
    if kind(bytes) == "an array" {
        gathering.source(origin);
        return tools(gathering, file, span.start, place, origin);
    }
    if kind(bytes) != "an object" {
        return Err(Fault::Broken(Broken { at: span.start, expected: "an object or an array" }));
    }
    let mut parts = Parts::of(file, span.start).map_err(Fault::Broken)?;
    let result = parts.result.clone().filter(|result| file.get(result.start) == Some(&b'{'));
    if let (None, Some(result)) = (&parts.tools, result) {
        parts = Parts::of(file, result.start).map_err(Fault::Broken)?;
    }
    let Some(list) = parts.tools.clone() else {
        return without_tools(gathering, &parts, span, place, origin);
    };
    if file.get(list.start) != Some(&b'[') {
        let found = kind(file.get(list).unwrap_or_default());
        return Err(Fault::NoTools(format!("`tools` is {found}")));
    }
    let id = parts.server.and_then(server);
    let source = id.as_deref().unwrap_or(origin);
    about(gathering, &parts, source, place);
    tools(gathering, file, list.start, place, source)
}

/// Takes up what a message says about its server.
fn about(gathering: &mut Gathering<'_>, parts: &Parts<'_>, source: &str, place: Place) {
    if parts.server.is_some_and(|text| text != "null" && server(text).is_none()) {
        gathering.note(source, place, None, Oddity::Server);
    }
    if parts.next_cursor.is_some() {
        gathering.note(source, place, None, Oddity::MorePages);
    }
    let instructions = parts.instructions.and_then(string);
    let known = gathering.source(source);
    if let Some(package) = parts.package() {
        known.package = Some(package);
    }
    if let Some(text) = instructions.filter(|text| text.len() <= INSTRUCTIONS_BYTES_MAX) {
        known.instructions = text;
    }
}

fn without_tools(
    gathering: &mut Gathering<'_>,
    parts: &Parts<'_>,
    span: Range<usize>,
    place: Place,
    origin: &str,
) -> Result<(), Fault> {
    if parts.has_name {
        let place = Place { line: place.line.or(Some(1)), tool: None };
        gathering.tool_of_any(span, place, origin);
        return Ok(());
    }
    if let Some(error) = parts.error {
        return Err(Fault::Refusal(refusal(error)));
    }
    Err(Fault::NoTools("an object without `tools`".to_owned()))
}

/// Returns the words of a JSON-RPC error, cut to a line without control characters.
fn refusal(error: &str) -> String {
    let message = scan::members(error.as_bytes(), 0)
        .map_while(Result::ok)
        .find(|member| member.key == b"message")
        .and_then(|member| string(error.get(member.value)?))
        .unwrap_or_else(|| error.to_owned());
    excerpt(&message, ECHO_CHARS_MAX)
}

fn tools(
    gathering: &mut Gathering<'_>,
    file: &[u8],
    begin: usize,
    place: Place,
    source: &str,
) -> Result<(), Fault> {
    for (at, element) in scan::elements(file, begin).enumerate() {
        let span = element.map_err(Fault::Broken)?;
        let place = Place { tool: Some(at + 1), ..place };
        gathering.tool_of(span, place, source);
    }
    Ok(())
}
