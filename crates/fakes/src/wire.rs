//! One vendor's side of a conversation. Pure: bytes and values in, bytes and values out.

use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::Value;

use crate::Scripted;

/// A request as it came over HTTP.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The path, without a query.
    pub path: String,
    /// The query, without its `?`.
    pub query: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

/// What a fake sends back for a request that it does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The vendor's word for the kind of error, where it has one.
    pub kind: String,
    /// The vendor's message.
    pub message: String,
    /// Further fields of the vendor's error, such as a code or a parameter.
    pub details: Vec<(String, String)>,
}

/// A vendor's form of the conversation: what it takes, what it refuses, how it answers.
pub trait Wire: Send + Sync + 'static {
    /// Returns the name of the wire.
    fn name(&self) -> &'static str;

    /// Says whether a request of this path is for this wire.
    fn serves(&self, path: &str) -> bool;

    /// Holds the request against every rule that the real server enforces.
    ///
    /// # Errors
    ///
    /// It breaks one.
    fn check(&self, asked: &Asked) -> Result<(), Refusal>;

    /// Returns what the vendor's cache sees of the request, from its bytes alone.
    fn prompt(&self, asked: &Asked) -> Prompt;

    /// Returns the rules of the vendor's cache for the model that the request names.
    fn cache_rules(&self, asked: &Asked) -> CacheRules;

    /// Says whether the answer is to be streamed.
    fn streams(&self, asked: &Asked) -> bool;

    /// Returns the whole answer; `number` counts the requests of the server and makes ids.
    fn answer(&self, asked: &Asked, scripted: &Scripted, used: &CacheUse, number: u64) -> Value;

    /// Returns the same answer as the pieces in which it is streamed, framed as the vendor frames them.
    fn stream(
        &self,
        asked: &Asked,
        scripted: &Scripted,
        used: &CacheUse,
        number: u64,
    ) -> Vec<Vec<u8>>;

    /// Returns the media type of the stream.
    fn stream_type(&self) -> &'static str {
        "text/event-stream"
    }

    /// Returns the body of an error.
    fn error(&self, refusal: &Refusal, number: u64) -> Value;

    /// Returns the headers that an error carries beside its body.
    fn error_headers(&self, refusal: &Refusal) -> Vec<(&'static str, String)> {
        let _ = refusal;
        Vec::new()
    }
}
