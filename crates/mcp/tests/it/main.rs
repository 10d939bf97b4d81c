//! The crate as its users see it.

mod child;
mod lines;
mod peer;
