//! Embedding models behind endpoints: what is asked, what is answered, and what is done while nobody answers.
//!
//! | file | holds |
//! |---|---|
//! | `endpoint` | [`EmbeddingEndpoint`]: where a model is and how it is talked to |
//! | `options` | what stands behind `?` in its name |
//! | `prefix` | what models want in front of queries and passages |
//! | `batch` | texts as they are sent, and how many at once |
//! | `wire` | requests and answers of both protocols |
//! | `vectors` | what an answer must be |
//! | `rest` | how long a model is left alone that has failed |
//! | `recent` | the vectors of queries that were asked lately |
//! | `embedder` | [`EndpointEmbedder`]: all of it over a connection |

mod batch;
mod embedder;
mod endpoint;
mod options;
mod prefix;
mod recent;
mod rest;
mod vectors;
mod wire;

pub use embedder::EndpointEmbedder;
pub use endpoint::EmbeddingEndpoint;
pub use prefix::of_model as embedding_prefixes;
