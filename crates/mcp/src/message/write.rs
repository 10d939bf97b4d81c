//! From a message to its bytes: one line of JSON without a line end.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Message, RequestId, RpcError};

#[derive(Serialize)]
struct Envelope<'m> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'m RequestId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'m RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'m RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'m RpcError>,
}

/// An answer to what could not be read says so with an id that is null.
#[derive(Serialize)]
struct Unread<'m> {
    jsonrpc: &'static str,
    id: (),
    error: &'m RpcError,
}

impl Message {
    /// Returns the message as one line of JSON, without the line end.
    ///
    /// Values that were written over several lines are joined: within JSON a line end stands between tokens only, and in a stream of lines it would end the message.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let blank = Envelope {
            jsonrpc: "2.0",
            id: None,
            method: None,
            params: None,
            result: None,
            error: None,
        };
        let envelope = match self {
            Self::Request(it) => Envelope {
                id: Some(&it.id),
                method: Some(&it.method),
                params: it.params.as_deref(),
                ..blank
            },
            Self::Notification(it) => {
                Envelope { method: Some(&it.method), params: it.params.as_deref(), ..blank }
            }
            Self::Response(it) => match (&it.outcome, &it.id) {
                (Ok(result), id) => Envelope { id: id.as_ref(), result: Some(result), ..blank },
                (Err(error), Some(id)) => Envelope { id: Some(id), error: Some(error), ..blank },
                (Err(error), None) => {
                    return line(&Unread { jsonrpc: "2.0", id: (), error });
                }
            },
        };
        line(&envelope)
    }
}

fn line(message: &impl Serialize) -> Vec<u8> {
    // Text keys and JSON that is there already always serialize.
    let mut bytes = serde_json::to_vec(message).unwrap_or_default();
    for byte in &mut bytes {
        // Inside a string a line end is escaped, so this one is white space.
        if matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    bytes
}
