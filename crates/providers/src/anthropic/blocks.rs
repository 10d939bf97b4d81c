//! Messages and their blocks as JSON texts, each written once, so that the same block always has the same bytes.

use serde::Serialize;
use serde_json::Value;

use crate::tokens;

/// Who a message is by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    User,
    Assistant,
    System,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) blocks: Vec<Block>,
}

/// A block of a message, a tool or the system text: a JSON object, and what else of the prompt it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The object.
    json: String,
    /// What the vendor puts in its place for the model beside the object itself, such as definitions that it refers to.
    expands_to: String,
    /// Its length, in tokens.
    pub(super) tokens: u64,
}

impl Role {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

impl Block {
    /// A block of this JSON object.
    pub(super) fn new(json: String) -> Self {
        let tokens = tokens::estimate(&json);
        Self { json, expands_to: String::new(), tokens }
    }

    /// A block of a value that is an object.
    pub(super) fn of(value: &impl Serialize) -> Self {
        // Maps with keys of text and texts alone are written, which always have a JSON form.
        Self::new(serde_json::to_string(value).unwrap_or_default())
    }

    /// A block of text.
    pub(super) fn text(text: &str) -> Self {
        Self::of(&serde_json::json!({"type": "text", "text": text}))
    }

    /// Returns the block with what the vendor puts in its place.
    pub(super) fn expanding(self, expands_to: String) -> Self {
        let tokens = self.tokens + tokens::estimate(&expands_to);
        Self { expands_to, tokens, ..self }
    }

    /// Returns the block with another length, in tokens.
    pub(super) fn with_tokens(self, tokens: u64) -> Self {
        Self { tokens, ..self }
    }

    /// Returns the object.
    pub(super) fn json(&self) -> &str {
        &self.json
    }

    /// Returns the object with a mark behind which a cached prefix ends.
    pub(super) fn marked(&self) -> String {
        let open = self.json.strip_suffix('}').unwrap_or(&self.json);
        let comma = if open.ends_with('{') { "" } else { "," };
        format!(r#"{open}{comma}"cache_control":{{"type":"ephemeral"}}}}"#)
    }

    /// Returns the bytes that tell the block apart in a cache.
    pub(super) fn bytes(&self, role: &str) -> Vec<u8> {
        [role, "\n", &self.json, "\n", &self.expands_to].concat().into_bytes()
    }
}

/// Returns the JSON string of `text`.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
