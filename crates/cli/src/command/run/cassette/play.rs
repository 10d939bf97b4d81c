//! Playing a recording: a model that says what was said, and tools that give what they gave.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_agent::conversation::Part;
use oncue_agent::{Delta, Disclosure, Listen, Model, ModelError, ModelErrorKind, Reply, Request};
use oncue_tools::{
    Approval, Approver, Arguments, Asking, BoxFuture, CallContext, CallId, Concurrency, Definition,
    ErrorKind, Output, Tool, ToolError,
};

use super::asked::Asked;
use super::line::{CallLine, Line, Start};
use super::read::Cassette;

/// A recording as it is played. Lives as long as the run.
pub(in crate::command::run) struct Player {
    start: Start,
    /// Requests must be those that were recorded.
    is_strict: bool,
    state: Mutex<State>,
}

/// What is still to be played.
#[derive(Default)]
struct State {
    tasks: VecDeque<String>,
    replies: VecDeque<Line>,
    calls: Vec<CallLine>,
    answers: Vec<(CallId, Approval)>,
    /// How many requests were made.
    asked: usize,
    /// What differed first from the recording.
    difference: Option<String>,
}

impl State {
    /// Notes a difference, and returns the one that came first.
    fn differ(&mut self, difference: String) -> String {
        self.difference.get_or_insert(difference).clone()
    }
}

impl Player {
    /// Plays a recording whose requests must be those that were recorded.
    pub(in crate::command::run) fn strict(cassette: Cassette) -> Self {
        Self::new(cassette, true)
    }

    /// Plays what the model of a recording said, whatever it is asked.
    pub(in crate::command::run) fn lenient(cassette: Cassette) -> Self {
        Self::new(cassette, false)
    }

    fn new(cassette: Cassette, is_strict: bool) -> Self {
        let mut state = State::default();
        for line in cassette.lines {
            match line {
                Line::Start(_) => {}
                Line::Turn { task } => state.tasks.push_back(task),
                Line::Reply { .. } | Line::Failed { .. } => state.replies.push_back(line),
                Line::Call(call) => state.calls.push(call),
                Line::Answer { id, answer } => state.answers.push((id, answer)),
            }
        }
        Self { start: cassette.start, is_strict, state: Mutex::new(state) }
    }

    /// Returns what was recorded.
    pub(in crate::command::run) fn start(&self) -> &Start {
        &self.start
    }

    /// Returns the task of the next turn that was recorded.
    pub(in crate::command::run) fn task(&self) -> Option<String> {
        self.state().tasks.pop_front()
    }

    /// Returns what differed first from the recording; where nothing did, what was not played.
    pub(in crate::command::run) fn difference(&self) -> Option<String> {
        let state = self.state();
        let left = state.replies.len();
        let over = || {
            let (asked, all) = (state.asked, state.asked + left);
            format!("it ends after request {asked}, and {all} were recorded")
        };
        state.difference.clone().or_else(|| (left > 0).then(over))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, request: &Request<'_>) -> Result<Reply, ModelError> {
        let refusal = |text: String| ModelError::new(ModelErrorKind::InvalidRequest, text);
        let mut state = self.state();
        state.asked += 1;
        let at = state.asked;
        let Some(line) = state.replies.pop_front() else {
            let over = format!("the recording is over, and request {at} is made");
            return Err(refusal(state.differ(over)));
        };
        let recorded = match &line {
            Line::Reply { asked, .. } | Line::Failed { asked, .. } => asked.as_ref(),
            _ => None,
        };
        if self.is_strict {
            let difference = recorded.and_then(|asked| Asked::of(request).difference(asked));
            if let Some(difference) = difference {
                state.differ(format!("request {at}: {difference}"));
            }
            if let Some(difference) = &state.difference {
                return Err(refusal(difference.clone()));
            }
        }
        match line {
            Line::Reply { reply, .. } => Ok(reply),
            Line::Failed { error, .. } => Err(error.error()),
            _ => Err(refusal("the recording is out of order".to_owned())),
        }
    }

    /// Takes the recorded call out; what is not there is a difference.
    fn call(&self, id: &CallId, name: &str, arguments: &str) -> Result<CallLine, String> {
        let mut state = self.state();
        let at = state.calls.iter().position(|call| call.id == *id && call.name == name);
        let Some(at) = at else {
            return Err(state.differ(format!("the call `{id}` of {name} was not recorded")));
        };
        let call = state.calls.remove(at);
        match call.arguments == arguments {
            true => Ok(call),
            false => Err(state.differ(format!("the call `{id}` of {name} has other arguments"))),
        }
    }
}

/// The model of a recording.
pub(in crate::command::run) struct Played {
    player: Arc<Player>,
    disclosure: Disclosure,
}

impl Played {
    pub(in crate::command::run) fn new(
        player: Arc<Player>,
        disclosure: Option<Disclosure>,
    ) -> Self {
        let disclosure = disclosure.unwrap_or(player.start.disclosure);
        Self { player, disclosure }
    }
}

impl Model for Played {
    fn name(&self) -> &str {
        &self.player.start.model
    }

    fn disclosure(&self) -> Disclosure {
        self.disclosure
    }

    fn can_narrow(&self) -> bool {
        self.player.start.can_narrow
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        listener: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let reply = self.player.next(request);
        if let (Ok(reply), Some(listener)) = (&reply, listener) {
            reply.parts.iter().for_each(|part| tell(listener, part));
        }
        Box::pin(std::future::ready(reply))
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

/// A tool that is not run: it gives what it gave.
pub(in crate::command::run) struct PlayedTool {
    pub(in crate::command::run) tool: Arc<dyn Tool>,
    pub(in crate::command::run) player: Arc<Player>,
}

impl Tool for PlayedTool {
    fn definition(&self) -> &Definition {
        self.tool.definition()
    }

    fn concurrency(&self) -> Concurrency {
        self.tool.concurrency()
    }

    fn objection(&self, arguments: &Arguments) -> Option<ToolError> {
        self.tool.objection(arguments)
    }

    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let name = self.definition().name();
            let call = self.player.call(ctx.id(), name, arguments.raw().get());
            match call.map(|call| call.outcome.outcome()) {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(reason)) => {
                    ctx.cancel().fire(reason);
                    std::future::pending().await
                }
                Err(difference) => Err(ToolError::of(ErrorKind::Assembly, difference)),
            }
        })
    }
}

/// The people of a recording.
pub(in crate::command::run) struct PlayedPeople(pub(in crate::command::run) Arc<Player>);

impl Approver for PlayedPeople {
    fn approve<'c>(&'c self, asking: &'c Asking) -> BoxFuture<'c, Approval> {
        let state = self.0.state();
        let answer = state.answers.iter().find(|(id, _)| id == asking.call().id());
        let answer = answer.map_or(Approval::Later, |(_, answer)| answer.clone());
        Box::pin(std::future::ready(answer))
    }
}
