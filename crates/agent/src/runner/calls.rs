//! The calls of one step.

use std::sync::Arc;
use std::time::Duration;

use super::consent::Answers;
use super::deadline::Deadlines;
use super::{Driver, Tools};
use crate::agent::Consent;
use crate::conversation::{Author, Call, CallResult, Loaded};
use crate::{Agent, Ended, Event, Next, Outcome, Question, Ready};
use oncue_tools::{
    CallId, Cancel, Cancellation, Content, ErrorKind, Finished, Hook, Progress, Report, Requested,
    Step,
};

impl Driver<'_> {
    /// Runs the calls that may be tried now.
    pub(super) async fn run_calls(&mut self) {
        self.run.on_begun();
        let Next::Calls(ready) = self.run.next() else { return };
        let by = self.caller(&ready);
        ready.iter().for_each(|ready| self.tell_calling(ready.call, by));
        let deadlines = Arc::new(Deadlines::default());
        let answers = Answers::new(self.agent, &ready, self.clock, &deadlines);
        let finished = self.finish(&ready, &answers, &deadlines).await;
        let open = answers.open();
        let ended = finished.into_iter().map(|done| self.ended(done, &open, &deadlines)).collect();
        self.run.on_ended(ended, self.activation.meter());
        if self.cancel.reason().is_some() {
            self.run.stop(Outcome::Cancelled);
        }
    }

    /// Returns who makes the calls: the loop, where the conversation does not have them yet.
    fn caller(&self, ready: &[Ready<'_>]) -> Author {
        let said = &self.run.conversation().items;
        let last = said.iter().rev().find_map(|item| match item {
            crate::conversation::Item::Reply(said) => Some(said),
            _ => None,
        });
        let is_of_model = |ready: &Ready<'_>| {
            last.is_some_and(|said| said.calls().any(|call| call.id == ready.call.id))
        };
        if ready.iter().all(is_of_model) { Author::Model } else { Author::Loop }
    }

    /// Walks the calls to their ends; when the turn is called off or its time is over, so are they.
    async fn finish(
        &self,
        ready: &[Ready<'_>],
        answers: &Answers<'_>,
        deadlines: &Arc<Deadlines>,
    ) -> Vec<Finished> {
        let mut cancels: Vec<Cancel> = Vec::with_capacity(ready.len());
        let mut requested = Vec::with_capacity(ready.len());
        for call in ready.iter().map(|ready| ready.call) {
            let cancel = Cancel::default();
            let (name, arguments) = (call.name.as_str(), call.arguments.as_str());
            let request = Requested::new(call.id.as_str(), name, arguments)
                .with_cancel(cancel.clone())
                .with_time_allowed(self.agent.call_time);
            requested.push(request);
            cancels.push(cancel);
        }
        let mut hooks: Vec<Arc<dyn Hook>> = vec![Arc::<Deadlines>::clone(deadlines)];
        hooks.extend(self.agent.hooks.iter().cloned());
        let listening = Listening(self.agent);
        let mut step = Step::new(self.tools.set()).with_hooks(&hooks).with_progress(&listening);
        if !matches!(self.agent.consent, Consent::Nobody) {
            step = step.with_approver(answers);
        }
        if matches!(self.tools, Tools::Plain(_)) {
            step = step.with_turn(self.activation.meter(), self.activation.depth());
        }
        let mut running = std::pin::pin!(step.run(requested));
        let reason = tokio::select! {
            finished = &mut running => return finished,
            reason = self.cancel.fired() => reason,
            () = self.clock.reaches(self.run.rules().limits.time) => Cancellation::Deadline,
        };
        cancels.iter().for_each(|cancel| cancel.fire(reason));
        running.await
    }

    /// Tells what came of a call and returns it as the run takes it.
    fn ended(&self, done: Finished, open: &[Question], deadlines: &Deadlines) -> Ended {
        let is_open = |error: &oncue_tools::ToolError| error.kind() == ErrorKind::Undecided;
        if let Some(question) = open.iter().find(|question| question.id == done.id)
            && done.outcome.as_ref().is_err_and(is_open)
        {
            return Ended::Question(question.clone());
        }
        let took = deadlines.took(&done.id);
        let operator = done.outcome.as_ref().err().map(|error| error.operator().to_string());
        let result = match done.outcome {
            Ok(output) => {
                let loaded = self.loaded(output.loaded());
                for chip in output.chips {
                    self.agent.tell(|| Event::Chip { chip });
                }
                let (id, name) = (done.id, done.name);
                CallResult { id, name, content: output.content, error: None, loaded }
            }
            Err(error) => CallResult {
                id: done.id,
                name: done.name,
                content: vec![Content::Text(error.to_string())],
                error: Some(error.kind()),
                loaded: Vec::new(),
            },
        };
        self.tell_result(&result, operator, took);
        Ended::Result(result)
    }

    pub(super) fn tell_calling(&self, call: &Call, by: Author) {
        self.agent.tell(|| Event::Calling {
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            by,
        });
    }

    pub(super) fn tell_result(
        &self,
        result: &CallResult,
        operator: Option<String>,
        took: Option<Duration>,
    ) {
        self.agent.tell(|| Event::Called {
            id: result.id.clone(),
            name: result.name.clone(),
            content: result.content.clone(),
            error: result.error,
            operator,
            took_ms: took.map(|took| u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
        });
        if !result.loaded.is_empty() {
            self.agent.tell(|| Event::Activated {
                names: result.loaded.iter().map(|tool| tool.name.clone()).collect(),
                tools: result.loaded.iter().map(|tool| tool.tool.clone()).collect(),
            });
        }
    }

    fn loaded(&self, tools: &[oncue_tools::Identity]) -> Vec<Loaded> {
        let Tools::Found(registry) = &self.tools else { return Vec::new() };
        let entries =
            tools.iter().filter_map(|tool| registry.snapshot().tool(tool.source(), tool.name()));
        entries.map(|entry| Loaded::of(entry)).collect()
    }
}

/// Tells reports of running calls.
struct Listening<'a>(&'a Agent);

impl Progress for Listening<'_> {
    fn report(&self, id: &CallId, report: Report) {
        self.0.tell(|| Event::Progress {
            id: id.clone(),
            done: report.done,
            total: report.total,
            message: report.message,
        });
    }
}
