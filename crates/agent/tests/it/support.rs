//! A model that follows a script, a few tools, and somebody who writes down what happens.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use oncue_agent::conversation::{Call, Item, Part};
use oncue_agent::{
    Agent, Disclosure, Event, Listen, Model, ModelError, Outcome, Reply, Request, TurnEnd, Usage,
};
use oncue_decl::{Row, Tier};
use oncue_tools::{
    BoxFuture, CallId, Catalog, Content, Grants, NoArguments, Tool, ToolSearch, tool,
};

/// What a scripted model does with one request.
pub(crate) type Move = Box<dyn FnOnce(&Request<'_>) -> Result<Reply, ModelError> + Send>;

/// A model that makes one move after the other, and then says that the script is over.
pub(crate) struct Scripted {
    moves: Mutex<VecDeque<Move>>,
    seen: Mutex<Vec<Seen>>,
    pub(crate) disclosure: Disclosure,
    pub(crate) can_narrow: bool,
}

/// What a request showed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) tools: Vec<String>,
    pub(crate) items: Vec<Item>,
    pub(crate) among: Vec<String>,
    pub(crate) hint: Option<String>,
}

impl Scripted {
    pub(crate) fn new(moves: Vec<Move>) -> Arc<Self> {
        Self::disclosing(Disclosure::Append, moves)
    }

    pub(crate) fn disclosing(disclosure: Disclosure, moves: Vec<Move>) -> Arc<Self> {
        let moves = Mutex::new(moves.into());
        Arc::new(Self { moves, seen: Mutex::default(), disclosure, can_narrow: true })
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The tools that each request showed, without the search tool.
    pub(crate) fn lists(&self) -> Vec<Vec<String>> {
        let mut lists: Vec<Vec<String>> = self.seen().into_iter().map(|seen| seen.tools).collect();
        lists.iter_mut().for_each(|list| list.retain(|name| name != "ToolSearch"));
        lists
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn disclosure(&self) -> Disclosure {
        self.disclosure
    }

    fn can_narrow(&self) -> bool {
        self.can_narrow
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        _: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let tools = request.tools.inline.iter().chain(&request.tools.found);
        self.seen.lock().unwrap().push(Seen {
            tools: tools.map(|entry| entry.exposed().to_owned()).collect(),
            items: request.items.to_vec(),
            among: match &request.choice {
                oncue_agent::Choice::Among(names) => names.to_vec(),
                _ => Vec::new(),
            },
            hint: request.tools.search_hint.as_deref().map(str::to_owned),
        });
        let next = self.moves.lock().unwrap().pop_front();
        let reply = match next {
            Some(next) => next(request),
            None => Ok(said("the script is over")),
        };
        Box::pin(std::future::ready(reply))
    }
}

pub(crate) fn reply(parts: Vec<Part>) -> Reply {
    let usage = Usage { uncached: 100, output: 10, ..Usage::default() };
    Reply { parts, usage, ..Reply::default() }
}

fn said(text: &str) -> Reply {
    reply(vec![Part::Text { text: text.to_owned() }])
}

/// The model says this.
pub(crate) fn says(text: &'static str) -> Move {
    Box::new(move |_| Ok(said(text)))
}

/// The model calls these, `(name, arguments)`.
pub(crate) fn calls(calls: &[(&'static str, &'static str)]) -> Move {
    let calls: Vec<(&str, &str)> = calls.to_vec();
    Box::new(move |request| {
        let before = request.items.len();
        let parts = calls.iter().enumerate().map(|(at, (name, arguments))| {
            Part::Call(Call {
                id: CallId::new(format!("c{before}_{at}")),
                name: (*name).to_owned(),
                arguments: (*arguments).to_owned(),
            })
        });
        Ok(reply(parts.collect()))
    })
}

/// The model cannot be asked.
pub(crate) fn fails(kind: oncue_agent::ModelErrorKind) -> Move {
    Box::new(move |_| Err(ModelError::new(kind, "scripted")))
}

pub(crate) fn silent(row: Row) -> Row {
    row.with_tier(Tier::Silent)
}

/// A tool that answers with its name.
pub(crate) fn named(row: Row) -> Arc<dyn Tool> {
    let name = row.name().to_owned();
    Arc::new(tool(row, async move |_, _: NoArguments| Ok(name.clone())))
}

pub(crate) fn inline(name: &'static str) -> Arc<dyn Tool> {
    named(silent(Row::inline(name, "Shows what is there")))
}

pub(crate) fn hidden(name: &'static str, description: &'static str) -> Arc<dyn Tool> {
    named(silent(Row::discoverable(name, description)))
}

/// A catalog of a search tool and these.
pub(crate) fn catalog(tools: Vec<Arc<dyn Tool>>) -> Arc<Catalog> {
    catalog_with(ToolSearch::new(), tools)
}

pub(crate) fn catalog_with(search: ToolSearch, tools: Vec<Arc<dyn Tool>>) -> Arc<Catalog> {
    let catalog = Catalog::new();
    catalog.register(Arc::new(search)).unwrap();
    catalog.register_all(tools).unwrap();
    Arc::new(catalog)
}

pub(crate) fn agent(model: &Arc<Scripted>, catalog: &Arc<Catalog>) -> Agent {
    Agent::new(Arc::<Scripted>::clone(model), Arc::clone(catalog), Grants::all()).unwrap()
}

/// Runs one turn and returns how it ended.
pub(crate) async fn outcome(agent: &Agent, input: &str) -> Outcome {
    match agent.session().turn(input).await.unwrap() {
        TurnEnd::Ended(outcome) => outcome,
        TurnEnd::Waiting(questions) => panic!("the turn waits: {questions:?}"),
    }
}

/// The texts of the last results in a conversation.
pub(crate) fn results(items: &[Item]) -> Vec<String> {
    let last = items.iter().rev().find_map(|item| match item {
        Item::Results { results } => Some(results),
        _ => None,
    });
    let texts = last.into_iter().flatten().map(|result| match result.content.as_slice() {
        [Content::Text(text)] => text.clone(),
        other => format!("{other:?}"),
    });
    texts.collect()
}

/// Writes down what happens.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<Event>>>);

impl Log {
    pub(crate) fn events(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }
}

impl oncue_agent::Listener for Log {
    fn hear(&self, event: &Event) {
        self.0.lock().unwrap().push(event.clone());
    }
}
