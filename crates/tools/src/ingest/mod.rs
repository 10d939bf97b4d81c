//! From the bytes of a catalog file to definitions.
//!
//! Three forms are read, told apart by their content:
//!
//! - an MCP `tools/list` result: `{"tools": […]}`, its JSON-RPC envelope `{"result": {"tools": …}}`, or the bare array; beside `tools` it may carry `server`, `package`, `version`, `license` and `instructions`;
//! - one tool a line: `{"id", "name", "description", "input_schema"?, "server"?}`;
//! - one message of the first form a line.
//!
//! Each tool is found and decoded alone: a bad one is set aside with its place and reason while its siblings live.
//! A definition is kept byte for byte.
//! Nothing is fetched, no file is opened, and the time a file takes is linear in its length.
//!
//! ```
//! use oncue_tools::ingest;
//!
//! let file = br#"{"server": "mail", "tools": [
//!     {"name": "send_mail", "description": "Sends a mail", "inputSchema": {"type": "object"}},
//!     {"name": 7}
//! ]}"#;
//! let listing = ingest::read(file, "unnamed")?;
//!
//! let names: Vec<_> = listing.tools().map(|(server, tool)| (server, tool.definition.name())).collect();
//! assert_eq!(names, [("mail", "send_mail")]);
//! assert_eq!(listing.set_aside[0].to_string(), "tool 2: the name is a number, not a string");
//! # Ok::<(), oncue_tools::ingest::IngestError>(())
//! ```
//!
//! A file chooses the ids of its servers, so this is for files that the user chose.
//! What an upstream answers on the wire belongs to that upstream alone.

mod form;
mod gather;
mod limits;
mod listing;
mod message;
mod reason;
mod scan;
mod tool;

pub use form::read;
pub use limits::{
    DESCRIPTION_BYTES_MAX, ENUM_VALUES_MAX, INSTRUCTIONS_BYTES_MAX, MESSAGE_BYTES_MAX,
    NAME_CHARS_MAX, RECORDS_MAX, SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX, SUBSCHEMAS_MAX,
    TITLE_CHARS_MAX, TOOL_BYTES_MAX, TOOL_DEPTH_MAX,
};
pub use listing::{Listed, Listing, Note, Package, Place, SetAside, Source};
pub use reason::{IngestError, Oddity, Reason};

#[cfg(test)]
mod tests;
