//! What happens in a turn, as it happens: for people who watch, for programs and for logs.

use std::time::Duration;

use oncue_tools::{Approval, CallId, Chip, Content, ErrorKind, Identity};
use serde::Serialize;

use crate::conversation::Author;
use crate::{Loss, MissReason, ModelErrorKind, Outcome, Question, Usage};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A request goes to the model.
    StepStarted {
        /// Which step of the turn, from 1.
        step: u32,
        /// How many tools the model sees.
        tools: usize,
        /// What it may call, where it may not call everything.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        narrowed: Vec<String>,
    },
    /// More text of the model; only where replies are streamed.
    Text {
        /// The text.
        text: String,
    },
    /// More thoughts of the model; only where replies are streamed.
    Reasoning {
        /// The text.
        text: String,
    },
    /// A request failed and is made again; text that was streamed of it counts for nothing.
    Retrying {
        /// Why.
        kind: ModelErrorKind,
        /// What was said.
        message: String,
        /// How many attempts have failed.
        attempts: u32,
        /// How long the loop waits, in milliseconds.
        pause_ms: u64,
    },
    /// The model has answered.
    Replied {
        /// Its text, whole.
        text: String,
        /// How many calls it makes.
        calls: usize,
        /// What the request used.
        usage: Usage,
        /// Why its cached prefix was not read, where the vendor says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_miss: Option<MissReason>,
    },
    /// The vendor could not be told all of the request; told once a turn.
    Lost {
        /// What was left out or changed, and where.
        losses: Vec<Loss>,
    },
    /// A call begins.
    Calling {
        /// Which.
        id: CallId,
        /// The name.
        name: String,
        /// The text of the arguments.
        arguments: String,
        /// Who makes it.
        by: Author,
    },
    /// A running call reports.
    Progress {
        /// Which.
        id: CallId,
        /// How much is done.
        done: f64,
        /// How much there is to do.
        #[serde(skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        /// What is being done.
        message: String,
    },
    /// A call came to its end.
    Called {
        /// Which.
        id: CallId,
        /// The name.
        name: String,
        /// What the model reads.
        content: Vec<Content>,
        /// Why it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<ErrorKind>,
        /// What lies behind the failure, for the operator.
        #[serde(skip_serializing_if = "Option::is_none")]
        operator: Option<String>,
        /// How long it ran, in milliseconds; nothing where it did not.
        #[serde(skip_serializing_if = "Option::is_none")]
        took_ms: Option<u64>,
    },
    /// A search has made tools callable.
    Activated {
        /// The names by which the model calls them.
        names: Vec<String>,
        /// Which tools.
        tools: Vec<Identity>,
    },
    /// A person is asked.
    Asked {
        /// What.
        question: Question,
    },
    /// A person has answered.
    Answered {
        /// About which call.
        id: CallId,
        /// What.
        answer: Approval,
    },
    /// A button was put up for the user.
    Chip {
        /// The button.
        chip: Chip,
    },
    /// The model had said nothing and is asked once more.
    Nudged,
    /// The host has shortened the conversation.
    Shortened {
        /// Tools that are not callable any more since.
        forgotten: Vec<Identity>,
    },
    /// The turn has ended.
    Ended {
        /// How.
        #[serde(flatten)]
        outcome: Outcome,
        /// Model calls.
        steps: u32,
        /// What the turn's own requests used.
        usage: Usage,
        /// How long it took, waiting for people excepted.
        took: Duration,
    },
}

/// Hears what happens; it must not block.
pub trait Listener: Send + Sync {
    /// Takes one event.
    fn hear(&self, event: &Event);
}

impl<F: Fn(&Event) + Send + Sync> Listener for F {
    fn hear(&self, event: &Event) {
        self(event);
    }
}
