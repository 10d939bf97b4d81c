//! Every wire that there is a fake of.

use crate::{Anthropic, Wire};

/// Returns one of each wire, in the order in which they are asked whether they serve a path.
#[must_use]
pub fn wires() -> Vec<Box<dyn Wire>> {
    vec![Box::new(Anthropic::default())]
}
