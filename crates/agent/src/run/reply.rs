//! What a reply leads to: calls, an end, or one more question.

use std::collections::HashSet;

use oncue_tools::{CallId, ErrorKind, Meter, ToolSet};

use super::calls::{Calls, Search, error};
use super::{Outcome, Phase, Run, admitted, hidden};
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
            Finish::Done | Finish::Length | Finish::Paused if !calls.is_empty() => {
                let cut_off = said.parts.last().filter(|_| finish == Finish::Length);
                let cut_off = cut_off.and_then(without_arguments).cloned();
                self.push_said(said);
                self.begin_calls(calls, cut_off.as_ref(), at, tools, meter);
            }
            Finish::Paused => {
                self.push_said(said);
                self.ask_model();
            }
            Finish::Length => {
                self.push_said(said);
                self.end(Outcome::Truncated { text });
            }
            Finish::Done if text.trim().is_empty() => self.nudge(said),
            Finish::Done if self.insists(&text, tools) => self.insist(said),
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
        match error.pause(self.attempts) {
            Some(pause) => self.phase = Phase::Asking { pause: Some(pause) },
            None => self.end(Outcome::of_error(error)),
        }
    }

    /// Returns the calls that were answered without being run, of the reply that stands at `at`.
    pub(crate) fn answered(&self, at: usize) -> Vec<(&Call, &CallResult)> {
        let phase = match &self.phase {
            Phase::Searching { then, .. } => then,
            phase => phase,
        };
        match (phase, self.conversation.items.get(at..)) {
            (Phase::Calling { calls }, _) => calls.done(),
            (_, Some([Item::Reply(said), Item::Results { results }, ..])) => {
                said.calls().zip(results).collect()
            }
            _ => Vec::new(),
        }
    }

    fn end(&mut self, outcome: Outcome) {
        self.phase = Phase::Ended { outcome };
    }

    pub(super) fn push_said(&mut self, said: Said) {
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

    /// Begins with the calls of the reply that stands at `at`; what was `cut_off` is not run.
    fn begin_calls(
        &mut self,
        calls: Vec<Call>,
        cut_off: Option<&CallId>,
        at: usize,
        tools: &dyn ToolSet,
        meter: &Meter,
    ) {
        let recovery = self.recovery(&calls, tools);
        self.narrowed = self.meant(&calls, tools);
        let room = admitted(meter, calls.len(), &self.rules.limits);
        self.is_out_of_calls = room < calls.len();
        // A search among its siblings runs before them, and may find what was not there.
        let searches = recovery.is_some() || calls.iter().any(|call| self.is_search(&call.name));
        let answered = calls.into_iter().enumerate().map(|(place, call)| {
            let done = match place < room {
                true if cut_off == Some(&call.id) => Some(broken_off(&call)),
                true => {
                    let is_there = || searches || tools.resolve(&call.name).is_ok();
                    self.failures.answer(&call, is_there)
                }
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
        let search = |names: &[&str]| Search::select(self.conversation.fresh_id(), search, names);
        (!names.is_empty()).then(|| search(&names))
    }

    /// Returns what a model may have meant whose calls all go to names that no tool has: tools with names near to those, and what was found in the turn; nothing where the profile does not narrow.
    fn meant(&self, calls: &[Call], tools: &dyn ToolSet) -> Vec<String> {
        let mut meant: Vec<String> = Vec::new();
        if !self.narrows() {
            return meant;
        }
        for call in calls {
            match tools.resolve(&call.name) {
                Err(unresolved) if hidden(tools, &call.name).is_none() => {
                    meant.extend(unresolved.near().map(str::to_owned));
                }
                _ => return Vec::new(),
            }
        }
        meant.extend(self.found().map(str::to_owned));
        let mut known = HashSet::new();
        meant.retain(|name| known.insert(name.clone()));
        meant
    }

    /// Iterates over the names of the tools that were found since the user spoke last.
    pub(super) fn found(&self) -> impl Iterator<Item = &str> {
        let items = &self.conversation.items;
        let begin = items.iter().rposition(|item| matches!(item, Item::User { .. })).unwrap_or(0);
        let results = items.iter().skip(begin).filter_map(|item| match item {
            Item::Results { results } => Some(results),
            _ => None,
        });
        results.flatten().flat_map(|result| &result.loaded).map(|tool| tool.name.as_str())
    }

    /// Returns what was said with an id for each call that no other call has; a reply whose ids had to be changed is not replayed verbatim.
    fn with_own_ids(&mut self, reply: Reply) -> Said {
        let mut said = Said { by: Author::Model, parts: reply.parts, raw: reply.raw };
        self.ids.cover(&self.conversation.items);
        let first = self.ids.len() + 1;
        let mut nameless: Vec<&mut Call> = Vec::new();
        for part in &mut said.parts {
            let Part::Call(call) = part else { continue };
            if call.id.as_str().trim().is_empty() || self.ids.take(&call.id) {
                nameless.push(call);
            }
        }
        if nameless.is_empty() {
            return said;
        }
        let mut free = (first..)
            .map(|number| CallId::new(format!("call_{number}")))
            .filter(|id| !self.ids.take(id));
        for call in nameless {
            call.id = free.next().unwrap_or_default();
        }
        Said { raw: None, ..said }
    }
}

/// Returns the id of a call that nothing was written for.
fn without_arguments(part: &Part) -> Option<&CallId> {
    match part {
        Part::Call(call) if call.arguments.trim().is_empty() => Some(&call.id),
        _ => None,
    }
}

/// A call without arguments may have been meant to have some where the reply was cut off behind its name.
fn broken_off(call: &Call) -> CallResult {
    let name = &call.name;
    let text = format!(
        "Your reply reached its longest allowed length, and this call of '{name}' was cut off before its arguments. Nothing was run; call {name} again, with its arguments, in a shorter reply."
    );
    error(call, ErrorKind::Arguments, text)
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
