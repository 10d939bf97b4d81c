//! Messages and their blocks as JSON texts, each written once, so that the same block always has the same bytes. Lives as long as a request is written.

use serde::Serialize;

use crate::compose::quoted;
use crate::tokens;

/// Who a message is by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    User,
    Assistant,
    System,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) blocks: Vec<Block>,
}

/// A block of a message, a tool or the system text: a JSON object, and what else of the prompt it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The object.
    json: String,
    /// What the vendor puts in its place for the model beside the object itself, such as definitions that it refers to.
    expands_to: String,
    /// Its length, in tokens.
    pub(crate) tokens: u64,
}

impl Role {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

impl Block {
    /// A block of this JSON object.
    pub(crate) fn new(json: String) -> Self {
        let tokens = tokens::estimate(&json);
        Self { json, expands_to: String::new(), tokens }
    }

    /// A block of a value that is an object.
    pub(crate) fn of(value: &impl Serialize) -> Self {
        // Maps with keys of text and texts alone are written, which always have a JSON form.
        Self::new(serde_json::to_string(value).unwrap_or_default())
    }

    /// A block of text.
    pub(crate) fn text(text: &str) -> Self {
        Self::of(&serde_json::json!({"type": "text", "text": text}))
    }

    /// Returns the block with what the vendor puts in its place.
    pub(crate) fn expanding(self, expands_to: String) -> Self {
        let tokens = self.tokens + tokens::estimate(&expands_to);
        Self { expands_to, tokens, ..self }
    }

    /// Returns the block with another length, in tokens.
    pub(crate) fn with_tokens(self, tokens: u64) -> Self {
        Self { tokens, ..self }
    }

    /// Returns the object.
    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    /// Returns the object with one more field, whose value is this JSON.
    pub(crate) fn with_field(&self, name: &str, value: &str) -> String {
        let open = self.json.strip_suffix('}').unwrap_or(&self.json);
        let comma = if open.ends_with('{') { "" } else { "," };
        format!(r#"{open}{comma}{}:{value}}}"#, quoted(name))
    }

    /// Returns the bytes that tell the block apart in a cache.
    pub(crate) fn bytes(&self, role: &str) -> Vec<u8> {
        [role, "\n", &self.json, "\n", &self.expands_to].concat().into_bytes()
    }
}
