//! The row of a tool, and what derives from rows.
//!
//! A tool is declared once, as one [`Row`]: its name, what it does, the words people use for it, whether the model sees it from the first step, how much authority it needs, and how far it is exposed to external clients.
//! Every other list (the inline set, the gated set, the scope tiers …) is a function of the rows in this crate; none is kept by hand.
//!
//! ```
//! use oncue_decl::{Exposure, Row, check, inline};
//!
//! static ROWS: &[Row] = &[
//!     Row::declare("ToolSearch", "Finds tools by what they do").part_of_loop().inline(),
//!     Row::declare("readTable", "Reads rows of a table")
//!         .silent()
//!         .exposure(Exposure::ReadOnly)
//!         .inline(),
//!     Row::declare("startExport", "Writes a table to a file")
//!         .keywords(&["csv", "download", "save as"])
//!         .exposure(Exposure::Full)
//!         .discoverable(),
//! ];
//!
//! assert_eq!(check(ROWS, "ToolSearch"), []);
//! let seen: Vec<&str> = inline(ROWS).map(|row| row.name()).collect();
//! assert_eq!(seen, ["ToolSearch", "readTable"]);
//! ```
//!
//! # What it is not
//!
//! There is no code of any tool here, no schema and no permission check.
//! The crate is `no_std`, has no dependencies and builds for `wasm32`, so that a browser page and a server can share one list of rows.
//!
//! # Map
//!
//! | module | holds |
//! |---|---|
//! | `row` | [`Row`], [`Declaration`] and the axes of a row |
//! | `derive` | the lists that follow from rows: [`inline`], [`gated`], [`admitted`] … |
//! | `check` | [`check`]: what a list of rows must satisfy, for your own tests |

#![no_std]

extern crate alloc;

mod check;
mod derive;
mod row;

pub use check::{Fault, NAME_CHARS_MAX, check};
pub use derive::{
    Scope, admitted, discoverable, excluded, gated, inline, part_of_loop, silent, tiers,
    write_scope,
};
pub use row::{Declaration, Exposure, Keywords, Pair, PairRole, Row, Text, Tier, Visibility};
