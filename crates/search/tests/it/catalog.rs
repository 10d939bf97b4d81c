//! Made-up tools whose words overlap, so that order, ties and fit are all at stake.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::{Admit, Document, Hit, Index, Ranker, Settings, search};
use proptest::prelude::{Strategy, prop};
use proptest::sample::{select, subsequence};
use serde_json::value::RawValue;

const VERBS: &[&str] = &["get", "list", "create", "delete", "merge", "fetch"];
const NOUNS: &[&str] =
    &["issue", "pull_request", "invoice", "weatherReport", "pod", "파일", "法令"];
const WORDS: &[&str] = &[
    "Returns", "the", "open", "issues", "of", "a", "repository", "invoices", "pods", "weather",
    "report", "파일을", "法令を検索", "merging", "customer", "s3", "42",
];

/// Sources with their tools.
pub(crate) type Sources = Vec<(String, Vec<Arc<Document>>)>;

/// One tool.
pub(crate) fn tool() -> impl Strategy<Value = Arc<Document>> {
    let words = subsequence(WORDS, 0..8);
    let parameters = subsequence(NOUNS, 0..3);
    (select(VERBS), select(NOUNS), words, parameters).prop_map(|(verb, noun, words, parameters)| {
        let row = Row::discoverable(format!("{verb}_{noun}"), words.join(" "));
        let properties: Vec<String> = parameters
            .iter()
            .map(|name| format!("{name:?}:{{\"description\":\"The {name} to {verb}\"}}"))
            .collect();
        let schema = format!("{{\"properties\":{{{}}}}}", properties.join(","));
        Arc::new(Document::new(row).with_schema(RawValue::from_string(schema).unwrap()))
    })
}

/// Up to six sources of up to five tools.
pub(crate) fn sources() -> impl Strategy<Value = Sources> {
    let tools = prop::collection::vec(tool(), 1..6);
    prop::collection::vec(tools, 1..7).prop_map(|sources| {
        sources.into_iter().enumerate().map(|(n, tools)| (format!("server{n}"), tools)).collect()
    })
}

/// A few words that tools may have.
pub(crate) fn query() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(select([VERBS, NOUNS, WORDS].concat()), 1..6);
    words.prop_map(|words| words.join(" "))
}

/// An index of the sources, made in one go.
pub(crate) fn index(sources: &Sources) -> Index {
    let sources = sources.iter().map(|(id, tools)| (Arc::from(id.as_str()), tools.clone()));
    Index::build(Settings::default(), sources)
}

/// What can be seen of an answer: source, place and exact score of each hit.
pub(crate) fn seen(hits: &[Hit<'_>]) -> Vec<(String, u32, u32)> {
    hits.iter().map(|hit| (hit.source.to_owned(), hit.position, hit.score.to_bits())).collect()
}

/// The answer of `ranker` over everything.
pub(crate) fn answer(index: &Index, ranker: &dyn Ranker, query: &str) -> Vec<(String, u32, u32)> {
    seen(&search(query, &index.candidates(Admit::All), ranker, 8))
}
