//! Why a model did not answer.

use std::error::Error;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Why a model did not answer.
#[derive(Debug, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct ModelError {
    /// What kind of failure it is.
    pub kind: ModelErrorKind,
    /// What the endpoint or the connection said, for the operator; never a key.
    pub message: String,
    /// How long the endpoint wants to be left alone.
    pub retry_after: Option<Duration>,
    /// The status of the HTTP answer, where there was one.
    pub status: Option<u16>,
    /// The id by which the vendor finds the request in its logs.
    pub request_id: Option<String>,
    /// What lies behind it.
    #[source]
    pub source: Option<Box<dyn Error + Send + Sync>>,
}

/// Kinds of failures of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// Too many requests or tokens in too short a time.
    #[error("rate limited")]
    RateLimited,
    /// The endpoint has too much to do.
    #[error("overloaded")]
    Overloaded,
    /// The endpoint failed or is out of reach.
    #[error("unavailable")]
    Unavailable,
    /// The answer took too long.
    #[error("timed out")]
    TimedOut,
    /// The answer broke off before its end.
    #[error("interrupted")]
    Interrupted,
    /// The answer is not what the protocol says.
    #[error("malformed answer")]
    Malformed,
    /// There is no key, or it is not accepted.
    #[error("not authenticated")]
    Authentication,
    /// The key does not open this model.
    #[error("not permitted")]
    Permission,
    /// The account has no money or no quota left.
    #[error("out of quota")]
    Quota,
    /// There is no such model or endpoint.
    #[error("not found")]
    NotFound,
    /// The conversation is longer than the model's context.
    #[error("context full")]
    ContextFull,
    /// The endpoint refuses the request as it is.
    #[error("invalid request")]
    InvalidRequest,
}

impl ModelErrorKind {
    /// Says whether the same request may succeed a little later.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        match self {
            Self::RateLimited
            | Self::Overloaded
            | Self::Unavailable
            | Self::TimedOut
            | Self::Interrupted
            | Self::Malformed => true,
            Self::Authentication
            | Self::Permission
            | Self::Quota
            | Self::NotFound
            | Self::ContextFull
            | Self::InvalidRequest => false,
        }
    }
}

impl ModelError {
    /// An error of this kind with what was said.
    #[must_use]
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            retry_after: None,
            status: None,
            request_id: None,
            source: None,
        }
    }

    /// Returns the error with what lies behind it.
    #[must_use]
    pub fn with_source(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: Some(source.into()), ..self }
    }
}
