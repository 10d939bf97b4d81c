//! What a reply leads to: calls, an end, or one more question.

use std::collections::HashSet;

use oncue_tools::{CallId, ErrorKind, Meter, ToolSet};

use super::calls::{Calls, Search, error};
use super::{Outcome, Phase, Run, admitted, hidden, retry};
use crate::conversation::{Author, Call, CallResult, Item, Part, Said};
use crate::{Finish, ModelError, Reply};

impl Run {
    /// Takes a reply of the model, which saw `tools`; what it used is counted on `meter`.
    pub fn on_reply(&mut self, reply: Reply, tools: &dyn ToolSet, meter: &Meter) {
        if !matches!(self.phase, Phase::Asking { .. }) {
            return;
        }
        self.steps += 1;
        self.usage += reply.usage;
        meter.add_tokens(reply.usage.total());
        self.tokens = meter.tokens();
        self.narrowed.clear();
        let finish = reply.finish;
        let said = self.with_own_ids(reply);
        let text = said.text();
        let calls: Vec<Call> = said.calls().cloned().collect();
        let at = self.conversation.items.len();
        match finish {
            Finish::Refused => {
                self.push_said(Said { parts: without_calls(said.parts), raw: None, ..said });
                self.end(Outcome::Refused { text });
            }
            Finish::ContextFull => self.end(Outcome::ContextFull),
            Finish::Paused => {
                self.push_said(said);
                self.ask_model();
            }
            Finish::Done | Finish::Length if !calls.is_empty() => {
                self.push_said(said);
                self.begin_calls(calls, at, tools, meter);
            }
            Finish::Length => {
                self.push_said(said);
                self.end(Outcome::Truncated { text });
            }
            Finish::Done if text.trim().is_empty() => self.nudge(said),
            Finish::Done => {
                self.push_said(said);
                self.end(Outcome::Answered { text });
            }
        }
    }

    /// The model could not be asked, or did not answer.
    pub fn on_model_error(&mut self, error: &ModelError) {
        if !matches!(self.phase, Phase::Asking { .. }) {
            return;
        }
        self.attempts += 1;
        match retry::pause(error, self.attempts) {
            Some(pause) => self.phase = Phase::Asking { pause: Some(pause) },
            None => self.end(Outcome::of_error(error)),
        }
    }

    fn end(&mut self, outcome: Outcome) {
        self.phase = Phase::Ended { outcome };
    }

    fn push_said(&mut self, said: Said) {
        if !said.parts.is_empty() || said.raw.is_some() {
            self.conversation.items.push(Item::Reply(said));
        }
    }

    /// Asks once more a model that has said nothing; the second time the turn ends.
    fn nudge(&mut self, said: Said) {
        if self.is_nudged {
            return self.end(Outcome::EmptyFinish);
        }
        self.is_nudged = true;
        // Thoughts without an answer are kept: some vendors want them back.
        self.push_said(said);
        let search = self.rules.search.as_deref();
        let search = search.map(|name| {
            format!(" If no tool in your list does what is needed, call {name} to find one.")
        });
        let search = search.unwrap_or_default();
        let text = format!(
            "Your reply was empty. Answer the user, or call the tool that is needed.{search}"
        );
        self.conversation.items.push(Item::Note { text });
        self.ask_model();
    }

    /// Begins with the calls of the reply that stands at `at`.
    fn begin_calls(&mut self, calls: Vec<Call>, at: usize, tools: &dyn ToolSet, meter: &Meter) {
        let recovery = self.recovery(&calls, tools);
        let room = admitted(meter, calls.len(), &self.rules.limits);
        self.is_out_of_calls = room < calls.len();
        let answered = calls.into_iter().enumerate().map(|(place, call)| {
            let done = match place < room {
                true => self.failures.answer(&call),
                false => Some(out_of_calls(&call)),
            };
            (call, done)
        });
        let calls = Calls::new(answered.collect::<Vec<_>>());
        let calling = Phase::Calling { calls };
        self.phase = match recovery {
            Some(search) => Phase::Searching { search, at, then: Box::new(calling) },
            None => calling,
        };
        self.close_step(meter);
    }

    /// Returns the search for the hidden tools that the calls name exactly, where the profile recovers them.
    fn recovery(&self, calls: &[Call], tools: &dyn ToolSet) -> Option<Search> {
        let search = self.rules.search.as_deref().filter(|_| self.rules.profile.recovers)?;
        let mut names: Vec<&str> = Vec::new();
        for call in calls {
            if !names.contains(&call.name.as_str()) && hidden(tools, &call.name).is_some() {
                names.push(&call.name);
            }
        }
        let id = self.conversation.fresh_id();
        (!names.is_empty()).then(|| Search::select(id, search, &names))
    }

    /// Returns what was said with an id for each call that no other call has; a reply whose ids had to be changed is not replayed verbatim.
    fn with_own_ids(&self, reply: Reply) -> Said {
        let mut said = Said { by: Author::Model, parts: reply.parts, raw: reply.raw };
        let known: HashSet<CallId> =
            self.conversation.calls().map(|call| call.id.clone()).collect();
        let mut taken: HashSet<CallId> = HashSet::new();
        let mut is_changed = false;
        for part in &mut said.parts {
            let Part::Call(call) = part else { continue };
            let is_blank = call.id.as_str().trim().is_empty();
            if is_blank || known.contains(&call.id) || taken.contains(&call.id) {
                is_changed = true;
                let free = (1..).map(|number| CallId::new(format!("call_{number}")));
                let mut free = free.filter(|id| !known.contains(id) && !taken.contains(id));
                call.id = free.next().unwrap_or_default();
            }
            taken.insert(call.id.clone());
        }
        if is_changed {
            said.raw = None;
        }
        said
    }
}

fn without_calls(parts: Vec<Part>) -> Vec<Part> {
    parts.into_iter().filter(|part| !matches!(part, Part::Call(_))).collect()
}

fn out_of_calls(call: &Call) -> CallResult {
    let text = format!(
        "The turn has used up its tool calls; this call of '{}' was not run. Tell the user what is left to do.",
        call.name
    );
    error(call, ErrorKind::Budget, text)
}
