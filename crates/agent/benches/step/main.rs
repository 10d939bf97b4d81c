//! What a step costs beside the model and the tools: CPU time on one core, and allocations.
//!
//! The model answers at once and calls one tool a step, and the tool answers at once: what passes between a reply and the next request is the loop's.
//! `cargo bench -p oncue-agent` measures; `-- --test` runs everything once, small.

#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark fails by panicking")]

#[expect(dead_code, reason = "other benchmarks draw queries as well")]
#[path = "../../../eval/benches/search/synthetic.rs"]
mod synthetic;
#[expect(dead_code, reason = "other benchmarks time single calls")]
#[path = "../../../eval/benches/search/timing.rs"]
mod timing;

use std::fmt;
use std::sync::{Arc, Mutex};

use oncue_agent::conversation::{Author, Call, CallResult, Conversation, Item, Part, Said};
use oncue_agent::{
    Agent, Listen, Model, ModelError, Profile, Reply, Request, Session, TurnEnd, TurnLimits,
};
use oncue_decl::{Row, Tier};
use oncue_search::Document;
use oncue_tools::{
    Arguments, BoxFuture, CallContext, CallId, Catalog, Content, Definition, Grants, Output, Tool,
    ToolError, limits,
};
use serde_json::value::RawValue;
use synthetic::{Random, Vocabulary};
use timing::{Times, now};

/// Inline tools of the program itself, the search tool included.
const INLINE: usize = 27;
/// Found tools where there are so many.
const ACTIVE: usize = 20;
/// Steps of a turn, the search at its beginning and the answer at its end included.
const STEPS: usize = 12;

/// A tool without an ability.
struct Idle(Definition);

impl Tool for Idle {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn call<'a>(
        &'a self,
        _: &'a CallContext<'a>,
        _: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Ok("done".into()) })
    }
}

fn idle(document: &Document) -> Arc<dyn Tool> {
    let row = document.row.clone().with_tier(Tier::Silent);
    Arc::new(Idle(Definition::new(row, document.schema.clone())))
}

/// A model that searches, calls a tool in each step, and answers; it keeps the times between its replies.
struct Quick {
    search: Call,
    call: Call,
    /// How many tools the search finds.
    active: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    requests: usize,
    /// When the last reply was given, or the turn began.
    since: u64,
    /// Nanoseconds until the first request.
    starts: Vec<u64>,
    /// Nanoseconds between a reply with an ordinary call and the next request.
    steps: Vec<u64>,
}

impl Quick {
    fn moves(&self, found: usize) -> Part {
        let mut state = self.state.lock().expect("nobody panics under the lock");
        let passed = now() - state.since;
        assert!(state.requests == 0 || found >= self.active);
        match state.requests {
            0 => state.starts.push(passed),
            // Behind the search: what the search costs is measured with the tools.
            1 => {}
            _ => state.steps.push(passed),
        }
        state.requests += 1;
        let requests = state.requests;
        let call = |call: &Call| {
            let id = CallId::new(format!("measured_{requests}"));
            Part::Call(Call { id, ..call.clone() })
        };
        match requests {
            1 => call(&self.search),
            requests if requests < STEPS => call(&self.call),
            _ => Part::Text { text: "done".to_owned() },
        }
    }
}

impl Model for Quick {
    fn name(&self) -> &str {
        "quick"
    }

    fn can_narrow(&self) -> bool {
        true
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        _: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let mut reply = Reply::default();
        allocation_counter::opt_out(|| {
            assert_eq!(request.tools.inline.len(), INLINE);
            reply.parts.push(self.moves(request.tools.found.len()));
        });
        let reply: BoxFuture<'_, _> = Box::pin(std::future::ready(Ok(reply)));
        self.state.lock().expect("nobody panics under the lock").since = now();
        reply
    }
}

/// What was measured.
struct Measured {
    starts: Times,
    steps: Times,
    /// Allocations and their bytes, of a step on average.
    allocations: (f64, f64),
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, bytes) = self.allocations;
        write!(f, "{}  {count:>8.0} {bytes:>9.0}  {}", self.steps, self.starts)
    }
}

/// An agent over a catalog of so many tools, the model's first move being to find some.
struct Bench {
    catalog: Arc<Catalog>,
    search: Call,
    call: Call,
    active: usize,
}

