//! A model that says what a recording says.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use oncue_agent::conversation::Part;
use oncue_agent::{Delta, Disclosure, Listen, Model, ModelError, ModelErrorKind, Reply, Request};
use oncue_tools::BoxFuture;

use super::line::{Line, Start};
use super::read::Cassette;
use crate::command::run::cost::Rates;

/// A model that says what a recording says, whatever it is asked.
pub(in crate::command::run) struct Played {
    start: Start,
    replies: Mutex<VecDeque<Line>>,
}

impl Played {
    /// The model of a recording.
    pub(in crate::command::run) fn new(cassette: Cassette) -> Self {
        let is_reply = |line: &Line| matches!(line, Line::Reply { .. } | Line::Failed { .. });
        let replies = cassette.lines.into_iter().filter(is_reply).collect();
        Self { start: cassette.start, replies: Mutex::new(replies) }
    }

    /// Returns the model with another way in which found tools become visible.
    pub(in crate::command::run) fn with_disclosure(mut self, disclosure: Disclosure) -> Self {
        self.start.disclosure = disclosure;
        self
    }

    /// Returns what its tokens cost.
    pub(in crate::command::run) fn rates(&self) -> Rates {
        self.start.rates
    }

    fn next(&self, listener: Option<&dyn Listen>) -> Result<Reply, ModelError> {
        let next = self.replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        match next {
            Some(Line::Reply { reply }) => {
                if let Some(listener) = listener {
                    reply.parts.iter().for_each(|part| tell(listener, part));
                }
                Ok(reply)
            }
            Some(Line::Failed { error }) => Err(error.error()),
            _ => Err(ModelError::new(
                ModelErrorKind::InvalidRequest,
                "the recording is over, and the model is asked once more",
            )),
        }
    }
}

/// Tells a part as if it were streamed.
fn tell(listener: &dyn Listen, part: &Part) {
    match part {
        Part::Text { text } => listener.hear(Delta::Text(text.clone())),
        Part::Reasoning { text } => listener.hear(Delta::Reasoning(text.clone())),
        Part::Call(call) => listener.hear(Delta::Call(call.name.clone())),
        _ => {}
    }
}

impl Model for Played {
    fn name(&self) -> &str {
        &self.start.model
    }

    fn disclosure(&self) -> Disclosure {
        self.start.disclosure
    }

    fn can_narrow(&self) -> bool {
        self.start.can_narrow
    }

    fn reply<'a>(
        &'a self,
        _: &'a Request<'a>,
        listener: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(std::future::ready(self.next(listener)))
    }
}
