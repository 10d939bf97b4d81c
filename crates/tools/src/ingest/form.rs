//! Which form a file has, and the way through each form.

use std::ops::Range;

use super::gather::Gathering;
use super::limits::MESSAGE_BYTES_MAX;
use super::message::{Fault, message};
use super::scan::{self, Broken};
use super::{IngestError, Listing, Place, Reason};

/// Returns what the catalog `file` lists; `origin` is the server of tools that name none, such as the file's stem.
///
/// The tools of one server have different names: of two equal ones the first is kept, the other is set aside.
///
/// # Errors
///
/// Fails where the file as a whole is no catalog. A broken tool is no error; it is in [`Listing::set_aside`].
pub fn read(file: &[u8], origin: &str) -> Result<Listing, IngestError> {
    let mut gathering = Gathering::new(file);
    match form(file)? {
        Form::Message(span) => {
            message(&mut gathering, file, span, Place::default(), origin)
                .map_err(|fault| refused(file, fault))?;
        }
        Form::Lines { broken } => {
            lines(&mut gathering, file, origin);
            if gathering.has_only_noise() {
                return Err(noise(file, broken));
            }
        }
    }
    Ok(gathering.finish())
}

/// Says why a file without a single object in its lines is no catalog.
fn noise(file: &[u8], broken: Option<Broken>) -> IngestError {
    if let Err(error) = std::str::from_utf8(file) {
        return IngestError::NotUtf8 { offset: error.valid_up_to() };
    }
    let at = scan::blank_end(file, text_begin(file));
    not_json(file, broken.unwrap_or(Broken { at, expected: "an object" }))
}

enum Form {
    /// One value, here.
    Message(Range<usize>),
    /// A value a line. `broken` is the fault met when the file was taken for one value.
    Lines { broken: Option<Broken> },
}

fn form(file: &[u8]) -> Result<Form, IngestError> {
    if is_wide(file) {
        return Err(IngestError::WideEncoding);
    }
    let begin = scan::blank_end(file, text_begin(file));
    let first_line = line_end(file, begin);
    let has_more_lines = scan::blank_end(file, first_line) < file.len();
    if begin == file.len() {
        return Err(IngestError::Empty);
    }
    if file.len() - begin > MESSAGE_BYTES_MAX {
        let is_message = opens(file.get(begin..first_line).unwrap_or_default());
        if is_message || !has_more_lines {
            return Err(IngestError::TooLong { bytes: file.len() - begin });
        }
        return Ok(Form::Lines { broken: None });
    }
    match scan::value_end(file, begin) {
        Ok(end) if scan::blank_end(file, end) == file.len() => Ok(Form::Message(begin..end)),
        Ok(end) if end <= first_line => Ok(Form::Lines { broken: None }),
        Ok(end) => {
            let at = scan::blank_end(file, end);
            Err(not_json(file, Broken { at, expected: "the end of the file" }))
        }
        Err(broken) => {
            let is_message = opens(file.get(begin..first_line).unwrap_or_default());
            if is_message || !has_more_lines {
                return Err(not_json(file, broken));
            }
            Ok(Form::Lines { broken: Some(broken) })
        }
    }
}

/// Says whether the first line of a file opens a value that goes on in the next line.
///
/// It tells a pretty-printed message that was cut short from lines of which the first is broken.
fn opens(first_line: &[u8]) -> bool {
    matches!(first_line.trim_ascii_end().last(), Some(b'{' | b'[' | b','))
}

fn is_wide(file: &[u8]) -> bool {
    file.starts_with(&[0xFF, 0xFE])
        || file.starts_with(&[0xFE, 0xFF])
        || file.starts_with(&[0, 0, 0xFE, 0xFF])
}

fn text_begin(file: &[u8]) -> usize {
    if file.starts_with(&[0xEF, 0xBB, 0xBF]) { 3 } else { 0 }
}

/// Returns the end of the line in which `at` is, without its line feed.
fn line_end(file: &[u8], at: usize) -> usize {
    let rest = file.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

fn refused(file: &[u8], fault: Fault) -> IngestError {
    match fault {
        Fault::Broken(broken) => not_json(file, broken),
        Fault::NoTools(found) => IngestError::NoTools { found },
        Fault::Refusal(message) => IngestError::Refusal { message },
    }
}

/// Turns a fault at a byte into one at a line and column.
fn not_json(file: &[u8], broken: Broken) -> IngestError {
    let before = file.get(..broken.at.min(file.len())).unwrap_or_default();
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let line_begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let column = before.len() - line_begin.max(text_begin(file).min(before.len())) + 1;
    IngestError::NotJson { line, column, expected: broken.expected.to_owned() }
}

fn lines(gathering: &mut Gathering<'_>, file: &[u8], origin: &str) {
    let mut begin = text_begin(file);
    let mut number = 0;
    while begin < file.len() {
        let end = line_end(file, begin);
        number += 1;
        line(gathering, file, begin..end, number, origin);
        begin = end + 1;
    }
}

fn line(
    gathering: &mut Gathering<'_>,
    file: &[u8],
    span: Range<usize>,
    number: usize,
    origin: &str,
) {
    let place = Place { line: Some(number), tool: None };
    let bytes = file.get(span.clone()).unwrap_or_default();
    let begin = span.start + bytes.len() - bytes.trim_ascii_start().len();
    let end = span.end - (bytes.len() - bytes.trim_ascii_end().len());
    if begin >= end {
        return;
    }
    if bytes.len() > MESSAGE_BYTES_MAX {
        let reason = Reason::LineTooLong { bytes: bytes.len() };
        return gathering.set_aside(origin, place, None, reason);
    }
    let text = file.get(..end).unwrap_or_default();
    if is_message(text, begin) {
        if let Err(fault) = message(gathering, text, begin..end, place, origin) {
            gathering.set_aside(origin, place, None, fault.in_line(begin));
        }
        return;
    }
    gathering.tool_of_any(begin..end, place, origin);
}

/// Says whether the value at `begin` is a whole message rather than a tool: it has a list of tools and no name.
fn is_message(text: &[u8], begin: usize) -> bool {
    if text.get(begin) != Some(&b'{') {
        return text.get(begin) == Some(&b'[');
    }
    let is_whole = scan::value_end(text, begin).is_ok_and(|end| end == text.len());
    let has = |key: &[u8]| {
        scan::members(text, begin).map_while(Result::ok).any(|member| member.key == key)
    };
    is_whole && !has(b"name") && (has(b"tools") || has(b"result"))
}
