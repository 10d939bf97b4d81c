//! Speed of search: CPU time on one core, by size of the catalog.
//!
//! `cargo bench -p oncue-eval` measures up to 100,000 tools; `-- --large` adds 1,000,000; `--features rivals` measures tantivy beside ours in the same run.
//! With `ONCUE_DATA` set to the folder of the full data sets the pooled real catalog and the long requests of `sealtools` are measured too.
//! `-- --test` runs everything once, small.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot measure ends, and nobody waits for its answer"
)]

mod ours;
mod real;
#[cfg(feature = "rivals")]
mod rival;
mod synthetic;
mod timing;

use std::sync::Arc;

use oncue_search::Document;

/// A catalog to search and what to ask of it.
pub(crate) struct Load {
    pub(crate) name: String,
    pub(crate) sources: Vec<(Arc<str>, Vec<Arc<Document>>)>,
    pub(crate) queries: Vec<String>,
}

impl Load {
    pub(crate) fn tools(&self) -> usize {
        self.sources.iter().map(|(_, tools)| tools.len()).sum()
    }

    fn synthetic(tools: usize, queries: usize) -> Self {
        let vocabulary = synthetic::Vocabulary::new();
        let mut random = synthetic::Random(1);
        let sources = synthetic::servers(&vocabulary, &mut random, tools);
        let queries = synthetic::queries(&vocabulary, &mut random, queries);
        Self { name: format!("synthetic {tools}"), sources, queries }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let is_set = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let mut loads: Vec<Box<dyn Fn() -> Vec<Load>>> = Vec::new();
    if is_set("--test") {
        loads.push(Box::new(|| vec![Load::synthetic(200, 20)]));
    } else {
        for tools in [1_000, 15_000, 100_000] {
            loads.push(Box::new(move || vec![Load::synthetic(tools, 2_000)]));
        }
        if is_set("--large") {
            loads.push(Box::new(|| vec![Load::synthetic(1_000_000, 1_000)]));
        }
        loads.push(Box::new(real::loads));
    }
    println!("CPU time on one core; p50 and p99 in µs; queries ask for 5 tools");
    for load in loads.iter().flat_map(|make| make()) {
        println!("\n{}: {} tools of {} servers", load.name, load.tools(), load.sources.len());
        ours::measure(&load);
        #[cfg(feature = "rivals")]
        rival::measure(&load);
    }
}
