//! Why a file, a tool or a detail of a tool was not taken in; kinds with their values, and their wording.

use super::Place;
use super::limits::{
    DESCRIPTION_BYTES_MAX, ENUM_VALUES_MAX, MESSAGE_BYTES_MAX, NAME_CHARS_MAX, SCHEMA_BYTES_MAX,
    SCHEMA_DEPTH_MAX, SUBSCHEMAS_MAX, TITLE_CHARS_MAX, TOOL_BYTES_MAX, TOOL_DEPTH_MAX,
};
use crate::limits::{TOOLS_MAX, TOOLS_PER_SOURCE_MAX};

/// Why nothing of a file was taken in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IngestError {
    /// There is nothing but white space.
    #[error("the catalog is empty: expected a `tools/list` result or one tool a line")]
    Empty,
    /// The text is UTF-16 or UTF-32.
    #[error("the catalog is not UTF-8 but UTF-16 or UTF-32: save it as UTF-8")]
    WideEncoding,
    /// The text is not UTF-8.
    #[error("invalid UTF-8 at byte {offset}")]
    NotUtf8 {
        /// Byte offset in the file, from 0.
        offset: usize,
    },
    /// The text is not JSON.
    #[error("not JSON at line {line}, column {column}: expected {expected}")]
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
        /// What should have been there.
        expected: String,
    },
    /// One message is too long.
    #[error(
        "the message has {bytes} bytes, more than {MESSAGE_BYTES_MAX}: write one tool a line instead"
    )]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The JSON is no catalog.
    #[error("no list of tools: {found}; expected a `tools` array, or one tool a line")]
    NoTools {
        /// What there is instead.
        found: String,
    },
    /// The file is a server's refusal.
    #[error("the server answered `tools/list` with an error: {message}")]
    Refusal {
        /// The server's words, cut to a line.
        message: String,
    },
}

/// Why one tool was not taken in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The text is not UTF-8.
    #[error("invalid UTF-8 at byte {offset}")]
    NotUtf8 {
        /// Byte offset in the file, from 0.
        offset: usize,
    },
    /// The text is not JSON.
    #[error("not JSON at column {column}: {detail}")]
    NotJson {
        /// Byte of the tool's text at or just before which the parser stopped, from 1.
        column: usize,
        /// What is wrong.
        detail: String,
    },
    /// The line is too long to be looked at.
    #[error("the line has {bytes} bytes, more than {MESSAGE_BYTES_MAX}")]
    LineTooLong {
        /// Its length.
        bytes: usize,
    },
    /// The definition is too large.
    #[error("the definition has {bytes} bytes, more than {TOOL_BYTES_MAX}")]
    TooLarge {
        /// Its length.
        bytes: usize,
    },
    /// The definition is nested too deep.
    #[error("the definition is {depth} levels deep, more than {TOOL_DEPTH_MAX}")]
    TooDeep {
        /// Its depth.
        depth: usize,
    },
    /// The text is JSON of another form.
    #[error("the tool is {found}, not an object")]
    NotObject {
        /// The type it has.
        found: &'static str,
    },
    /// A part has the wrong type.
    #[error("{field} is {found}, not {expected}")]
    WrongType {
        /// The part.
        field: &'static str,
        /// The type it should have.
        expected: &'static str,
        /// The type it has.
        found: &'static str,
    },
    /// A text has an escape that stands for no character, such as half of a surrogate pair.
    #[error("{field} has an escape that stands for no character")]
    BrokenText {
        /// The part.
        field: &'static str,
    },
    /// A part is there twice, so it is unclear which counts.
    #[error("`{field}` is there twice")]
    RepeatedField {
        /// The part.
        field: &'static str,
    },
    /// There is no name.
    #[error("no name")]
    NoName,
    /// The name is too long.
    #[error("the name has {chars} characters, more than {NAME_CHARS_MAX}")]
    NameTooLong {
        /// Its length.
        chars: usize,
    },
    /// The name has a line break, an escape or another control character.
    #[error("the name has a control character (U+{code:04X})")]
    NameWithControl {
        /// The character.
        code: u32,
    },
    /// An earlier tool of the same server has this name.
    #[error("the same server lists this name at {first} already")]
    DuplicateName {
        /// Where the tool stands that was kept.
        first: Place,
    },
    /// The description is too long.
    #[error("the description has {bytes} bytes, more than {DESCRIPTION_BYTES_MAX}")]
    DescriptionTooLong {
        /// Its length.
        bytes: usize,
    },
    /// The input schema is too large.
    #[error("the input schema has {bytes} bytes, more than {SCHEMA_BYTES_MAX}")]
    SchemaTooLarge {
        /// Its length.
        bytes: usize,
    },
    /// The input schema is nested too deep.
    #[error("the input schema is {depth} levels deep, more than {SCHEMA_DEPTH_MAX}")]
    SchemaTooDeep {
        /// Its depth.
        depth: usize,
    },
    /// The input schema has too many objects.
    #[error("the input schema has {objects} objects, more than {SUBSCHEMAS_MAX}")]
    TooManySubschemas {
        /// How many.
        objects: usize,
    },
    /// The input schema has too many fixed values.
    #[error("the input schema has {values} enum values, more than {ENUM_VALUES_MAX}")]
    TooManyEnumValues {
        /// How many.
        values: usize,
    },
    /// The server lists too many tools.
    #[error("the server lists more than {TOOLS_PER_SOURCE_MAX} tools")]
    SourceFull,
    /// The file lists too many tools.
    #[error("the file lists more than {TOOLS_MAX} tools")]
    FileFull,
    /// A line is a message without a list of tools.
    #[error("no list of tools: {found}")]
    NoTools {
        /// What there is instead.
        found: String,
    },
}

/// Something odd in a file that costs no tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Oddity {
    /// The tool declares no arguments.
    #[error("no input schema: taken as a tool whose arguments are unknown")]
    NoInputSchema,
    /// The output schema cannot be used.
    #[error("the output schema is ignored: {why}")]
    OutputSchema {
        /// What is wrong with it.
        why: &'static str,
    },
    /// The annotations cannot be used.
    #[error("the annotations are ignored: they are {found}, not an object")]
    Annotations {
        /// The type they have.
        found: &'static str,
    },
    /// The label is not text.
    #[error("the title is ignored: it is {found}, not a string")]
    Title {
        /// The type it has.
        found: &'static str,
    },
    /// The label is too long to be one.
    #[error("the title is ignored: it has {chars} characters, more than {TITLE_CHARS_MAX}")]
    TitleTooLong {
        /// Its length.
        chars: usize,
    },
    /// The server's id cannot be used.
    #[error("the server id is ignored: it is not a name of 1 to {NAME_CHARS_MAX} characters")]
    Server,
    /// The list is one page of several.
    #[error("the list has further pages (`nextCursor`) that are not in this file")]
    MorePages,
}
