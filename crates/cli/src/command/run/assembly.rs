//! From what was typed to everything that a run works with.

use std::sync::Arc;

use oncue_agent::Agent;

use super::cassette::{Start, Tape};
use super::channel::{self, Told};
use super::cost::Rates;
use super::model::{self, Opened};
use super::setup::{self, About, Rules};
use super::texts;
use super::tools::Toolbox;
use crate::args::Run;
use crate::failure::Failure;

/// Everything that a run works with. Lives as long as the run.
pub(super) struct Assembly {
    pub(super) agent: Agent,
    pub(super) told: Told,
    pub(super) about: About,
    pub(super) rates: Rates,
    /// The name of the search tool, where there is one.
    pub(super) search: Option<String>,
    pub(super) tape: Tape,
    /// What is to be done, turn by turn.
    pub(super) tasks: Vec<String>,
}

impl Assembly {
    /// Puts together what was typed.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written, there is no model or no task, or the tools do not go together.
    pub(super) fn new(args: &Run, toolbox: Toolbox) -> Result<Self, Failure> {
        let replay = args.tape.replay.as_deref().map(Tape::replay).transpose()?;
        let recorded = replay.as_ref().and_then(Tape::start).cloned();
        let rules = Rules::new(args, recorded.as_ref());
        let opened = match &replay {
            Some(tape) => tape.opened(),
            None => model::open(&args.model)?,
        };
        let Opened { model, rates } = opened.ok_or_else(model::missing)?;
        let mut tasks: Vec<String> =
            args.task.iter().map(|task| texts::task(task)).collect::<Result<_, _>>()?;
        if let (Some(tape), true) = (&replay, tasks.is_empty()) {
            tasks.extend(std::iter::from_fn(|| tape.task()));
        }
        if tasks.is_empty() {
            return Err(texts::missing());
        }
        let system = args.system.as_deref().map(texts::system).transpose()?;
        let tape = match (&args.tape.record, replay) {
            (_, Some(replay)) => replay,
            (None, None) => Tape::None,
            (Some(path), None) => {
                let Rules { profile, limits, consent } = rules;
                Tape::record(path, Start::new(&*model, rates, profile, limits, consent))?
            }
        };
        let about = About::new(&toolbox, rules.profile, Some(&*model));
        let (agent, search) = setup::agent(model, toolbox, rules, &tape)?;
        let (teller, told) = channel::channel();
        let mut agent = agent.with_listener(Arc::new(teller));
        if let Some(system) = system {
            agent = agent.with_system(system);
        }
        if !args.output.no_stream {
            agent = agent.streaming();
        }
        Ok(Self { agent, told, about, rates, search, tape, tasks })
    }
}