impl Bench {
    fn new(tools: usize) -> Self {
        let vocabulary = Vocabulary::new();
        let mut random = Random(1);
        let catalog = Catalog::new();
        catalog.register(Arc::new(Profile::DEFAULT.search_tool())).expect("an empty catalog");
        let inline = (1..INLINE).map(|number| {
            let row = Row::inline(format!("inline_{number}"), vocabulary.words(30, &mut random));
            idle(&Document { row, schema: RawValue::from_string(SCHEMA.to_owned()).ok() })
        });
        catalog.register_all(inline.collect()).expect("the names differ");
        let mut hidden = tools - INLINE;
        for (id, tools) in synthetic::servers(&vocabulary, &mut Random(2), hidden.max(1)) {
            let tools = tools.iter().take(hidden).map(|document| idle(document));
            let tools: Vec<_> = tools.collect();
            hidden -= tools.len();
            catalog.replace(&id, tools).expect("names differ within a server");
        }
        let snapshot = catalog.snapshot();
        assert_eq!(snapshot.len(), tools);
        let hidden = snapshot.iter().filter(|entry| !entry.row().is_inline());
        // From all over the catalog.
        let step = ((tools - INLINE) / ACTIVE).max(1);
        let names: Vec<&str> =
            hidden.step_by(step).take(ACTIVE).map(|entry| entry.exposed()).collect();
        let query = format!(r#"{{"query":"select:{}"}}"#, names.join(","));
        let call = |name: &str, arguments: &str| Call {
            id: CallId::default(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        let search = snapshot.search_tool().map_or("", |tool| tool.exposed());
        let search = call(search, &query);
        let call = call("inline_7", r#"{"table":"orders"}"#);
        Self { search, call, active: names.len(), catalog: Arc::new(catalog) }
    }

    /// Measures turns behind a conversation of so many items.
    fn measure(&self, profile: Profile, items: usize, turns: usize) -> Measured {
        let model = Arc::new(Quick {
            search: self.search.clone(),
            call: self.call.clone(),
            active: self.active,
            state: Mutex::default(),
        });
        let shared: Arc<dyn Model> = Arc::<Quick>::clone(&model);
        let limits = TurnLimits { steps: 1_000, ..TurnLimits::default() };
        let agent = Agent::new(shared, Arc::clone(&self.catalog), Grants::local())
            .expect("there is a search tool")
            .with_limits(limits)
            .with_profile(profile);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("a runtime");
        let conversation = conversation(items, &self.search.name);
        let run = || {
            let mut session = agent.session().with_conversation(conversation.clone());
            {
                let mut state = model.state.lock().expect("nobody panics under the lock");
                (state.requests, state.since) = (0, now());
            }
            let measured = allocation_counter::measure(|| runtime.block_on(answered(&mut session)));
            allocation_counter::opt_out(|| drop(session));
            measured
        };
        (0..3).for_each(|_| {
            run();
        });
        *model.state.lock().expect("nobody panics under the lock") = State::default();
        let mut counted = Default::default();
        (0..turns).for_each(|_| counted = run());
        let state = std::mem::take(&mut *model.state.lock().expect("nobody panics under the lock"));
        let share = |sum: u64| sum as f64 / STEPS as f64;
        Measured {
            starts: Times::from(state.starts),
            steps: Times::from(state.steps),
            allocations: (share(counted.count_total), share(counted.bytes_total)),
        }
    }
}

const SCHEMA: &str = r#"{"type":"object","properties":{"table":{"type":"string"}},"required":["table"],"additionalProperties":false}"#;

async fn answered(session: &mut Session<'_>) {
    match session.turn("go").await.expect("there is a search tool") {
        TurnEnd::Ended(outcome) if outcome.is_success() => {}
        other => panic!("{other:?}"),
    }
}

/// A conversation of calls and results, a twentieth of them searches.
fn conversation(items: usize, search: &str) -> Conversation {
    let item = |at: usize| {
        let id = CallId::new(format!("earlier_{}", at / 2));
        let name = if (at / 2).is_multiple_of(20) { search } else { "inline_7" }.to_owned();
        if at.is_multiple_of(2) {
            let arguments = r#"{"table":"a table of customers and their orders"}"#.to_owned();
            let parts = vec![Part::Call(Call { id, name, arguments })];
            return Item::Reply(Said { by: Author::Model, parts, raw: None });
        }
        let text = "twelve rows of customers, orders and what they have paid ".repeat(8);
        let content = vec![Content::Text(text)];
        Item::Results {
            results: vec![CallResult { id, name, content, error: None, loaded: Vec::new() }],
        }
    };
    Conversation { items: (0..items).map(item).collect() }
}

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    println!(
        "a step in µs, p50 and p99; its allocations and their bytes; the start of a turn in µs"
    );
    let turns = if is_test { 2 } else { 300 };
    let sizes: &[usize] = if is_test { &[38, 200] } else { &[38, 10_000, limits::TOOLS_MAX] };
    for &tools in sizes {
        let bench = Bench::new(tools);
        println!("{tools:>7} tools     {}", bench.measure(Profile::DEFAULT, 0, turns));
    }
    let bench = Bench::new(38);
    let lengths: &[usize] = if is_test { &[10] } else { &[10, 100, 1_000, 10_000] };
    for (name, profile) in [("default", Profile::DEFAULT), ("weak", Profile::WEAK)] {
        for &items in lengths {
            println!("{items:>7} items, {name:<7} {}", bench.measure(profile, items, turns / 2));
        }
    }
}
