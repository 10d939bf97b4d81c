//! What an answer to a search costs the model that reads it, by the form that it has.
//!
//! Every form is written for the same hits, so what differs is the form alone.

mod catalog;
mod form;
mod sizes;

pub use catalog::catalog;
pub use form::{Form, rivals};
pub use sizes::{Sizes, Spread, measure};
