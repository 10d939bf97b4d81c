//! The loop of an agent: what to do next, apart from doing it.
//!
//! | module | holds |
//! |---|---|
//! | [`conversation`] | what was said, in words of no vendor |
//! | `model` | [`Model`]: what is asked and answered, and how found tools become visible ([`Disclosure`]) |
//! | `encode` | [`Encode`]: from a request to a vendor's bytes |
//! | [`cache`] | what a provider's cache of prompt prefixes reads and writes |

pub mod cache;
pub mod conversation;
mod encode;
mod model;

pub use encode::{Encode, EncodeError, Encoded, Loss};
pub use model::{
    Choice, Delta, Disclosure, Finish, Hidden, Listen, Model, ModelError, ModelErrorKind, Reply,
    Request, ToolList, Usage,
};
