//! Sentence encoders in pure Rust: text to vectors, without a graphics card or a runtime.
//!
//! A model is installed once into a folder ([`Models::install`]) and mapped into memory where it is used ([`Models::open`]).
//! It is an [`Embedder`](oncue_tools::Embedder), so a catalog ranks by meaning with it.
//!
//! # Weights
//!
//! The crate carries none. They come from a package whose digest is pinned, under the licence that [`KnownModel::licence`] says.
//!
//! # Cost
//!
//! `cargo bench -p oncue-embed` measures texts a second; `docs/speed.md` has figures.
//!
//! # Map
//!
//! | module | holds |
//! |---|---|
//! | `store` | [`Models`]: what is installed, and what can be |
//! | `sentence` | [`SentenceEncoder`]: a model in use |
//! | `kept` | [`KeptVectors`]: vectors that are remembered on disk |
//! | `tuning` | what requests have taught of tools, as a file |
//! | `tokens` | text to pieces |
//! | `encoder` | pieces to a vector; products of bytes |
//! | `file` | the file that is mapped, and how it is made |
//! | [`limits`] | every bound |

mod encoder;
mod error;
mod file;
mod kept;
pub mod limits;
mod sentence;
mod store;
mod tokens;
mod tuning;

pub use error::ModelError;
pub use kept::KeptVectors;
pub use sentence::{Precision, SentenceEncoder};
pub use store::{DEFAULT_MODEL, Installed, KnownModel, Models, known, known_as, read_archive};
pub use tuning::{TuningError, read_tuning, write_tuning};
