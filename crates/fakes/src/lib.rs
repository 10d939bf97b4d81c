//! Strict stand-ins for the servers of model vendors.
//!
//! A fake refuses what the real server refuses, in its words, and computes from the bytes of each request what the vendor's prompt cache would read, write and miss.
//! It answers from a script ([`Scripted`]); it has no mind of its own.
//!
//! | module | holds |
//! |---|---|
//! | `script` | what is answered, in words of no vendor |
//! | `wire` | [`Wire`]: one vendor's rules and form |
//! | `server` | [`Fake`]: the HTTP server around wires |
//! | `glance` | what an onlooker sees of a request, for answers that depend on it |
//! | `anthropic` | [`Anthropic`]: Anthropic Messages |
//! | `bedrock` | [`Bedrock`], [`BedrockInvoke`]: Converse and InvokeModel of AWS Bedrock |
//! | `chat` | [`Chat`]: OpenAI Chat Completions, and servers that speak it less well ([`Quirk`]) |
//! | `responses` | [`Responses`]: OpenAI Responses |
//! | `gemini` | [`Gemini`]: Google Gemini |
//! | `embeddings` | [`Embeddings`], [`OllamaEmbed`]: embedding models of OpenAI and of Ollama |
//! | `ollama` | [`Ollama`]: the protocol of Ollama itself |
//!
//! The binary `oncue-fake` serves every wire to programs in other languages.

mod anthropic;
mod bedrock;
mod chat;
mod embeddings;
mod frame;
mod gemini;
mod glance;
mod limits;
mod ollama;
mod openai;
mod read;
mod responses;
mod script;
mod server;
mod shape;
mod tokens;
mod wire;
mod wires;

pub use anthropic::Anthropic;
pub use bedrock::{Bedrock, BedrockInvoke};
pub use chat::{Chat, Quirk};
pub use embeddings::{Embeddings, OllamaEmbed};
pub use gemini::Gemini;
pub use glance::{Declared, Glance, Outcome};
pub use ollama::Ollama;
pub use responses::Responses;
pub use script::{Failure, Piece, Scripted};
pub use server::{Chunks, Fake, Seen};
pub use wire::{Asked, Refusal, Wire};
pub use wires::wires;
