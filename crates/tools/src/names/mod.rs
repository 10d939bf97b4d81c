//! Names: which text stands for which tool, outside the program.
//!
//! A tool *is* its [`Identity`], the pair of source id and exact name.
//! Models, clients and vendors need one flat text, each with limits of its own; [`NameRules`] derives it from the identity and from nothing else, so it is the same whatever else the catalog holds, in whatever order sources connect, and after every restart.
//!
//! The form is `source__tool`.
//! A part that is too long, has illegal characters or could be read in two ways is shortened and cleaned and ends in a hash of the identity.
//! What stands before the first separator belongs to one source alone, and the program's own tools have no separator, so no name is the beginning of another source's names.
//! Only a coincidence of hashes can give two tools one name; [`NameTable`] and the catalog find it and report it.

mod hash;
mod identity;
mod near;
mod rules;
mod table;

pub use identity::Identity;
pub(crate) use near::Outline;
pub use near::near;
pub use rules::NameRules;
pub use table::{Collision, NameTable};
