//! Our index: build, search, filtered search, replacement.

use std::sync::Arc;

use oncue_search::rank::Bm25f;
use oncue_search::{Admit, Index, Settings, search};

use crate::Load;
use crate::synthetic::{Random, Vocabulary, tool};
use crate::timing::{Times, once};

const HITS: usize = 5;
/// Replacements that are timed.
const REPLACEMENTS: usize = 300;

pub(crate) fn measure(load: &Load) {
    let (index, build) = once(|| Index::build(Settings::default(), load.sources.iter().cloned()));
    let tools = load.tools() as f64;
    println!("  build             {:>9.1} µs a tool", build / tools);
    println!("  size              {:>9.0} bytes a tool", index.bytes() as f64 / tools);
    let ranker = Bm25f::default();
    let candidates = index.candidates(Admit::All);
    let ask = |query: &String| drop(search(query, &candidates, &ranker, HITS));
    println!("  search            {}", Times::of(&load.queries, ask));
    let with_candidates =
        |query: &String| drop(search(query, &index.candidates(Admit::All), &ranker, HITS));
    println!("  … with candidates {}", Times::of(&load.queries, with_candidates));
    filtered(load, &index, &ranker);
    replaced(load, &index, &ranker);
}

/// One server in a thousand is visible (at least one).
fn filtered(load: &Load, index: &Index, ranker: &Bm25f) {
    let step = 1_000.min(load.sources.len());
    let visible: Vec<&str> = load.sources.iter().step_by(step).map(|(id, _)| &**id).collect();
    let ask = |query: &String| {
        drop(search(query, &index.candidates(Admit::Sources(&visible)), ranker, HITS));
    };
    println!("  {:>3} servers seen  {}", visible.len(), Times::of(&load.queries, ask));
}

/// A server of one tool is replaced, again and again, until a search finds the new tool.
fn replaced(load: &Load, index: &Index, ranker: &Bm25f) {
    let vocabulary = Vocabulary::new();
    let mut random = Random(2);
    let news: Vec<_> = (0..REPLACEMENTS)
        .map(|n| (format!("one{}", n % 100), tool(&vocabulary, &mut random)))
        .collect();
    let mut current = index.clone();
    let times = Times::of(&news, |(id, tool)| {
        current = current.replaced(id, vec![Arc::clone(tool)]);
    });
    println!("  replace one tool  {times}");
    println!("  segments then     {:>9}", current.segments());
    let (_, last) = news.last().expect("there are replacements");
    let candidates = current.candidates(Admit::All);
    let hits = search(last.row.name(), &candidates, ranker, 1);
    assert_eq!(hits[0].document.row.name(), last.row.name(), "a replaced tool is found at once");
    let ask = |query: &String| drop(search(query, &candidates, ranker, HITS));
    println!("  search after that {}", Times::of(&load.queries, ask));
}
