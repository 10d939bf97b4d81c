//! An adversary who owns one server of many and wants its tools found for every request.
//!
//! | file | holds |
//! |---|---|
//! | `market` | the honest catalog: 2,000 tools of 50 servers, with requests |
//! | `adversary` | the attacks, one list |
//! | `cover` | tools chosen to be close to as many requests as possible |
//! | `measure` | what an attack reaches |
//!
//! The adversary sees half of the requests; each attack is measured on those and on the other half apart.

mod adversary;
mod cover;
mod market;
mod measure;

pub use adversary::{ADVERSARY, Attack, attacks};
pub use cover::{Embed, tf_idf};
pub use market::{Market, market};
pub use measure::{Line, Part, measure};
