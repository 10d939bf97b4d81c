//! Model vendors behind one trait.
#![expect(dead_code, reason = "nothing asks a wire yet")]

pub mod lenient;
pub mod limits;
mod names;
pub mod schema;
mod wire;

pub(crate) use names::Names;
