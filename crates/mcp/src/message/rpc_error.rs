//! The error of a response.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Raw, code};

/// Why a request has no result, as it stands on the wire.
#[derive(Clone, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message} ({code})")]
pub struct RpcError {
    /// What kind of error it is.
    pub code: i64,
    /// One sentence for whoever reads it.
    #[serde(default)]
    pub message: Cow<'static, str>,
    /// Anything else, as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Raw>,
}

impl RpcError {
    /// The error of this code.
    #[must_use]
    pub fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// There is no method of this name.
    #[must_use]
    pub fn method_not_found(method: &str) -> Self {
        Self::new(code::METHOD_NOT_FOUND, format!("Method not found: {method}"))
    }

    /// The parameters do not fit, for this reason.
    #[must_use]
    pub fn invalid_params(why: impl Into<Cow<'static, str>>) -> Self {
        Self::new(code::INVALID_PARAMS, why)
    }

    /// The message cannot be taken, for this reason.
    #[must_use]
    pub fn invalid_request(why: impl Into<Cow<'static, str>>) -> Self {
        Self::new(code::INVALID_REQUEST, why)
    }

    /// Something went wrong on this side; the cause goes to the log and not to the other side.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(code::INTERNAL_ERROR, "Internal error")
    }

    /// Returns the error with data that serializes.
    #[must_use]
    pub fn with_data(self, data: &impl Serialize) -> Self {
        Self { data: serde_json::value::to_raw_value(data).ok(), ..self }
    }
}
