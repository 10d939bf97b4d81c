//! Finds calls in text that a weak model wrote, where its server left them there.
//!
//! Models of a few billion parameters often write the call instead of making it: between tags, in fenced code, bare, several in a row, with arguments wrapped in strings or in an echo of their schema.
//! [`read`] is pure and total: any text has a reading, in time proportional to its length.
//! It is meant for what the model itself said in one reply.
//! Never give it the result of a tool or anything else from outside: whoever wrote that could make calls.
//!
//! What counts as a call:
//!
//! - between tags such as `<tool_call>`, every object in the shape of a call;
//! - in a text that holds nothing else once tags and fences are taken off, every object in the shape of a call, whatever its name; one that has keys that calls do not have, or no arguments, only where its name is known;
//! - within prose, objects with arguments whose name is known, and fenced code that holds such objects alone.
//!
//! The same call written again and again is one call: such models repeat themselves until they are stopped.
//! A definition of a tool is no call, thoughts call nothing, and what lies within other JSON is data.
//!
//! | file | holds |
//! |---|---|
//! | `json` | JSON as such models write it |
//! | `shape` | which JSON is a call |
//! | `scan` | where in a text JSON stands, and between what |

mod json;
mod scan;
mod shape;

#[cfg(test)]
mod tests;

use oncue_agent::conversation::Call;
use oncue_tools::CallId;

use crate::limits::{LENIENT_CALLS_MAX, LENIENT_TEXT_BYTES_MAX};
use scan::{Kind, Piece};
use shape::Shaped;

/// How a text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The model ended it; brackets that it forgot to close may be added.
    Whole,
    /// It reached its longest allowed length; what is open stays open.
    CutOff,
}

/// What a text says and calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The calls in order, without ids.
    pub calls: Vec<Call>,
    /// The text without them; the whole text, untouched, where there are none.
    pub text: String,
}

/// Finds the calls in `text`; `is_known` says whether a tool of a name exists.
///
/// ```
/// use oncue_providers::lenient::{Ending, read};
///
/// let text = "```json\n{\"name\": \"readTable\", \"arguments\": {\"table\": \"Users\"}}\n```";
/// let reading = read(text, Ending::Whole, |_| false);
/// assert_eq!(reading.calls[0].name, "readTable");
/// assert_eq!(reading.calls[0].arguments, r#"{"table":"Users"}"#);
/// assert_eq!(reading.text, "");
///
/// let prose = format!("A call looks like this: {text}");
/// assert_eq!(read(&prose, Ending::Whole, |_| false).calls, []);
/// assert_eq!(read(&prose, Ending::Whole, |name| name == "readTable").calls.len(), 1);
/// ```
#[must_use]
pub fn read(text: &str, ending: Ending, is_known: impl Fn(&str) -> bool) -> Reading {
    let nothing = || Reading { calls: Vec::new(), text: text.to_owned() };
    if text.len() > LENIENT_TEXT_BYTES_MAX {
        return nothing();
    }
    let pieces = scan::pieces(text, ending);
    let is_nothing = |piece: &Piece| {
        let prose = slice(text, piece).trim_start_matches(scan::is_separator);
        // An object that the end of the reply cut off was to be one more call.
        let is_cut_off = ending == Ending::CutOff && piece.range.end == text.len();
        prose.is_empty() || is_cut_off && prose.starts_with('{')
    };
    let says_nothing_else = pieces.iter().all(|piece| match &piece.kind {
        Kind::Prose => is_nothing(piece),
        Kind::Thoughts | Kind::Tagged(_) => true,
        Kind::Json(calls) => calls.iter().all(|call| counts_alone(call, &is_known)),
    });
    let mut reading = Reading::default();
    for piece in &pieces {
        match &piece.kind {
            Kind::Tagged(calls) => reading.take(calls),
            Kind::Json(calls)
                if says_nothing_else
                    || calls.iter().all(|call| counts_in_prose(call, &is_known)) =>
            {
                reading.take(calls);
            }
            Kind::Prose if says_nothing_else => {}
            _ => reading.text.push_str(slice(text, piece)),
        }
    }
    if reading.calls.is_empty() {
        return nothing();
    }
    reading.text = reading.text.trim().to_owned();
    reading
}

/// Returns the calls that the arguments of one call are: one, unless a server glued the arguments of several together.
///
/// Each is a JSON object as text, taken out of strings around it and of an echo of the schema, or else the text as it is; brackets that are missing at its end are added.
/// Empty objects in front of others are what some servers begin with, and are dropped.
///
/// ```
/// use oncue_providers::lenient::arguments;
///
/// assert_eq!(arguments(r#""{\"path\": \"a\"}""#), [r#"{"path": "a"}"#]);
/// assert_eq!(arguments(r#"{}{"path": "a"}{"path": "b"}"#), [r#"{"path": "a"}"#, r#"{"path": "b"}"#]);
/// assert_eq!(arguments(r#"{"path": 1"#), [r#"{"path":1}"#]);
/// assert_eq!(arguments("path"), ["path"]);
/// ```
#[must_use]
pub fn arguments(text: &str) -> Vec<String> {
    shape::arguments(text)
}

/// Says whether a text that begins so may turn out to be calls, so that one who shows it while it comes should wait.
pub(crate) fn may_be_calls(beginning: &str) -> bool {
    scan::may_be_calls(beginning)
}

fn counts_alone(call: &Shaped, is_known: &impl Fn(&str) -> bool) -> bool {
    !call.is_definition && (call.has_arguments && !call.has_more || is_known(&call.name))
}

fn counts_in_prose(call: &Shaped, is_known: &impl Fn(&str) -> bool) -> bool {
    !call.is_definition && call.has_arguments && is_known(&call.name)
}

fn slice<'t>(text: &'t str, piece: &Piece) -> &'t str {
    text.get(piece.range.clone()).unwrap_or_default()
}

impl Reading {
    fn take(&mut self, calls: &[Shaped]) {
        for call in calls {
            let is_repeated = self
                .calls
                .iter()
                .any(|known| known.name == call.name && known.arguments == call.arguments);
            if self.calls.len() < LENIENT_CALLS_MAX && !is_repeated {
                self.calls.push(Call {
                    id: CallId::default(),
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                });
            }
        }
    }
}
