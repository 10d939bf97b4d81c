//! Chat Completions, which OpenAI made and most servers speak: what is asked, what is answered, what goes wrong. Pure; the connection is made by `http`.
//!
//! | disclosure | what is sent |
//! |---|---|
//! | append | inline tools, then found ones; the result of a search is the text of the search tool |
//! | mask | inline tools, then all hidden ones, and `allowed_tools` names those that may be called |
//!
//! Searches that the loop made are left out: what they found is in the list, or in the mask.
//! [`Choice::Among`](oncue_agent::Choice::Among) is `allowed_tools` where the endpoint can narrow; where it cannot, one tool can still be named.
//!
//! Servers differ in what they send; what each of them does is taken as it is meant:
//!
//! - calls without ids or with the same ids keep their order, and the loop gives them others;
//! - arguments may be an object; a name may have `functions.` in front, or stand in the id alone;
//! - thoughts stand in `reasoning` or `reasoning_content`;
//! - a stream may lack indexes, and an error may be a text.
//!
//! Ollama is spoken to in this way too.
//! Its own protocol has one thing more, the length of the context: here a prompt that is longer than the server's own setting (`OLLAMA_CONTEXT_LENGTH`) is cut without a word.
//!
//! A reply is replayed as it came, with arguments that are no object replaced by `{}`: some servers fail on a conversation that holds others.

mod answer;
mod body;
pub(crate) mod error;
mod messages;
mod stream;
mod tools;

#[cfg(test)]
mod tests;

use oncue_agent::{Encode, EncodeError, Encoded, ModelError, Reply, Request};
use serde_json::Value;

use crate::endpoint::Endpoint;
use crate::wire::{Decode, Wire};
use crate::{Names, compose};

/// The name of the wire in [`Raw`](oncue_agent::conversation::Raw).
const WIRE: &str = "chat";

/// The field that says what a stream is to hold.
const STREAM_OPTIONS: &str = "stream_options";

/// The wire. Lives as long as its endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Chat {
    endpoint: Endpoint,
}

impl Chat {
    /// The wire of an endpoint.
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self { endpoint }
    }
}

impl Encode for Chat {
    fn encode(&self, request: &Request<'_>) -> Result<Encoded, EncodeError> {
        body::encode(self, request)
    }
}

impl Wire for Chat {
    fn path(&self, _streams: bool) -> String {
        "/chat/completions".to_owned()
    }

    fn streaming(&self, body: Vec<u8>) -> Result<Vec<u8>, ModelError> {
        let mut fields = compose::Fields::default();
        fields.put("stream", "true");
        fields.put(STREAM_OPTIONS, r#"{"include_usage":true}"#);
        let own = self.endpoint.extra.iter().filter(|(name, _)| *name == STREAM_OPTIONS);
        fields.extend(own);
        compose::streaming(body, &fields)
    }

    fn decode(&self, answer: Value, names: &Names) -> Result<Reply, ModelError> {
        answer::whole(&answer, &self.reader(names))
    }

    fn decoder(&self, names: Names) -> Box<dyn Decode> {
        Box::new(stream::Stream::new(names, self.endpoint.is_lenient))
    }

    fn error(&self, status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
        error::of_answer(status, headers, body)
    }
}

impl Chat {
    fn reader<'n>(&self, names: &'n Names) -> answer::Reader<'n> {
        answer::Reader { names, is_lenient: self.endpoint.is_lenient }
    }
}
