//! AWS Bedrock: its own protocol for every model, and Anthropic's behind it for Claude.
//!
//! | what is asked for | goes over |
//! |---|---|
//! | Claude, by reference or by value | `InvokeModel`, with the body of the Messages protocol |
//! | everything else | `Converse`, which shows found tools as a list |
//!
//! Who asks is found where the vendor's own programs look: a key for Bedrock, else the environment, profiles, single sign-on, the machine's role.
//! Requests are made and read here and signed by the vendor's library; its generated client is left out, since it would drop blocks that it does not know.

mod access;
mod converse;
mod error;
mod event_stream;
mod invoke;
mod open;
mod path;
mod sign;

#[cfg(test)]
mod tests;

pub use access::AwsAccess;
pub(crate) use event_stream::EventStream;
pub(crate) use open::open;
