//! One vendor's side of a conversation. Pure: bytes and values in, bytes and values out.

use oncue_agent::cache::{CacheRules, CacheUse, Prompt};
use serde_json::Value;

use crate::{Failure, Glance, Scripted};

/// What a rule says of a request.
pub(crate) type Checked = Result<(), Refusal>;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
///
/// The [harness](crate::Fake) asks a wire to answer with [`Scripted::Reply`], [`Scripted::CutOff`] and [`Scripted::Refusal`], and to stream those and a [`Failure`] that comes in mid-stream; everything else it does itself.
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

    /// Returns what tells the vendor's caches apart beside the model: by default the key of the request.
    fn cache_key(&self, asked: &Asked) -> String {
        let keys = ["authorization", "x-api-key", "x-goog-api-key"];
        keys.iter().find_map(|name| asked.header(name)).unwrap_or_default().to_owned()
    }

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

    /// Returns the headers that every answer to this request carries, such as its id.
    fn headers(&self, asked: &Asked, number: u64) -> Vec<(&'static str, String)> {
        let _ = (asked, number);
        Vec::new()
    }

    /// Returns the vendor's word for an error of this status that no rule of its own raised.
    fn error_kind(&self, status: u16) -> &'static str {
        let _ = status;
        ""
    }

    /// Returns the body of an error.
    fn error(&self, refusal: &Refusal, number: u64) -> Value;

    /// Returns the headers that an error carries beside its body.
    fn error_headers(&self, refusal: &Refusal) -> Vec<(&'static str, String)> {
        let _ = refusal;
        Vec::new()
    }

    /// Returns what an onlooker without a vendor sees of the request, for answers that depend on it; `None` where nobody wrote it for this wire.
    fn glance(&self, asked: &Asked) -> Option<Glance> {
        let _ = asked;
        None
    }

    /// Returns a scripted failure as this vendor would word it.
    fn failure(&self, failure: &Failure) -> Refusal {
        let kind = failure.kind.clone();
        let message = failure.message.clone();
        Refusal::new(
            failure.status,
            kind.unwrap_or_else(|| self.error_kind(failure.status).to_owned()),
            message.unwrap_or_else(|| format!("the script answers with {}", failure.status)),
        )
    }
}

impl Asked {
    /// Returns the first value of a header; `name` in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        values.next().map(|(_, value)| value.as_str())
    }
}

impl Refusal {
    /// A refusal without further fields.
    #[must_use]
    pub fn new(status: u16, kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { status, kind: kind.into(), message: message.into(), details: Vec::new() }
    }

    /// Returns the refusal with one more field.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.details.push((name.into(), value.into()));
        self
    }
}
