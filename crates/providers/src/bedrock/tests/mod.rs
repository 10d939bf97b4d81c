//! The wires against bodies and answers written by hand.

mod converse;
mod errors;
mod invoke;
mod prefix;
mod stream;

use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue, Message};
use oncue_agent::{Delta, ModelError, Reply};
use serde_json::Value;

use super::EventStream;
use crate::wire::Decode;
use crate::{Endpoint, Protocol};

/// A model that knows marks and takes text behind results.
const CLAUDE: &str = "eu.anthropic.claude-x-v1:0";

fn endpoint(model: &str) -> Endpoint {
    Endpoint::new(Protocol::Bedrock, "", model)
}

/// Returns a frame with these headers.
fn frame(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let message = Message::new(payload.to_owned().into_bytes());
    let message = headers.iter().fold(message, |message, (name, value)| {
        let value = HeaderValue::String((*value).to_owned().into());
        message.add_header(Header::new((*name).to_owned(), value))
    });
    let mut bytes = Vec::new();
    write_message_to(&message, &mut bytes).unwrap();
    bytes
}

fn event(name: &str, payload: &Value) -> Vec<u8> {
    frame(&[(":message-type", "event"), (":event-type", name)], &payload.to_string())
}

/// Feeds pieces of a stream.
fn read(
    mut decoder: Box<dyn Decode>,
    pieces: &[&[u8]],
    heard: &mut Vec<Delta>,
) -> Result<Reply, ModelError> {
    let mut frames = EventStream::default();
    for piece in pieces {
        for event in frames.feed(piece)? {
            decoder.event(&event, &mut |delta| heard.push(delta))?;
        }
        if decoder.is_complete() {
            break;
        }
    }
    decoder.finish()
}
