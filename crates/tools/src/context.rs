//! What a call knows about where it runs.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Cancel, Grants, Meter, Principal, Registry};

/// The id of a call, as the model or the client gave it; results are matched to calls by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId(Box<str>);

impl CallId {
    /// An id of this text.
    #[must_use]
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How far a running call has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How much is done, in units of the tool's choice; grows from report to report.
    pub done: f64,
    /// How much there is to do, where the tool knows it.
    pub total: Option<f64>,
    /// What is being done, for people; empty where there is nothing to say.
    pub message: String,
}

/// Where reports of running calls go.
pub trait Progress: Send + Sync {
    /// Takes one report of the call `id`; it must not block.
    fn report(&self, id: &CallId, report: Report);
}

/// The typed context of one call; lives as long as the call.
#[derive(Clone)]
pub struct CallContext<'a> {
    /// Which call this is.
    id: CallId,
    /// What the caller may do.
    grants: &'a Grants,
    /// What the search tool searches; nothing in an assembly without search.
    registry: Option<&'a Registry<'a>>,
    /// Where reports go; nowhere when nobody listens.
    progress: Option<&'a dyn Progress>,
    /// What the turn has used so far; nothing where no turn keeps count.
    meter: Option<&'a Arc<Meter>>,
    /// How many turns stand above the one of this call.
    depth: u32,
    /// By what the call is called off.
    cancel: Cancel,
    /// How long the call may take from its start; who owns a clock enforces it through `cancel`.
    time_allowed: Option<Duration>,
}

impl<'a> CallContext<'a> {
    /// The context of a call by the holder of `grants`, with nobody listening and no deadline.
    #[must_use]
    pub fn new(grants: &'a Grants) -> Self {
        Self {
            id: CallId::default(),
            grants,
            registry: None,
            progress: None,
            meter: None,
            depth: 0,
            cancel: Cancel::default(),
            time_allowed: None,
        }
    }

    /// Returns the context of the call `id`.
    #[must_use]
    pub fn with_id(self, id: CallId) -> Self {
        Self { id, ..self }
    }

    /// Returns the context of a call in a step that `registry` shows.
    #[must_use]
    pub fn with_registry(self, registry: &'a Registry<'a>) -> Self {
        Self { registry: Some(registry), ..self }
    }

    /// Returns the context with someone who listens to reports.
    #[must_use]
    pub fn with_progress(self, progress: &'a dyn Progress) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Returns the context of a call in a turn that has used so much, below `depth` other turns.
    #[must_use]
    pub fn with_turn(self, meter: &'a Arc<Meter>, depth: u32) -> Self {
        Self { meter: Some(meter), depth, ..self }
    }

    /// Returns the context with a handle that calls the call off.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// Returns the context of a call that should end within `time_allowed` of its start.
    #[must_use]
    pub fn with_time_allowed(self, time_allowed: Duration) -> Self {
        Self { time_allowed: Some(time_allowed), ..self }
    }

    /// Returns which call this is.
    #[must_use]
    pub fn id(&self) -> &CallId {
        &self.id
    }

    /// Returns what the caller may do.
    #[must_use]
    pub fn grants(&self) -> &'a Grants {
        self.grants
    }

    /// Returns what the search tool searches; nothing in an assembly without search.
    #[must_use]
    pub fn registry(&self) -> Option<&'a Registry<'a>> {
        self.registry
    }

    /// Returns what the turn has used so far; nothing where no turn keeps count.
    #[must_use]
    pub fn meter(&self) -> Option<&'a Arc<Meter>> {
        self.meter
    }

    /// Returns how many turns stand above the one of this call: 0 in a turn, 1 in its fork.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns who calls.
    #[must_use]
    pub fn principal(&self) -> &'a Principal {
        self.grants.principal()
    }

    /// Reports that `done` of `total` is done; the report is dropped when nobody listens.
    pub fn report(&self, done: f64, total: Option<f64>, message: impl Into<String>) {
        if let Some(progress) = self.progress {
            progress.report(&self.id, Report { done, total, message: message.into() });
        }
    }

    /// Returns by what the call is called off, for tools that start work of their own.
    ///
    /// A tool need not watch it to stop: its future is dropped when it fires.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns how long the call may take from its start, where that is known.
    #[must_use]
    pub fn time_allowed(&self) -> Option<Duration> {
        self.time_allowed
    }
}

impl fmt::Debug for CallContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext")
            .field("id", &self.id)
            .field("grants", self.grants)
            .field("registry", &self.registry.is_some())
            .field("progress", &self.progress.is_some())
            .field("meter", &self.meter)
            .field("depth", &self.depth)
            .field("cancel", &self.cancel)
            .field("time_allowed", &self.time_allowed)
            .finish()
    }
}
