//! Speed of what a step asks of its tools: CPU time on one core, by size of the catalog.
//!
//! `cargo bench -p oncue-tools` measures about 1,000, 15,000 and 100,000 made-up tools (a server less, so that inline ones find room); `-- --test` runs everything once, small.

#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark fails by panicking")]

#[path = "../../../eval/benches/search/synthetic.rs"]
mod synthetic;
#[path = "../../../eval/benches/search/timing.rs"]
mod timing;

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use oncue_decl::{Row, Scope};
use oncue_search::Document;
use oncue_tools::{
    Activation, Arguments, BoxFuture, CallContext, Catalog, Definition, Glob, Grants, Output,
    PrincipalName, Registry, Tool, ToolError, ToolPattern, ToolSearch, ToolSet, limits,
};
use synthetic::{Random, Vocabulary};
use timing::{Times, once};

/// Inline tools of the program itself, beside the search tool.
const INLINE: usize = 20;
/// Tools that one of the grants names one by one.
const GRANTED: usize = 100;

/// A tool without an ability.
struct Idle(Definition);

impl Tool for Idle {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn call<'a>(
        &'a self,
        _ctx: &'a CallContext<'a>,
        _arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Ok(Output::default()) })
    }
}

fn idle(document: &Document) -> Arc<dyn Tool> {
    Arc::new(Idle(Definition::new(document.row.clone(), document.schema.clone())))
}

type Sources = Vec<(Arc<str>, Vec<Arc<Document>>)>;

fn catalog(sources: &Sources) -> Catalog {
    let catalog = Catalog::new();
    for (id, tools) in sources {
        let tools = tools.iter().map(|document| idle(document)).collect();
        catalog.replace(id, tools).expect("names differ within a server of 50 tools");
    }
    catalog
}

/// The same with a search tool and some inline tools.
fn add_inline(catalog: &Catalog, vocabulary: &Vocabulary, random: &mut Random) {
    let mut tools: Vec<Arc<dyn Tool>> = vec![Arc::new(ToolSearch::new().with_budget(u32::MAX))];
    tools.extend((0..INLINE).map(|n| {
        let row = Row::inline(format!("inline_{n}"), vocabulary.words(30, random));
        idle(&Document::new(row))
    }));
    catalog.register_all(tools).expect("the names differ");
}

/// Who searches, and what they may do.
fn callers(sources: &Sources) -> Vec<(&'static str, Grants)> {
    let step = sources.len().div_ceil(GRANTED);
    let some = sources.iter().step_by(step);
    let named = some.clone().map(|(id, tools)| ToolPattern::new(id, tools[0].row.name()));
    let search = [ToolPattern::new("", "ToolSearch")];
    let guest = PrincipalName::parse("guest").expect("the name is not blank");
    let upstreams = some.clone().map(|(id, _)| Glob::new(&**id));
    vec![
        ("all granted", Grants::all()),
        ("100 servers", Grants::all().with_upstreams(upstreams)),
        ("a pattern denied", Grants::all().with_denied([ToolPattern::named("*ba*")])),
        ("one server denied", Grants::all().with_denied([ToolPattern::new("server7", "*ba*")])),
        ("100 tools granted", Grants::all().with_tools(named.chain(search))),
        ("external", Grants::external(guest, Scope::Read)),
    ]
}

/// Names of the catalog with one letter left out.
fn misspelt(sources: &Sources, count: usize) -> Vec<String> {
    let mut random = Random(4);
    let drawn = (0..count).map(|_| {
        let (id, tools) = &sources[random.below(sources.len())];
        let name = tools[random.below(tools.len())].row.name();
        let mut name = format!("{id}__{name}");
        name.remove(id.len() + 3 + random.below(3));
        name
    });
    drawn.collect()
}

fn search(registry: &Registry<'_>, query: &str) {
    let tool = registry.search_tool().expect("everyone here may search").tool();
    let grants = registry.grants();
    let ctx = CallContext::new(grants).with_registry(registry);
    let arguments = serde_json::json!({ "query": query });
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let call = pin!(tool.call(&ctx, Arguments::from(arguments)));
    let Poll::Ready(answer) = call.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a search never waits");
    };
    answer.expect("a search is answered");
}

fn measure(size: usize, count: usize) {
    let vocabulary = Vocabulary::new();
    let mut random = Random(1);
    let sources = synthetic::servers(&vocabulary, &mut random, size);
    let queries = synthetic::queries(&vocabulary, &mut random, count);
    let unknown: Vec<String> =
        (0..count).map(|_| vocabulary.words(3, &mut random).replace(' ', "_")).collect();
    let (catalog, build) = once(|| catalog(&sources));
    println!("\n{size} tools of {} servers, {:.1} µs a tool", sources.len(), build / size as f64);
    let plain = |query: &String| drop(catalog.search(query, 5));
    println!("  catalog, all hidden     {}", Times::of(&queries, plain));
    add_inline(&catalog, &vocabulary, &mut random);
    println!("  catalog, {INLINE} inline     {}", Times::of(&queries, plain));
    for (who, grants) in callers(&sources) {
        let ask = |query: &String| {
            let activation = Activation::turn();
            search(&Registry::new(&catalog, &activation, &grants), query);
        };
        println!("  search, {who:<15} {}", Times::of(&queries, ask));
        let activation = Activation::turn();
        let registry = Registry::new(&catalog, &activation, &grants);
        let ask = |query: &String| search(&registry, query);
        println!("  … again in the step     {}", Times::of(&queries, ask));
        let resolve = |name: &String| drop(registry.resolve(name));
        println!("  misspelt, {who:<13} {}", Times::of(&misspelt(&sources, count), resolve));
        println!("  unknown, {who:<14} {}", Times::of(&unknown, resolve));
    }
}

fn main() {
    println!("CPU time on one core; p50 and p99 in µs; searches ask for 5 tools");
    if std::env::args().any(|argument| argument == "--test") {
        return measure(200, 20);
    }
    for size in [1_000, 15_000, limits::TOOLS_MAX] {
        measure(size - synthetic::SERVER_TOOLS, 300);
    }
}
