//! The rows of a whole toolkit, every list that follows from them, and every rule that rows can break.

mod checks;
mod derivations;
mod imports;
mod pairs;
mod rows;
mod workbench;
