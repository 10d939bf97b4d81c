//! The lines of a recording. A recording has no keys, no headers and no environment; it has what was said.

use std::time::Duration;

use oncue_agent::{Disclosure, ModelError, ModelErrorKind, Reply};
use serde::{Deserialize, Serialize};

use crate::command::run::cost::Rates;

/// The version of recordings that this program reads and writes.
pub(super) const VERSION: u32 = 1;

/// A line.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub(super) enum Line {
    /// The first one: what was recorded.
    Start(Start),
    /// A turn begins.
    Turn {
        /// What was to be done.
        task: String,
    },
    /// The model was asked, and answered.
    Reply { reply: Reply },
    /// The model was asked in vain.
    Failed { error: FailedLine },
}

/// What was recorded.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(in crate::command::run) struct Start {
    /// The version of the recording.
    pub(super) version: u32,
    /// The name by which people know the model.
    pub(super) model: String,
    /// How found tools become visible to it.
    #[serde(default)]
    pub(super) disclosure: Disclosure,
    /// Whether a reply can be held to some of the listed tools.
    #[serde(default)]
    pub(super) can_narrow: bool,
    /// What its tokens cost.
    #[serde(default)]
    pub(super) rates: Rates,
}

/// Why a model did not answer.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(super) struct FailedLine {
    kind: ModelErrorKind,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
}

impl FailedLine {
    /// Returns the error again.
    pub(super) fn error(&self) -> ModelError {
        let mut error = ModelError::new(self.kind, self.message.clone());
        error.retry_after = self.retry_after_ms.map(Duration::from_millis);
        error.status = self.status;
        error
    }
}
