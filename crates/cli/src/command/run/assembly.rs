//! From what was typed to everything that a run works with.

use std::io::Write;
use std::io::{self, IsTerminal};
use std::sync::Arc;

use oncue_agent::{Agent, Disclosure};
use oncue_tools::ActivationScope;

use super::cassette::{Consent, Start, Tape};
use super::channel::{self, Told};
use super::cost::Rates;
use super::model::{self, Opened};
use super::people::{Answer, People, Speaks};
use super::session::SessionFile;
use super::setup::{self, About, Rules};
use super::texts;
use super::tools::Toolbox;
use super::typed::Typed;
use crate::args::{ApproveArg, Run};
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
    pub(super) file: Option<SessionFile>,
    pub(super) people: Option<People>,
    pub(super) plan: Plan,
}

/// What is to be done.
pub(super) enum Plan {
    /// Turn by turn.
    Tasks(Vec<String>),
    /// The turn that waits, with these answers.
    Resume(Vec<Answer>),
    /// What a person says.
    Talk,
}

impl Assembly {
    /// Puts together what was typed, and says on `err` what goes without.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written, there is no model or no task, or the tools do not go together.
    pub(super) async fn new(
        args: &Run,
        toolbox: &Toolbox,
        err: &mut dyn Write,
    ) -> Result<Self, Failure> {
        let replay = args.tape.replay.as_deref().map(Tape::replay).transpose()?;
        let file = args.session.session.as_deref().map(SessionFile::open).transpose()?;
        let plan = plan(args, replay.as_ref(), file.as_ref())?;
        let is_kept = file.is_some() || matches!(plan, Plan::Talk);
        let recorded = replay.as_ref().and_then(Tape::start).cloned();
        let rules = Rules::new(args, recorded.as_ref(), is_kept);
        let opened = match &replay {
            Some(tape) => tape.opened(),
            None => model::open(&args.model, args.profile.profile)?,
        };
        let Opened { model, rates } = opened.ok_or_else(model::missing)?;
        let system = args.system.as_deref().map(texts::system).transpose()?;
        let disclosure = model.disclosure();
        let tape = match (&args.tape.record, replay) {
            (_, Some(replay)) => replay,
            (None, None) => Tape::None,
            (Some(path), None) => Tape::record(path, Start::new(&*model, rates, rules))?,
        };
        let about = About::new(toolbox, rules.profile, Some(&*model));
        let embedder = args.embedder.embedder.as_deref();
        let (agent, search) = setup::agent(model, embedder, toolbox, rules, &tape, err).await?;
        let (teller, told) = channel::channel();
        let people = people(args, &plan);
        let mut agent = match (rules.consent, &people) {
            (Consent::Agreed, _) => agent,
            (Consent::Refused, _) => agent.with_nobody_to_ask(),
            (Consent::Asked, Some(_)) => tape.people(agent.with_approver(Arc::new(teller.clone()))),
            (Consent::Asked, None) => tape.people(agent),
        };
        agent = agent.with_listener(Arc::new(teller));
        if let Some(system) = system {
            agent = agent.with_system(system);
        }
        if !args.output.no_stream {
            agent = agent.streaming();
        }
        agent = keeping(agent, rules.keeps_found, disclosure);
        Ok(Self { agent, told, about, rates, search, tape, file, people, plan })
    }
}

/// Returns what is to be done.
fn plan(args: &Run, replay: Option<&Tape>, file: Option<&SessionFile>) -> Result<Plan, Failure> {
    let answers = &args.session.answer;
    let waits = file.is_some_and(SessionFile::is_waiting);
    match (&args.task, replay) {
        (Some(task), _) => {
            let is_taken = args.consent.approve.is_some() && texts::is_stdin(task);
            if is_taken {
                Err(texts::stdin_is_taken())
            } else {
                Ok(Plan::Tasks(vec![texts::task(task)?]))
            }
        }
        (None, Some(tape)) => {
            let tasks: Vec<String> = std::iter::from_fn(|| tape.task()).collect();
            if tasks.is_empty() { Err(texts::missing()) } else { Ok(Plan::Tasks(tasks)) }
        }
        (None, None) if waits || !answers.is_empty() => Ok(Plan::Resume(answers.clone())),
        (None, None) if is_talk(args) => Ok(Plan::Talk),
        (None, None) => Err(texts::missing()),
    }
}

/// Says whether a person can be talked to.
fn is_talk(args: &Run) -> bool {
    !args.output.json && has_person()
}

/// A person must see what is asked, and be able to answer.
fn has_person() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

fn people(args: &Run, plan: &Plan) -> Option<People> {
    let speaks = match (args.consent.approve, plan) {
        (Some(ApproveArg::Stdin), _) => Speaks::Json,
        (None, Plan::Talk) => Speaks::Words,
        (None, _) if is_talk(args) => Speaks::Words,
        (None, _) => return None,
    };
    Some(People::new(speaks, Typed::stdin()))
}

/// Returns the agent with findings that live as long as its session, where the model does not keep them in sight by itself.
fn keeping(agent: Agent, keeps_found: bool, disclosure: Disclosure) -> Agent {
    match keeps_found && !disclosure.keeps_found() {
        true => agent.with_activation(ActivationScope::Session),
        false => agent,
    }
}
