//! What a call gives back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Chip, Identity, TellModel, ToolError};

/// One piece of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

impl Content {
    /// A picture of this media type.
    #[must_use]
    pub fn image(media_type: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self::Image { media_type: media_type.into(), bytes: bytes.into() }
    }
}

/// What a call gives back, in order.
///
/// Text, JSON, a single piece and a list of pieces turn into it.
///
/// ```
/// use oncue_tools::{Content, Output};
/// use serde_json::json;
///
/// let output = Output::from("two rows").and(json!([1, 2]));
/// assert_eq!(output.content, [Content::Text("two rows".into()), Content::Json(json!([1, 2]))]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// The pieces.
    pub content: Vec<Content>,
    /// Buttons for the user; the model reads of them in `content`.
    pub chips: Vec<Chip>,
    /// The tools that the call made callable; only a search makes any.
    loaded: Vec<Identity>,
}

impl Output {
    /// Returns the tools that the call made callable; only a search makes any, whatever the content of another tool says.
    #[must_use]
    pub fn loaded(&self) -> &[Identity] {
        &self.loaded
    }

    /// Returns the output of a search that made these tools callable.
    pub(crate) fn loading(self, loaded: Vec<Identity>) -> Self {
        Self { loaded, ..self }
    }

    /// Returns the output with a button for the user.
    #[must_use]
    pub fn with_chip(mut self, chip: Chip) -> Self {
        self.chips.push(chip);
        self
    }

    /// The JSON of `value`.
    ///
    /// # Errors
    ///
    /// Where `value` has no JSON: a map whose keys are not texts, or a failing `Serialize`.
    ///
    /// ```
    /// use oncue_tools::{Content, Output};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Table {
    ///     rows: u32,
    /// }
    ///
    /// let output = Output::json(&Table { rows: 2 })?;
    /// assert_eq!(output.content, [Content::Json(serde_json::json!({"rows": 2}))]);
    /// # Ok::<(), oncue_tools::ToolError>(())
    /// ```
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, ToolError> {
        let value = serde_json::to_value(value).tell_model(
            "The tool ran, but its result has no JSON form. Do not repeat the call; tell the user that the tool is broken.",
        )?;
        Ok(value.into())
    }

    /// Returns the output with one more piece.
    #[must_use]
    pub fn and(mut self, piece: impl Into<Content>) -> Self {
        self.content.push(piece.into());
        self
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Value> for Content {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

impl<C: Into<Content>> From<C> for Output {
    fn from(piece: C) -> Self {
        Self { content: vec![piece.into()], ..Self::default() }
    }
}

impl From<Vec<Content>> for Output {
    fn from(content: Vec<Content>) -> Self {
        Self { content, ..Self::default() }
    }
}
