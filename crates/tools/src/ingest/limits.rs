//! How much of a foreign catalog is taken in. Each bound has its unit in its name.

/// Longest message or line, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Largest definition of one tool, in bytes.
///
/// The largest that public servers send today is 89 kB.
pub const TOOL_BYTES_MAX: usize = 1024 * 1024;

/// Deepest nesting of one definition, in levels of objects and arrays.
pub const TOOL_DEPTH_MAX: usize = 64;

/// Longest name of a tool or of its server, in characters.
pub const NAME_CHARS_MAX: usize = 128;

/// Longest label that is kept, in characters.
pub const TITLE_CHARS_MAX: usize = 128;

/// Longest description, in bytes. The longest that public servers send today is 14 kB.
pub const DESCRIPTION_BYTES_MAX: usize = 32 * 1024;

/// Largest input schema, in bytes. The largest that public servers send today is 88 kB.
pub const SCHEMA_BYTES_MAX: usize = 256 * 1024;

/// Deepest nesting of an input schema, in levels of objects and arrays. The deepest seen today is 24.
pub const SCHEMA_DEPTH_MAX: usize = 32;

/// Most objects in an input schema. Every subschema is an object, so this bounds the subschemas.
pub const SUBSCHEMAS_MAX: usize = 4_000;

/// Most fixed values in all `enum` lists of an input schema together.
pub const ENUM_VALUES_MAX: usize = 2_000;

/// Most records of set-aside tools, and most notes, of one file; what comes after them is counted only.
pub const RECORDS_MAX: usize = 10_000;

/// Longest instructions of a server that are kept, in bytes.
pub const INSTRUCTIONS_BYTES_MAX: usize = 32 * 1024;
