//! Model vendors behind one trait.
//!
//! | module | holds |
//! |---|---|
//! | `endpoint` | [`Endpoint`]: where a model is and how it is talked to; [`Provider`]: the same by name |
//! | `embeddings` | [`EmbeddingEndpoint`], [`EndpointEmbedder`]: models that turn texts into vectors |
//! | `models` | what is known of vendors and models, as data |
//! | `key` | [`Key`]: used, never shown |
//! | `wire` | what one vendor's wire tells the rest, without a connection |
//! | `anthropic` | the wire of Anthropic's Messages |
//! | `bedrock` | the wires of AWS Bedrock, with the feature of that name |
//! | `chat` | the wire of Chat Completions, which most servers speak |
//! | `responses` | the wire of OpenAI's Responses |
//! | `gemini` | the wire of Google's `generateContent` |
//! | `blocks`, `compose` | what those wires have in common when they write a request |
//! | [`schema`] | schemas of arguments as each vendor accepts them |
//! | [`lenient`] | calls in text that weak models wrote |
//! | `http` | the connection: one client for every wire |
//! | `names` | what tools are called on a wire |
//! | [`limits`] | every bound |

mod anthropic;
#[cfg(feature = "bedrock")]
mod bedrock;
mod blocks;
#[cfg(test)]
mod chaos;
mod chat;
mod compose;
#[cfg(test)]
mod conversations;
mod counts;
mod embeddings;
mod endpoint;
mod gemini;
mod http;
mod key;
pub mod lenient;
pub mod limits;
mod models;
mod names;
mod responses;
#[cfg(test)]
mod samples;
pub mod schema;
mod tokens;
mod wire;

#[cfg(feature = "bedrock")]
pub use bedrock::AwsAccess;
pub use embeddings::{EmbeddingEndpoint, EndpointEmbedder, embedding_prefixes};
pub use endpoint::{Endpoint, Provider, SetupError, Times};
pub use key::{Key, KeyError};
pub use models::{EmbeddingProtocol, Facts, Prices, Protocol};
pub(crate) use names::Names;
