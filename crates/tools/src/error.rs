//! Why a call failed, in two voices: one for the model, one for the operator.

/// Why a call failed.
///
/// `Display` is the model's text: what is wrong and which call to make next. The operator's detail travels apart as the source.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    message: String,
    #[source]
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl ToolError {
    /// An error that tells the model `message`.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), cause: None }
    }
}
