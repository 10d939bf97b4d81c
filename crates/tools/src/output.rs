//! What a call gives back.

use serde_json::Value;

/// One piece of a result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text for the model.
    Text(String),
    /// Structured data for the model.
    Json(Value),
    /// A picture.
    Image {
        /// The media type, such as `image/png`.
        media_type: String,
        /// The bytes of the file.
        bytes: Vec<u8>,
    },
}

/// What a call gives back, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// The pieces.
    pub content: Vec<Content>,
}
