//! `Converse`: the vendor's own protocol for every model. Pure; the connection is made by `http`.
//!
//! Found tools join the list, and the searches of the loop are left out.
//! A reply can be held to one tool or to any, and not to none: that the model may call nothing is reported as lost, and the loop must not run what it calls then.

mod answer;
mod body;
mod choice;
mod messages;
mod said;
mod stream;

use oncue_agent::{Encode, EncodeError, Encoded, ModelError, Reply, Request};
use serde_json::Value;

use super::{error, path::path};
use crate::Names;
use crate::endpoint::Endpoint;
use crate::wire::{Decode, Framing, Wire};

/// The name of the wire in [`Raw`](oncue_agent::conversation::Raw).
const WIRE: &str = "bedrock";

/// The wire. Lives as long as its endpoint.
#[derive(Clone, Debug)]
pub(super) struct Converse {
    endpoint: Endpoint,
}

impl Converse {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self { endpoint }
    }
}

impl Encode for Converse {
    fn encode(&self, request: &Request<'_>) -> Result<Encoded, EncodeError> {
        body::encode(&self.endpoint, request)
    }
}

impl Wire for Converse {
    fn path(&self, streams: bool) -> String {
        path(&self.endpoint.model, if streams { "converse-stream" } else { "converse" })
    }

    fn decode(&self, answer: Value, names: &Names) -> Result<Reply, ModelError> {
        answer::whole(answer, names, &self.endpoint.model)
    }

    fn decoder(&self, names: Names) -> Box<dyn Decode> {
        Box::new(stream::Stream::new(names, self.endpoint.model.clone()))
    }

    fn framing(&self) -> Framing {
        Framing::Aws
    }

    fn error(&self, status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
        error::of_answer(status, headers, body)
    }
}
