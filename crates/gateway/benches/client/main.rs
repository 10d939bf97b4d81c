//! What a client's requests cost the gateway: CPU time on one core, the client's own side included, the servers behind left out.
//!
//! `cargo bench -p oncue-gateway` measures 20, 1,000 and 3,000 made-up tools behind scripted processes; `-- --test` runs everything once, small.

#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark fails by panicking")]

#[expect(dead_code, reason = "the tests need more of it")]
#[path = "../../tests/it/bench.rs"]
mod bench;
#[expect(dead_code, reason = "other benchmarks need more of it")]
#[path = "../../../eval/benches/search/synthetic.rs"]
mod synthetic;
#[path = "../../../eval/benches/search/timing.rs"]
mod timing;

use std::path::Path;

use bench::{Bench, Fakes};
use oncue_search::Document;
use serde_json::{Value, json};
use synthetic::{Random, Vocabulary};
use timing::{Times, once};

/// Ids of the servers, for as many as there can be.
const IDS: [&str; 4] = ["s0", "s1", "s2", "s3"];

/// Returns a tool as a server lists it.
fn listed(document: &Document) -> Value {
    let schema = document.schema.as_ref().map_or("{}", |schema| schema.get());
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    json!({
        "name": document.row.name(),
        "description": document.row.description(),
        "inputSchema": schema,
        "annotations": { "readOnlyHint": true },
    })
}

/// Servers with `tools` tools in all, each with a tool `echo` beside them.
fn fakes(folder: &Path, tools: usize, vocabulary: &Vocabulary, random: &mut Random) -> Fakes {
    let each = tools.div_ceil(IDS.len());
    let script = |id: &'static str| {
        let mut tools = vec![
            json!({ "name": "echo", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } }),
        ];
        tools.extend((0..each).map(|_| listed(&synthetic::tool(vocabulary, random))));
        let file = folder.join(format!("{id}.json"));
        std::fs::write(&file, json!({ "tools": tools }).to_string()).expect("written");
        (id, json!({ "catalog": file }))
    };
    IDS.into_iter().map(script).collect()
}

fn measure(tools: usize, count: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let (vocabulary, mut random) = (Vocabulary::new(), Random(1));
    let folder = tempfile::tempdir().expect("a folder");
    let fakes = fakes(folder.path(), tools, &vocabulary, &mut random);
    let queries = synthetic::queries(&vocabulary, &mut random, count);
    let (bench, client) = runtime.block_on(async {
        let bench = Bench::new(&fakes, "");
        bench.gateway.settled().await;
        let client = bench.client().await;
        (bench, client)
    });
    println!("\n{} tools behind {} servers", bench.gateway.catalog().snapshot().len(), IDS.len());
    let snapshot = bench.gateway.catalog().snapshot();
    let (_, built) = once(|| snapshot.index().len());
    println!("  made searchable   {built:>9.1}");
    let list = |_: &String| drop(runtime.block_on(client.list()));
    println!("  tools/list        {}", Times::of(&queries, list));
    let search = |query: &String| {
        drop(runtime.block_on(client.call("search_tools", json!({ "query": query }))));
    };
    println!("  search_tools      {}", Times::of(&queries, search));
    let call = |query: &String| {
        let text = runtime.block_on(client.call_by("s0__echo", json!({ "text": query })));
        assert!(text.contains(query.as_str()), "{text}");
    };
    println!("  call_tool         {}", Times::of(&queries, call));
    runtime.block_on(bench.gateway.stop());
}

fn main() {
    println!("CPU time on one core; p50 and p99 in µs");
    if std::env::args().any(|argument| argument == "--test") {
        return measure(20, 20);
    }
    for tools in [20, 1_000, 3_000] {
        measure(tools, 1_000);
    }
}
