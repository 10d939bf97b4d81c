//! The runtime of AWS Bedrock: its own conversation API, and the door to the vendors' own bodies.

mod auth;
mod converse;
mod error;
mod frame;
mod invoke;
mod path;

pub use converse::Bedrock;
pub use invoke::BedrockInvoke;
pub(crate) use path::vendor_model;
