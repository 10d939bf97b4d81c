//! Does what a [`Run`] says: asks the model, runs the calls, waits, and tells what came of it.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | the turn as a whole |
//! | `ask` | one request to the model |
//! | `calls` | the calls of one step |
//! | `clock` | the time of the turn |
//! | `consent` | a person's answers, now or later |
//! | `deadline` | the time of each call |

mod ask;
mod calls;
mod clock;
mod consent;
mod deadline;

use std::sync::Arc;
use std::time::Duration;

use clock::Clock;

use oncue_tools::{
    Activation, Cancel, CatalogError, Grants, HookError, PlainTools, Registry, ToolSet, caught,
};

use crate::agent::Source;
use crate::conversation::Item;
use crate::session::visible;
use crate::view::View;
use crate::{
    Agent, BeforeStep, Choice, Event, ModelErrorKind, Next, Outcome, Run, StepView, TurnEnd,
};

/// A turn under way.
pub(crate) struct Turning<'t> {
    pub(crate) agent: &'t Agent,
    pub(crate) grants: &'t Grants,
    pub(crate) run: &'t mut Run,
    pub(crate) activation: &'t mut Activation,
    pub(crate) key: Option<&'t str>,
    pub(crate) cancel: &'t Cancel,
}

/// The tools of one step: a view of the catalog, or the plain list.
enum Tools<'t> {
    Found(Registry<'t>),
    Plain(&'t PlainTools),
}

impl Tools<'_> {
    fn set(&self) -> &dyn ToolSet {
        match self {
            Self::Found(registry) => registry,
            Self::Plain(tools) => *tools,
        }
    }

    /// The view of the next step.
    fn step(&mut self) {
        if let Self::Found(registry) = self {
            *registry = registry.step();
        }
    }

    /// Checks that what is hidden can be found: no request is made where it cannot.
    fn check(&self) -> Result<(), CatalogError> {
        match self {
            Self::Found(registry) => registry.snapshot().check(registry.grants()),
            Self::Plain(_) => Ok(()),
        }
    }
}

/// Why the steps stopped.
enum Stop {
    /// The turn has come to rest.
    Rest(TurnEnd),
    /// A hook has made the conversation shorter.
    Shorten(Vec<Item>),
}

/// Runs a turn until it ends or waits for a person.
pub(crate) async fn drive(turn: Turning<'_>) -> TurnEnd {
    let Turning { agent, grants, run, activation, key, cancel } = turn;
    let clock = Clock::from(run.elapsed());
    loop {
        let tools = match &agent.source {
            Source::Catalog { catalog, .. } => {
                Tools::Found(Registry::new(catalog, activation, grants))
            }
            Source::Plain(tools) => Tools::Plain(tools),
        };
        let hint = ask::hint(&tools, agent.profile.names_chars);
        let driver = Driver {
            agent,
            run: &mut *run,
            tools,
            activation,
            key,
            cancel,
            clock: &clock,
            hint,
            view: View::default(),
        };
        match driver.steps().await {
            Stop::Rest(end) => return end,
            Stop::Shorten(items) => {
                run.on_compaction(items);
                forget(agent, run, activation);
            }
        }
    }
}

/// Makes inactive what the model does not see any more.
fn forget(agent: &Agent, run: &Run, activation: &mut Activation) {
    let Source::Catalog { catalog, .. } = &agent.source else { return };
    let disclosure = agent.model.disclosure();
    let before = activation.active();
    if disclosure.keeps_found() {
        let seen = visible(run.conversation(), disclosure, &catalog.snapshot());
        *activation = activation.retaining(&seen);
    }
    let is_gone = |tool: &oncue_tools::Identity| !activation.is_active(tool);
    agent.tell(|| Event::Shortened { forgotten: before.into_iter().filter(is_gone).collect() });
}

struct Driver<'t> {
    agent: &'t Agent,
    run: &'t mut Run,
    tools: Tools<'t>,
    activation: &'t Activation,
    key: Option<&'t str>,
    cancel: &'t Cancel,
    clock: &'t Clock,
    /// What the search tool's description says of hidden tools.
    hint: Option<Arc<str>>,
    /// What the model sees of the conversation.
    view: View,
}

