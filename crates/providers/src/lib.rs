//! Model vendors behind one trait.

mod names;
mod wire;

pub(crate) use names::Names;
