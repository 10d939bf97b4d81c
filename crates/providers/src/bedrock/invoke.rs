//! `InvokeModel`: the Messages protocol behind the vendor's door.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oncue_agent::{Delta, Encode, EncodeError, Encoded, ModelError, Reply, Request};
use serde_json::Value;

use super::{error, path::path};
use crate::Names;
use crate::anthropic::{Anthropic, Host};
use crate::endpoint::Endpoint;
use crate::wire::{Decode, Event, Framing, Wire, malformed};

/// The name of events that carry those of the model's own protocol.
const CHUNK: &str = "chunk";

/// The wire. Lives as long as its endpoint.
#[derive(Clone, Debug)]
pub(super) struct Invoke {
    messages: Anthropic,
    model: String,
}

impl Invoke {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        let model = endpoint.model.clone();
        Self { messages: Anthropic::new(endpoint, Host::Bedrock), model }
    }
}

impl Encode for Invoke {
    fn encode(&self, request: &Request<'_>) -> Result<Encoded, EncodeError> {
        self.messages.encode(request)
    }
}

impl Wire for Invoke {
    fn path(&self, streams: bool) -> String {
        path(&self.model, if streams { "invoke-with-response-stream" } else { "invoke" })
    }

    fn decode(&self, answer: Value, names: &Names) -> Result<Reply, ModelError> {
        self.messages.decode(answer, names)
    }

    fn decoder(&self, names: Names) -> Box<dyn Decode> {
        Box::new(Chunks(self.messages.decoder(names)))
    }

    fn framing(&self) -> Framing {
        Framing::Aws
    }

    fn error(&self, status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
        error::of_answer(status, headers, body)
    }
}

/// Takes the events of the model's own protocol out of their chunks.
struct Chunks(Box<dyn Decode>);

impl Decode for Chunks {
    fn event(&mut self, event: &Event, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        if event.name != CHUNK {
            return Ok(());
        }
        let chunk: Option<Value> = serde_json::from_str(&event.data).ok();
        let bytes = chunk.as_ref().and_then(|chunk| chunk.get("bytes")?.as_str());
        let bytes = bytes.and_then(|bytes| STANDARD.decode(bytes).ok());
        let data = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let data = data.ok_or_else(|| malformed("a chunk without an event"))?;
        self.0.event(&Event { name: String::new(), data }, hear)
    }

    fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    fn finish(self: Box<Self>) -> Result<Reply, ModelError> {
        self.0.finish()
    }
}
