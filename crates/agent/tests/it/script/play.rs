//! One play of one script, and what must be true of every one.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use oncue_agent::conversation::{Conversation, Item};
use oncue_agent::{Agent, Fork, Outcome, Session, SessionRecord, TurnEnd};
use oncue_decl::{Row, Tier};
use oncue_tools::{
    ActivationScope, Cancellation, Content, ErrorKind, Grants, Output, PlainTools, Tool,
    ToolPattern, ToolSearch,
};

use super::actor::{Actor, is_well_formed};
use super::data::{Deed, Person, Script, ToolSpec, Turn};
use super::hooks::{Answering, AroundStep, Ear, Scheduled, approval};
use super::world::World;

/// In which way a script is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    pub(crate) streams: bool,
    /// Whether the session is stored and taken up again wherever it rests and before every request.
    pub(crate) stores: bool,
}

/// What came of a play, the same in every mode.
#[derive(Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) transcript: String,
    conversation: Conversation,
    active: Vec<String>,
    searches: u32,
}

struct Stage {
    world: Arc<World>,
    actor: Arc<Actor>,
    ear: Arc<Ear>,
    answering: Arc<Answering>,
    agent: Agent,
}

pub(crate) async fn play(script: &Script, shared: &[ToolSpec], mode: Mode) -> Played {
    let stage = Stage::new(script, shared, mode);
    let mut session = stage.agent.session().with_cancel(stage.world.cancel.clone());
    for turn in &script.turns {
        let deed = match turn {
            Turn::Says(words) => &Deed { says: words.clone(), ..Deed::default() },
            Turn::Does(deed) => deed,
        };
        if !deed.shortens_to.is_empty() {
            session.shorten(vec![Item::Summary { text: deed.shortens_to.clone() }]);
            continue;
        }
        if deed.cancels_after_ms > 0 {
            let (cancel, after) = (stage.world.cancel.clone(), deed.cancels_after_ms);
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(after)).await;
                cancel.fire(Cancellation::Withdrawn);
            });
        }
        let input: Output = match deed.shows_picture {
            true => Content::image("image/png", [1]).into(),
            false => deed.says.as_str().into(),
        };
        let end;
        (session, end) = stage.turn(session, input, mode).await;
        is_true_of_an_end(&stage, &session, end.as_ref());
    }
    stage.is_true_of_every_play(script, &session);
    let active = session.activation().active();
    Played {
        transcript: stage.world.transcript(),
        conversation: session.conversation().clone(),
        active: active.iter().map(|tool| tool.name().to_owned()).collect(),
        searches: session.activation().searches(),
    }
}

impl Stage {
    fn new(script: &Script, shared: &[ToolSpec], mode: Mode) -> Self {
        let world = World::new(script, shared);
        let mut actor = Actor::new(&world, &script.model, "");
        actor.disclosure = script.disclosure;
        actor.can_narrow = script.can_narrow;
        actor.is_interrupted = mode.stores;
        let actor = Arc::new(actor);
        let denied = script.denied.iter().map(|name| ToolPattern::named(name));
        let grants = Grants::local().with_denied(denied);
        let names = script.tools.iter().chain(script.tool.iter().map(|spec| &spec.name));
        let tools: Vec<Arc<dyn Tool>> = names.flat_map(|name| world.tools(name)).collect();
        let model = Arc::<Actor>::clone(&actor);
        let agent = if script.is_plain {
            Agent::plain(model, PlainTools::new(tools, &grants))
        } else {
            let search = match script.search.as_str() {
                "" => script.profile.search_tool(),
                name => ToolSearch::named(name.to_owned()).with_budget(script.profile.searches),
            };
            world.catalog.register(Arc::new(search)).unwrap();
            world.catalog.register_all(tools).unwrap();
            if let Some(fork) = fork(script, &world, &grants) {
                world.catalog.register(fork).unwrap();
            }
            Agent::new(model, Arc::clone(&world.catalog), grants).unwrap()
        };
        let ear = Ear::new(&world, "", script.shows_ids);
        let answering = Arc::new(Answering::new(&script.answers));
        let agent = agent.with_limits(script.limits).with_profile(script.profile);
        let agent = agent.with_listener(Arc::<Ear>::clone(&ear));
        let agent = match script.person {
            Person::Waiting => agent,
            Person::Live => agent.with_approver(Arc::<Answering>::clone(&answering)),
            Person::Nobody => agent.with_nobody_to_ask(),
        };
        let agent = match script.scope {
            Some(scope) => agent.with_activation(scope),
            None => agent,
        };
        let agent = if mode.streams { agent.streaming() } else { agent };
        let agent = script
            .hooks
            .iter()
            .fold(agent, |agent, hook| agent.with_hook(Arc::new(Scheduled::new(hook, &world))));
        let agent = script
            .step_hooks
            .iter()
            .fold(agent, |agent, hook| agent.with_step_hook(Arc::new(AroundStep::new(hook))));
        Self { world, actor, ear, answering, agent }
    }

