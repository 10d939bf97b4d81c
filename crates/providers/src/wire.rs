//! What one vendor's wire must tell the rest of the crate. Pure: the connection is made elsewhere.

use oncue_agent::{Delta, Encode, ModelError, ModelErrorKind, Reply};
pub(crate) use oncue_sse::Event;
use serde_json::Value;

use crate::Names;

/// One vendor's form of requests, answers, streams and errors.
pub(crate) trait Wire: Encode + Send + Sync {
    /// Returns the path of a request below the base address, with its query.
    fn path(&self, streams: bool) -> String;

    /// Returns the headers beside the key, such as the version of the protocol.
    fn headers(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Says in which header the key travels, and what stands before it there.
    fn key_header(&self) -> (&'static str, &'static str) {
        ("authorization", "Bearer ")
    }

    /// Returns the body of [`Encode::encode`] as one that asks for a stream; the same where the path says it.
    ///
    /// # Errors
    ///
    /// The body is not what `encode` gave.
    fn streaming(&self, body: Vec<u8>) -> Result<Vec<u8>, ModelError> {
        Ok(body)
    }

    /// Reads a whole answer.
    ///
    /// # Errors
    ///
    /// It is not what the protocol says.
    fn decode(&self, answer: Value, names: &Names) -> Result<Reply, ModelError>;

    /// Returns a reader of one streamed answer.
    fn decoder(&self, names: Names) -> Box<dyn Decode>;

    /// Says how the events of a stream are told apart.
    fn framing(&self) -> Framing {
        Framing::Lines
    }

    /// Reads an error: the status, the headers (names in lower case) and the body, JSON or not.
    fn error(&self, status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError;
}

/// How the events of a stream are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// As lines of text: server-sent events.
    Lines,
    /// As binary frames of AWS.
    #[cfg(feature = "bedrock")]
    Aws,
}

/// Reads one streamed answer, event by event. Lives as long as the answer.
pub(crate) trait Decode: Send {
    /// Takes one event and hands out what is heard of it.
    ///
    /// # Errors
    ///
    /// The event is an error of the vendor, or not what the protocol says.
    fn event(&mut self, event: &Event, hear: &mut dyn FnMut(Delta)) -> Result<(), ModelError>;

    /// Says whether the protocol's own end has come, after which nothing is waited for.
    fn is_complete(&self) -> bool {
        false
    }

    /// Returns the reply, after the last event.
    ///
    /// # Errors
    ///
    /// The answer broke off before its end.
    fn finish(self: Box<Self>) -> Result<Reply, ModelError>;
}

/// Returns the data of an event as JSON.
///
/// # Errors
///
/// It is none.
pub(crate) fn json(event: &Event) -> Result<Value, ModelError> {
    serde_json::from_str(event.data.trim())
        .map_err(|error| malformed("an event that is no JSON").with_source(error))
}

/// Returns the error of a stream that has something in it which the protocol does not know.
pub(crate) fn malformed(what: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Malformed, format!("the stream has {what}"))
}

/// Returns the error of an answer that ended before it was complete.
pub(crate) fn broken_off() -> ModelError {
    ModelError::new(ModelErrorKind::Interrupted, "the answer broke off before its end")
}
