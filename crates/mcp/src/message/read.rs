//! From the bytes of one message to what they say.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Message, Notification, Request, RequestId, Response, RpcError};

/// Why bytes are no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// They are no JSON.
    #[error("not JSON: {why}")]
    NotJson {
        /// What the parser says.
        why: String,
    },
    /// They are JSON, and no message of JSON-RPC 2.0.
    #[error("not a JSON-RPC message: {why}")]
    NotMessage {
        /// What is wrong.
        why: &'static str,
        /// The id, where one can be read.
        id: Option<RequestId>,
    },
}

impl Malformed {
    /// Returns what the sender is answered.
    #[must_use]
    pub fn answer(&self) -> Response {
        let (id, error) = match self {
            Self::NotJson { .. } => {
                (None, RpcError::new(super::code::PARSE_ERROR, "Parse error: not JSON"))
            }
            Self::NotMessage { why, id } => {
                (id.clone(), RpcError::invalid_request(format!("Invalid request: {why}")))
            }
        };
        Response { id, outcome: Err(error) }
    }
}

/// The members of an envelope. A name that comes twice is an error of the parser.
#[derive(Deserialize)]
struct Envelope<'t> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'t RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'t RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'t RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'t RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'t RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'t RawValue>,
}

/// Tells a member that is null from one that is absent.
fn present<'de, D: serde::Deserializer<'de>>(it: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(it).map(Some)
}

impl Message {
    /// Reads one message.
    ///
    /// # Errors
    ///
    /// The bytes are none. An array of messages is none either: the protocol had them in 2025-03-26 alone, and no client sends them.
    ///
    /// ```
    /// use oncue_mcp::{Malformed, Message};
    ///
    /// let message = Message::read(br#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#)?;
    /// assert!(matches!(message, Message::Request(request) if &*request.method == "ping"));
    /// assert!(matches!(Message::read(b"Server ready"), Err(Malformed::NotJson { .. })));
    /// # Ok::<(), Malformed>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| Malformed::NotJson { why: error.to_string() })?;
        let not_json = |error: serde_json::Error| Malformed::NotJson { why: error.to_string() };
        let fault = |why| Malformed::NotMessage { why, id: None };
        if !text.trim_ascii_start().starts_with('{') {
            let is_list = text.trim_ascii_start().starts_with('[');
            serde_json::from_str::<&RawValue>(text).map_err(not_json)?;
            return Err(fault(match is_list {
                true => "an array of messages is not taken; send each alone",
                false => "not an object",
            }));
        }
        let envelope: Envelope<'_> = match serde_json::from_str(text) {
            Ok(envelope) => envelope,
            Err(error) if error.is_data() => {
                // The rest may still be no JSON.
                serde_json::from_str::<&RawValue>(text).map_err(not_json)?;
                return Err(fault("a member comes twice"));
            }
            Err(error) => return Err(not_json(error)),
        };
        envelope.message()
    }
}

impl Envelope<'_> {
    fn message(self) -> Result<Message, Malformed> {
        let null = self.id.is_some_and(|raw| raw.get() == "null");
        let id = self.id.and_then(RequestId::of);
        let fault = |why| Err(Malformed::NotMessage { why, id: id.clone() });
        if self.jsonrpc.is_none_or(|raw| raw.get() != "\"2.0\"") {
            return fault("`jsonrpc` is not \"2.0\"");
        }
        if self.id.is_some() && id.is_none() && !null {
            return fault("`id` is neither a number nor a string");
        }
        let Some(method) = self.method else {
            return match (self.result, self.error) {
                (Some(result), None) => match id {
                    Some(id) => Ok(Message::Response(Response::new(id, Ok(result.to_owned())))),
                    None => fault("a result without an id"),
                },
                (None, Some(error)) => match serde_json::from_str(error.get()) {
                    Ok(error) => Ok(Message::Response(Response { id, outcome: Err(error) })),
                    Err(_) => fault("`error` has no code"),
                },
                (Some(_), Some(_)) => fault("both a result and an error"),
                (None, None) => fault("neither a method nor a result nor an error"),
            };
        };
        let Ok(method) = serde_json::from_str::<Box<str>>(method.get()) else {
            return fault("`method` is not a string");
        };
        if self.result.is_some() || self.error.is_some() {
            return fault("both a method and an answer");
        }
        let params = self.params.filter(|raw| raw.get() != "null").map(RawValue::to_owned);
        if params.as_deref().is_some_and(|raw| !raw.get().starts_with('{')) {
            return fault("`params` is not an object");
        }
        match id {
            Some(id) => Ok(Message::Request(Request { id, method, params })),
            None if null => fault("the id of a request is null"),
            None => Ok(Message::Notification(Notification { method, params })),
        }
    }
}
