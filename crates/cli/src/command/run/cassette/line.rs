//! The lines of a recording. A recording has no keys, no headers and no environment; it has what was said and what came of calls.

use std::time::Duration;

use oncue_agent::limits::PAUSE_MAX;
use oncue_agent::{Disclosure, Model, ModelError, ModelErrorKind, Profile, Reply, TurnLimits};
use oncue_tools::{Approval, CallId, Cancellation, Chip, Content, ErrorKind, Output, ToolError};
use serde::{Deserialize, Serialize};

use super::asked::Asked;
use crate::command::run::cost::Rates;
use crate::command::run::model::shown;
use crate::command::run::setup::Rules;

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
    Reply {
        /// What it was asked; absent where a person wrote the line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<Asked>,
        reply: Reply,
    },
    /// The model was asked in vain.
    Failed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<Asked>,
        error: FailedLine,
    },
    /// A tool was called.
    Call(CallLine),
    /// A person was asked about a call, and answered.
    Answer { id: CallId, answer: Approval },
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
    pub(in crate::command::run) rates: Rates,
    /// What the loop did for the model.
    #[serde(default)]
    pub(in crate::command::run) profile: Profile,
    /// What bounded a turn.
    #[serde(default)]
    pub(in crate::command::run) limits: TurnLimits,
    /// Who agreed to calls of gated tools.
    #[serde(default)]
    pub(in crate::command::run) consent: Consent,
    /// Whether found tools stayed callable for the session.
    #[serde(default)]
    pub(in crate::command::run) keeps_found: bool,
}

impl Start {
    /// What a run of `model` begins with.
    pub(in crate::command::run) fn new(model: &dyn Model, rates: Rates, rules: Rules) -> Self {
        Self {
            version: VERSION,
            model: shown(model.name()),
            disclosure: model.disclosure(),
            can_narrow: model.can_narrow(),
            rates,
            profile: rules.profile,
            limits: rules.limits,
            consent: rules.consent,
            keeps_found: rules.keeps_found,
        }
    }
}

/// Who agrees to calls of gated tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::command::run) enum Consent {
    /// Whoever is asked.
    #[default]
    Asked,
    /// All are agreed to.
    Agreed,
    /// All are refused.
    Refused,
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

/// A call and what came of it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(super) struct CallLine {
    pub(super) id: CallId,
    pub(super) name: String,
    /// The text of the arguments.
    pub(super) arguments: String,
    #[serde(flatten)]
    pub(super) outcome: Came,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "came", rename_all = "snake_case")]
pub(super) enum Came {
    Result {
        content: Vec<Content>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        chips: Vec<Chip>,
    },
    Error {
        kind: ErrorKind,
        message: String,
        /// What lies behind it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
    },
    /// It was stopped while it ran: its time was over, or nobody wanted it any more.
    Stopped { is_late: bool },
}

impl FailedLine {
    pub(super) fn of(error: &ModelError) -> Self {
        let after = error.retry_after.map(|after| u64::try_from(after.as_millis()));
        Self {
            kind: error.kind,
            message: error.message.clone(),
            retry_after_ms: after.map(|after| after.unwrap_or(u64::MAX)),
            status: error.status,
        }
    }

    /// Returns the error again, with a pause of no length where there was one.
    pub(super) fn error(&self) -> ModelError {
        let mut error = ModelError::new(self.kind, self.message.clone());
        let wanted = self.retry_after_ms.map_or(Duration::ZERO, Duration::from_millis);
        // An endpoint that wants to be left alone for too long is given up.
        error.retry_after = Some(if wanted > PAUSE_MAX { wanted } else { Duration::ZERO });
        error.status = self.status;
        error
    }
}

impl Came {
    pub(super) fn of(outcome: &Result<Output, ToolError>) -> Self {
        match outcome {
            Ok(output) => {
                Self::Result { content: output.content.clone(), chips: output.chips.clone() }
            }
            Err(error) => {
                let cause = std::error::Error::source(error).map(chain);
                Self::Error { kind: error.kind(), message: error.to_string(), cause }
            }
        }
    }

    /// Returns what came again, or the reason for which the call was stopped.
    pub(super) fn outcome(&self) -> Result<Result<Output, ToolError>, Cancellation> {
        match self {
            Self::Result { content, chips } => {
                let output = Output::from(content.clone());
                Ok(Ok(chips.iter().cloned().fold(output, Output::with_chip)))
            }
            Self::Error { kind, message, cause } => {
                let error = ToolError::of(*kind, message.clone());
                Ok(Err(match cause {
                    Some(cause) => error.with_cause(cause.clone()),
                    None => error,
                }))
            }
            Self::Stopped { is_late: true } => Err(Cancellation::Deadline),
            Self::Stopped { is_late: false } => Err(Cancellation::Withdrawn),
        }
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}
