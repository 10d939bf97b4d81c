//! Why a model did not answer.

use std::error::Error;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::{ATTEMPTS_MAX, PAUSE_MAX, PAUSE_MIN};

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

    /// Returns how long to wait before the next attempt, after `attempts` that failed; `None` where there is none.
    ///
    /// What the endpoint asks for is kept exactly; otherwise the pause doubles from attempt to attempt.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use oncue_agent::{ModelError, ModelErrorKind};
    ///
    /// let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
    /// assert_eq!(busy.pause(2), Some(Duration::from_secs(1)));
    /// assert_eq!(ModelError::new(ModelErrorKind::Authentication, "no key").pause(1), None);
    /// ```
    #[must_use]
    pub fn pause(&self, attempts: u32) -> Option<Duration> {
        if !self.kind.is_retryable() || attempts >= ATTEMPTS_MAX {
            return None;
        }
        match self.retry_after {
            Some(wanted) if wanted > PAUSE_MAX => None,
            Some(wanted) => Some(wanted),
            None => {
                let doublings = attempts.saturating_sub(1).min(16);
                Some(PAUSE_MIN.saturating_mul(1 << doublings).min(PAUSE_MAX))
            }
        }
    }

    /// Returns the error with what lies behind it.
    #[must_use]
    pub fn with_source(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: Some(source.into()), ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ModelError, ModelErrorKind};

    #[test]
    fn pauses_double_and_end() {
        let error = ModelError::new(ModelErrorKind::Overloaded, "busy");
        let pauses: Vec<Option<u128>> =
            (1..=5).map(|made| error.pause(made).map(|pause| pause.as_millis())).collect();
        assert_eq!(pauses, [Some(500), Some(1_000), Some(2_000), Some(4_000), None]);
    }

    #[test]
    fn what_the_endpoint_asks_for_is_kept_unless_it_is_too_long() {
        let wanted = |seconds| {
            let mut error = ModelError::new(ModelErrorKind::RateLimited, "slow down");
            error.retry_after = Some(Duration::from_secs(seconds));
            error.pause(1)
        };
        assert_eq!(wanted(7), Some(Duration::from_secs(7)));
        assert_eq!(wanted(60), Some(Duration::from_secs(60)));
        assert_eq!(wanted(61), None);
    }

    #[test]
    fn what_cannot_succeed_is_not_repeated() {
        let error = ModelError::new(ModelErrorKind::Authentication, "no key");
        assert_eq!(error.pause(1), None);
    }
}
