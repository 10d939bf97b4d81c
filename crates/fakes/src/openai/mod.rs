//! What the two OpenAI protocols have in common: words of refusals, definitions of functions, models, usage.

pub(crate) mod failure;
pub(crate) mod fault;
pub(crate) mod fields;
pub(crate) mod function;
pub(crate) mod key;
pub(crate) mod model;
pub(crate) mod schema;