impl Driver<'_> {
    async fn steps(mut self) -> Stop {
        loop {
            self.run.on_time(self.clock.elapsed());
            if self.cancel.reason().is_some() {
                self.run.stop(Outcome::Cancelled);
            }
            match self.run.next() {
                Next::Pause(pause) => self.pause(pause).await,
                Next::Model { step, choice } => {
                    let choice = match choice {
                        Choice::Free => Choice::Free,
                        Choice::Nothing => Choice::Nothing,
                        Choice::Among(names) => Choice::Among(names.into_owned().into()),
                    };
                    if let Some(items) = self.step(step, choice).await {
                        return Stop::Shorten(items);
                    }
                }
                Next::Calls(_) => self.calls().await,
                Next::Person(questions) => {
                    let questions = questions.into_iter().cloned().collect();
                    return Stop::Rest(TurnEnd::Waiting(questions));
                }
                Next::Finish(outcome) => {
                    let outcome = outcome.clone();
                    self.agent.tell(|| Event::Ended {
                        outcome: outcome.clone(),
                        steps: self.run.steps(),
                        usage: self.run.usage(),
                        took: self.clock.elapsed(),
                    });
                    return Stop::Rest(TurnEnd::Ended(outcome));
                }
            }
        }
    }

    async fn pause(&mut self, pause: Duration) {
        tokio::select! {
            () = tokio::time::sleep(pause.min(self.time_left())) => {}
            _ = self.cancel.fired() => {}
        }
        self.run.on_pause();
    }

    /// Asks the model once; returns a shorter conversation where a hook wants one instead.
    async fn step(&mut self, step: u32, choice: Choice<'static>) -> Option<Vec<Item>> {
        if self.run.attempts() == 0 {
            for hook in &self.agent.step_hooks {
                let view = self.view(step);
                let said = caught(async { hook.before(view).await }).await;
                match said.map_err(HookError::from).flatten() {
                    Ok(BeforeStep::Proceed) => {}
                    Ok(BeforeStep::Shorten(items)) => return Some(items),
                    Ok(BeforeStep::Stop(why)) => {
                        self.run.stop(Outcome::Stopped { why });
                        return None;
                    }
                    Err(error) => {
                        self.run.stop(failed(&error));
                        return None;
                    }
                }
            }
            self.tools.step();
            if let Err(error) = self.tools.check() {
                let (kind, message) = (ModelErrorKind::InvalidRequest, error.to_string());
                self.run.stop(Outcome::Failed { kind, message });
                return None;
            }
        }
        self.ask(step, choice).await;
        // Calls that were all answered without being run end the step as well.
        let is_closed = matches!(self.run.conversation().items.last(), Some(Item::Results { .. }));
        if is_closed && self.run.steps() == step {
            self.after(step).await;
        }
        None
    }

    /// Runs the calls that may be tried, and tells the hooks when the step is over.
    async fn calls(&mut self) {
        let step = self.run.steps();
        self.run_calls().await;
        if step > 0 && matches!(self.run.next(), Next::Model { .. } | Next::Finish(_)) {
            self.after(step).await;
        }
    }

    async fn after(&mut self, step: u32) {
        for hook in &self.agent.step_hooks {
            let view = self.view(step);
            let said = caught(async { hook.after(view).await }).await;
            if let Err(error) = said.map_err(HookError::from).flatten() {
                return self.run.stop(failed(&error));
            }
        }
    }

    fn view(&self, step: u32) -> StepView<'_> {
        StepView { step, conversation: self.run.conversation(), usage: self.run.usage() }
    }

    fn time_left(&self) -> Duration {
        self.run.rules().limits.time.saturating_sub(self.clock.elapsed())
    }
}

fn failed(error: &HookError) -> Outcome {
    Outcome::Stopped { why: format!("a hook around the step failed: {error}") }
}
