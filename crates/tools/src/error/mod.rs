//! Why a call failed, in two voices: one for the model, one for the operator.

mod kind;
mod texts;

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;

pub use kind::{Blame, ErrorKind};

/// Why a call failed.
///
/// `Display` is the model's text: what is wrong with this call and which call to make next.
/// The operator's detail travels apart, as the [source](Error::source) and in [`ToolError::operator`], and never appears in the model's text.
///
/// ```
/// use std::error::Error as _;
///
/// use oncue_tools::{ErrorKind, TellModel, ToolError};
///
/// fn rows(text: &str) -> Result<u32, ToolError> {
///     text.parse().tell_model("The table has no row count. Call listTables to see its state.")
/// }
///
/// let error = rows("many").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Failed);
/// assert_eq!(
///     error.to_string(),
///     "The table has no row count. Call listTables to see its state."
/// );
/// assert_eq!(error.source().unwrap().to_string(), "invalid digit found in string");
/// assert_eq!(error.operator().to_string(), "failed: invalid digit found in string");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// What the model reads.
    message: String,
    /// Why, for programs.
    kind: ErrorKind,
    /// Why, for the operator.
    #[source]
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// An error of the kind [`ErrorKind::Failed`] that tells the model `message`.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::of(ErrorKind::Failed, message)
    }

    /// An error of this kind that tells the model `message`.
    #[must_use]
    pub fn of(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { message: message.into(), kind, cause: None }
    }

    /// Returns the error with what lies behind it, which only the operator sees.
    #[must_use]
    pub fn with_cause(self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// Returns why the call failed, for programs.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the operator's text: the kind and the chain of causes, without the model's text.
    #[must_use]
    pub fn operator(&self) -> impl fmt::Display {
        Operator(self)
    }
}

struct Operator<'e>(&'e ToolError);

impl fmt::Display for Operator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.kind.word())?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

/// Turns any error into a [`ToolError`] by saying what the model should read in its place.
pub trait TellModel<T> {
    /// Returns the value, or an error that tells the model `message` and keeps what happened for the operator.
    ///
    /// # Errors
    ///
    /// Where `self` is one.
    fn tell_model(self, message: impl Into<String>) -> Result<T, ToolError>;
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> TellModel<T> for Result<T, E> {
    fn tell_model(self, message: impl Into<String>) -> Result<T, ToolError> {
        self.map_err(|error| ToolError::new(message).with_cause(error))
    }
}
