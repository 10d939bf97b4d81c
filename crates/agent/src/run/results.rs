//! What results lead to: the rest of the calls, or the next request.

use oncue_tools::Meter;

use super::calls::Ended;
use super::{Phase, Run};
use crate::conversation::{CallResult, Item};

impl Run {
    /// Takes how far the calls of [`Next::Calls`](super::Next::Calls) have come; what forks used is on `meter`.
    pub fn on_ended(&mut self, ended: Vec<Ended>, meter: &Meter) {
        match std::mem::replace(&mut self.phase, Phase::Asking { pause: None }) {
            Phase::Searching { search, at, then } => {
                let mut results = ended.into_iter().filter_map(|ended| match ended {
                    Ended::Result(result) => Some(result),
                    Ended::Question(_) => None,
                });
                // A search that failed or found nothing leaves no trace in the conversation.
                if let Some(result) = results.next().filter(|result| !result.loaded.is_empty()) {
                    self.failures.note(search.ready().call, &result, true);
                    self.ids.look_again(at);
                    self.conversation.items.splice(at..at, search.recorded(result));
                }
                self.phase = *then;
            }
            Phase::Calling { mut calls } => {
                calls.take(ended);
                self.phase = Phase::Calling { calls };
            }
            other => self.phase = other,
        }
        self.close_step(meter);
    }

    /// The calls of [`Next::Calls`](super::Next::Calls) begin to run; whoever runs them may go away before it says what came of them.
    pub fn on_begun(&mut self) {
        if let Phase::Calling { calls } = &mut self.phase {
            calls.begin();
        }
    }

    /// Whoever ran the calls has gone away: those that had begun are answered and not run again, since what they did is not known.
    pub fn on_interruption(&mut self, meter: &Meter) {
        if let Phase::Calling { calls } = &mut self.phase {
            calls.interrupt();
        }
        self.close_step(meter);
    }

    /// Ends the step once every call of it has a result.
    pub(super) fn close_step(&mut self, meter: &Meter) {
        self.tokens = meter.tokens();
        let Phase::Calling { calls } = &self.phase else { return };
        let Some(finished) = calls.finished() else { return };
        let is_all_search = finished.iter().all(|(call, _)| self.is_search(&call.name));
        let results: Vec<CallResult> = finished.iter().map(|&(_, result)| result.clone()).collect();
        for (call, result) in finished {
            let is_search = self.rules.search.as_deref() == Some(call.name.as_str());
            self.failures.note(call, result, is_search);
        }
        if is_all_search && self.narrows() {
            for tool in results.iter().flat_map(|result| &result.loaded) {
                if !self.narrowed.contains(&tool.name) {
                    self.narrowed.push(tool.name.clone());
                }
            }
        }
        self.conversation.items.push(Item::Results { results });
        self.ask_model();
    }
}
