//! OpenAI's Responses: what is asked, what is answered, what goes wrong. Pure; the connection is made by `http`.
//!
//! Three ways of showing found tools have a form here:
//!
//! | disclosure | what is sent |
//! |---|---|
//! | client search | the search tool as `tool_search`, which the model calls with a `tool_search_call`; the `tool_search_output` holds the definitions of what was found |
//! | mask | inline tools, then all hidden ones, and `allowed_tools` names those that may be called |
//! | append | inline tools, then found ones; the result of a search is the text of the search tool |
//!
//! Nothing is kept by the vendor: each request holds the whole conversation, and replies are replayed item by item as they came, thoughts and items that nobody here understands included.
//! A search that the loop made stands there like one of the model's where searches are shown, and is left out elsewhere.
//! A choice can name only what is in the list of tools, so with client search the model cannot be held to what was found.

mod answer;
mod body;
mod error;
mod items;
mod replay;
mod stream;
mod tools;

#[cfg(test)]
mod tests;

use oncue_agent::{Encode, EncodeError, Encoded, ModelError, Reply, Request};
use serde_json::Value;

use crate::endpoint::Endpoint;
use crate::wire::{Decode, Wire};
use crate::{Names, chat, compose};

/// The name of the wire in [`Raw`](oncue_agent::conversation::Raw).
const WIRE: &str = "responses";

/// The wire. Lives as long as its endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Responses {
    endpoint: Endpoint,
}

impl Responses {
    /// The wire of an endpoint.
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self { endpoint }
    }
}

impl Encode for Responses {
    fn encode(&self, request: &Request<'_>) -> Result<Encoded, EncodeError> {
        body::encode(&self.endpoint, request)
    }
}

impl Wire for Responses {
    fn path(&self, _streams: bool) -> String {
        "/responses".to_owned()
    }

    fn streaming(&self, body: Vec<u8>) -> Result<Vec<u8>, ModelError> {
        let mut fields = compose::Fields::default();
        fields.put("stream", "true");
        compose::streaming(body, &fields)
    }

    fn decode(&self, answer: Value, names: &Names) -> Result<Reply, ModelError> {
        answer::whole(answer, names)
    }

    fn decoder(&self, names: Names) -> Box<dyn Decode> {
        Box::new(stream::Stream::new(names))
    }

    fn error(&self, status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
        chat::error::of_answer(status, headers, body)
    }
}
