//! Google's `generateContent`: what is asked, what is answered, what goes wrong. Pure; the connection is made by `http`.
//!
//! | disclosure | what is sent |
//! |---|---|
//! | append | inline tools, then found ones; the result of a search is the text of the search tool |
//! | mask | inline tools, then all hidden ones, and `allowedFunctionNames` names those that may be called |
//!
//! Searches that the loop made are left out: what they found is in the list, or in the mask.
//!
//! Calls and results are paired by id where the model gave one, and by their order where it did not.
//! Newer models sign the first call of each reply and want the signature back, so replies are replayed as they came; a call that was never signed goes with the word that the vendor gives for that.
//! Schemas go out as JSON Schema; the vendor's older version `v1` knows a subset alone.

mod answer;
mod body;
mod contents;
mod error;
mod stream;
mod tools;

#[cfg(test)]
mod tests;

use oncue_agent::{Encode, EncodeError, Encoded, ModelError, Reply, Request};
use serde_json::Value;

use crate::Names;
use crate::endpoint::Endpoint;
use crate::wire::{Decode, Wire};

/// The name of the wire in [`Raw`](oncue_agent::conversation::Raw).
const WIRE: &str = "gemini";

/// The first generation of models that want signatures back.
const SIGNING_GENERATION: u32 = 3;

/// The wire. Lives as long as its endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Gemini {
    endpoint: Endpoint,
}

impl Gemini {
    /// The wire of an endpoint.
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self { endpoint }
    }
}

/// Says whether a model wants the signatures of its calls back; one whose name tells no generation may.
fn signs(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or_default();
    let rest = name.strip_prefix("gemini-").unwrap_or_default();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse::<u32>().is_ok_and(|generation| generation >= SIGNING_GENERATION)
        || digits.is_empty() && name.starts_with("gemini-")
}

impl Encode for Gemini {
    fn encode(&self, request: &Request<'_>) -> Result<Encoded, EncodeError> {
        body::encode(&self.endpoint, request)
    }
}

impl Wire for Gemini {
    fn path(&self, streams: bool) -> String {
        let model = &self.endpoint.model;
        let folder = if model.contains('/') { "" } else { "models/" };
        let method = if streams { "streamGenerateContent?alt=sse" } else { "generateContent" };
        format!("/{folder}{model}:{method}")
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-goog-api-key", "")
    }

    fn decode(&self, answer: Value, names: &Names) -> Result<Reply, ModelError> {
        answer::whole(&answer, names)
    }

    fn decoder(&self, names: Names) -> Box<dyn Decode> {
        Box::new(stream::Stream::new(names))
    }

    fn error(&self, status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
        error::of_answer(status, headers, body)
    }
}