    /// Runs a turn until it has ended, or waits for somebody who does not answer.
    async fn turn<'a>(
        &'a self,
        mut session: Session<'a>,
        input: Output,
        mode: Mode,
    ) -> (Session<'a>, Option<Outcome>) {
        let mut end = self.until_asked(session.turn(input)).await.map(Result::unwrap);
        loop {
            if mode.stores {
                session = self.restored(&session);
            }
            match end {
                Some(TurnEnd::Ended(outcome)) => return (session, Some(outcome)),
                Some(TurnEnd::Waiting(questions)) => {
                    self.world.writes("=> waiting".to_owned());
                    let mut is_answered = false;
                    for question in &questions {
                        let Some(mut answer) = self.answering.next() else { continue };
                        if answer.starts_with("redefines ") {
                            self.world.writes(format!("meanwhile {answer}"));
                            self.world.changes(&answer);
                            answer = self.answering.next().expect("an answer as well");
                        }
                        self.world.writes(format!("person on {}: {answer}", question.name));
                        assert!(session.answer(&question.id, approval(&answer)));
                        is_answered = true;
                    }
                    if !is_answered {
                        return (session, None);
                    }
                }
                None => {}
            }
            if mode.stores {
                session = self.restored(&session);
            }
            end = self.until_asked(session.resume()).await.flatten_end();
        }
    }

    /// Runs until the model has been asked what it leaves without a reply: nothing then.
    async fn until_asked<T>(&self, turn: impl Future<Output = T>) -> Option<T> {
        let mut turn = pin!(turn);
        poll_fn(|cx| match turn.as_mut().poll(cx) {
            Poll::Ready(end) => Poll::Ready(Some(end)),
            Poll::Pending if self.actor.waits() => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await
    }

    fn restored(&self, session: &Session<'_>) -> Session<'_> {
        let stored = serde_json::to_string(&session.record()).unwrap();
        let record: SessionRecord = serde_json::from_str(&stored).unwrap();
        let (session, _) = self.agent.restore(record);
        session.with_cancel(self.world.cancel.clone())
    }

    fn is_true_of_every_play(&self, script: &Script, session: &Session<'_>) {
        let title = &script.title;
        let searches = session.activation().searches();
        assert!(searches <= script.profile.searches, "{title}: {searches} searches");
        // What is hidden runs only once it was found, in the same turn or fork.
        for ran in self.world.ran().iter().filter(|ran| self.world.is_hidden(&ran.tool)) {
            let found = self.world.found();
            let is_of = |found: &&super::world::Happened| {
                found.tool == ran.tool && found.at <= ran.at && found.is_below == ran.is_below
            };
            assert!(found.iter().any(|it| is_of(&it)), "{title}: {ran:?} ran unfound");
        }
        echoes_little(title, &session.conversation().items);
    }
}

trait FlattenEnd {
    fn flatten_end(self) -> Option<TurnEnd>;
}

impl FlattenEnd for Option<Option<TurnEnd>> {
    fn flatten_end(self) -> Option<TurnEnd> {
        self.map(|end| end.expect("a turn to go on with"))
    }
}

/// Success is an answer that the model gave, and nothing else is.
fn is_true_of_an_end(stage: &Stage, session: &Session<'_>, end: Option<&Outcome>) {
    let heard = stage.ear.ended.lock().unwrap().take();
    assert_eq!(heard.as_ref(), end, "what is heard and what is returned differ");
    let Some(outcome) = end else { return };
    is_well_formed(&session.conversation().items);
    let last = session.conversation().items.last();
    match outcome {
        Outcome::Answered { text } => {
            assert!(outcome.is_success() && !text.trim().is_empty());
            let Some(Item::Reply(said)) = last else { panic!("no answer: {last:?}") };
            assert_eq!((said.text(), said.calls().count()), (text.clone(), 0));
        }
        outcome => assert!(!outcome.is_success()),
    }
}

/// Of arguments that were refused no more than 200 characters are shown again.
fn echoes_little(title: &str, items: &[Item]) {
    let calls = items.iter().filter_map(|item| match item {
        Item::Reply(said) => Some(said.calls()),
        _ => None,
    });
    let calls: Vec<_> = calls.flatten().collect();
    let results = items.iter().filter_map(|item| match item {
        Item::Results { results } => Some(results),
        _ => None,
    });
    for result in results.flatten().filter(|it| it.error == Some(ErrorKind::Arguments)) {
        let Some(call) = calls.iter().find(|call| call.id == result.id) else { continue };
        let chars: Vec<char> = call.arguments.chars().take(2_000).collect();
        let text = format!("{:?}", result.content);
        assert!(text.chars().count() < 2_000, "{title}: a long answer");
        for window in chars.windows(201) {
            let window: String = window.iter().collect();
            assert!(!text.contains(&window), "{title}: shows too much again");
        }
    }
}

/// Returns the sub-agent of a script.
fn fork(script: &Script, world: &Arc<World>, grants: &Grants) -> Option<Arc<dyn Tool>> {
    const MARGIN: &str = "    | ";
    let spec = script.fork.as_ref()?;
    let actor = Arc::new(Actor::new(world, &spec.model, MARGIN));
    let grants = match spec.allowed.as_slice() {
        [] => grants.clone(),
        allowed => grants.clone().with_tools(allowed.iter().map(|name| ToolPattern::named(name))),
    };
    // The search tool is there already, so the grants alone can be at fault.
    let agent = Agent::new(actor, Arc::clone(&world.catalog), grants).unwrap();
    let agent = agent.with_limits(spec.limits).with_activation(ActivationScope::Turn);
    let agent = agent.with_listener(Ear::new(world, MARGIN, script.shows_ids));
    let row = Row::inline("delegate", "Gives a task to a helper").with_tier(Tier::Silent);
    Some(Arc::new(Fork::new(row, agent)))
}
