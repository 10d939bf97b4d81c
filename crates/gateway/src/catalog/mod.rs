//! What upstreams offer: read from them, kept on disk, put into the catalog that is searched.
//!
//! | file | holds |
//! |---|---|
//! | `known` | what is known of one upstream ([`Known`]), and how it is read from it |
//! | `store` | what is known, on disk ([`Store`]) |
//! | `tools` | from what an upstream lists to tools of the catalog |

mod known;
mod store;
mod tools;

pub use known::Known;
pub(crate) use known::now_ms;
pub use store::{Store, StoreError};
pub(crate) use tools::mirrored;
pub use tools::{Outside, UpstreamTool, call_params, output, tools};
