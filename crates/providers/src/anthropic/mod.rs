//! Anthropic's Messages: what is asked, what is answered, what goes wrong. Pure; the connection is made by `http`.
//!
//! Three ways of showing found tools have a form here:
//!
//! | disclosure | what is sent |
//! |---|---|
//! | by reference | every hidden tool in `tools` with `defer_loading`; the result of a search is a list of `tool_reference` |
//! | by value | a message of the role `system` with `tool_addition` behind the search; needs two betas |
//! | append | found tools at the end of `tools`; the result of a search is the text of the search tool |
//!
//! [`Choice::Among`](oncue_agent::Choice::Among) holds the model to one tool exactly; of several the vendor can only be told that any tool must be called.
//! Either way the conversation is read without its cache, and the newest models refuse to be held to anything, so endpoints of this wire say that they cannot narrow unless they are told otherwise.

mod body;
mod content;
mod decode;
mod error;
mod finish;
mod messages;
mod said;
mod search;
mod stream;
mod tools;

#[cfg(test)]
mod tests;

use oncue_agent::{Disclosure, Encode, EncodeError, Encoded, ModelError, Reply, Request};
use secrecy::ExposeSecret;
use serde_json::Value;

use crate::Names;
use crate::compose::{Fields, streaming};
use crate::endpoint::Endpoint;
use crate::wire::{Decode, Wire};

/// The name of the wire in [`Raw`](oncue_agent::conversation::Raw).
const WIRE: &str = "anthropic";

/// The version of the protocol.
const VERSION: &str = "2023-06-01";

/// The header that names the version.
const VERSION_HEADER: &str = "anthropic-version";

/// The header that opens parts of the protocol that are not for everybody yet.
const BETA_HEADER: &str = "anthropic-beta";

/// What definitions in the middle of a conversation need.
const BY_VALUE_BETAS: [&str; 2] =
    ["mid-conversation-tool-changes-2026-07-01", "inline-tools-2026-09-15"];

/// The wire. Lives as long as its endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Anthropic {
    endpoint: Endpoint,
    host: Host,
}

/// Who serves the protocol, where that changes the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    /// Anthropic, or who speaks as it does: model and version travel outside of the body's other fields.
    Anthropic,
    /// AWS Bedrock, which has the model in the address and the version and the betas in the body.
    #[cfg(any(test, feature = "bedrock"))]
    Bedrock,
}

impl Anthropic {
    /// The wire of an endpoint.
    pub(crate) fn new(endpoint: Endpoint, host: Host) -> Self {
        Self { endpoint, host }
    }

    /// Returns the betas that requests need, each once: those that the endpoint asks for, those of the model, those of the disclosure.
    fn betas(&self) -> Vec<String> {
        let headers = &self.endpoint.headers;
        let asked = headers.iter().filter(|(name, _)| name == BETA_HEADER);
        let asked = asked.flat_map(|(_, betas)| betas.expose_secret().split(','));
        let of_model = self.endpoint.facts.betas.iter().map(String::as_str);
        let by_value = self.endpoint.disclosure == Disclosure::ByValue;
        let of_disclosure = BY_VALUE_BETAS.into_iter().filter(|_| by_value);
        let mut betas: Vec<String> = Vec::new();
        for beta in asked.chain(of_model).chain(of_disclosure).map(str::trim) {
            if !beta.is_empty() && !betas.iter().any(|known| known == beta) {
                betas.push(beta.to_owned());
            }
        }
        betas
    }
}

impl Encode for Anthropic {
    fn encode(&self, request: &Request<'_>) -> Result<Encoded, EncodeError> {
        body::encode(self, request)
    }
}

impl Wire for Anthropic {
    fn path(&self, _streams: bool) -> String {
        "/v1/messages".to_owned()
    }

    fn headers(&self) -> Vec<(&'static str, String)> {
        let mut own = self.endpoint.headers.iter();
        let mut headers = Vec::new();
        if !own.any(|(name, _)| name == VERSION_HEADER) {
            headers.push((VERSION_HEADER, VERSION.to_owned()));
        }
        let betas = self.betas();
        if !betas.is_empty() {
            headers.push((BETA_HEADER, betas.join(",")));
        }
        headers
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-api-key", "")
    }

    fn streaming(&self, body: Vec<u8>) -> Result<Vec<u8>, ModelError> {
        let mut stream = Fields::default();
        stream.put("stream", "true");
        streaming(body, &stream)
    }

    fn decode(&self, answer: Value, names: &Names) -> Result<Reply, ModelError> {
        decode::whole(answer, names, &self.endpoint.model)
    }

    fn decoder(&self, names: Names) -> Box<dyn Decode> {
        Box::new(stream::Stream::new(names, self.endpoint.model.clone()))
    }

    fn error(&self, status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
        error::of_answer(status, headers, body)
    }
}
