//! The lists that follow from rows, and the check of a list of one's own.
//!
//! ```
//! use oncue::{Row, rows};
//!
//! static ROWS: &[Row] = &[
//!     Row::declare("ToolSearch", "Finds tools by what they do").part_of_loop().inline(),
//!     Row::declare("startExport", "Writes a table to a file").keywords(&["csv"]).discoverable(),
//! ];
//!
//! assert_eq!(rows::check(ROWS, "ToolSearch"), []);
//! assert_eq!(rows::gated(ROWS).map(Row::name).collect::<Vec<_>>(), ["startExport"]);
//! ```

pub use oncue_decl::{
    Fault, NAME_CHARS_MAX, admitted, check, discoverable, excluded, gated, inline, part_of_loop,
    silent, tiers, write_scope,
};
