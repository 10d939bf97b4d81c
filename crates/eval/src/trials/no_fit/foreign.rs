//! Requests of other data sets, about things that the catalog is not about.

use super::pairs::{PAIRS, Pair};
use super::{Impossible, language};
use crate::limits::FOREIGN_PER_PAIR_MAX;
use crate::random::lot;
use crate::retrieval::{Dataset, LabelledQuery, LabelledTool};
use crate::trials::words::Traits;

/// Where the draw starts.
const SEED: u64 = 0x6e6f_2066_6974;

/// Returns the requests of `others` that are foreign to `catalog`, by a list of pairs of data sets that were looked through.
///
/// Of each pair at most 60 are drawn, so that no data set decides alone.
/// A request is left out where the catalog has a tool with the name, or nearly the description, of one that serves it.
#[must_use]
pub fn foreign<'d>(catalog: &Dataset, others: &'d [Dataset]) -> Vec<Impossible<'d>> {
    let here: Vec<Traits> = catalog.tools.iter().map(Traits::of).collect();
    let pairs = PAIRS.iter().filter(|pair| pair.catalog == catalog.name);
    pairs.flat_map(|pair| others.iter().flat_map(|other| of_pair(pair, &here, other))).collect()
}

fn of_pair<'d>(pair: &Pair, here: &[Traits], other: &'d Dataset) -> Vec<Impossible<'d>> {
    if other.name != pair.asked {
        return Vec::new();
    }
    let is_here = |tool: &LabelledTool| {
        let traits = Traits::of(tool);
        here.iter().any(|known| known.has_name_of(&traits) || known.says_what(&traits))
    };
    let is_foreign = |query: &&LabelledQuery| {
        let tools: Vec<&LabelledTool> =
            query.groups.iter().flatten().filter_map(|&place| other.tools.get(place)).collect();
        let kind = query.kind.as_deref().unwrap_or_default();
        !tools.is_empty()
            && (pair.kinds.is_empty() || pair.kinds.contains(&kind))
            && (pair.only.is_empty() || tools.iter().all(|tool| is_listed(tool, pair.only)))
            && !tools.iter().any(|tool| is_listed(tool, pair.never) || is_here(tool))
    };
    let mut queries: Vec<&LabelledQuery> = other.queries.iter().filter(is_foreign).collect();
    queries.sort_by_key(|query| lot(SEED, &query.id));
    queries.truncate(FOREIGN_PER_PAIR_MAX);
    queries
        .into_iter()
        .map(|query| Impossible {
            id: &query.id,
            text: &query.text,
            lang: language(&query.text, &query.lang),
            asked: &other.name,
            without: Vec::new(),
        })
        .collect()
}

fn is_listed(tool: &LabelledTool, list: &[&str]) -> bool {
    list.contains(&tool.document.row.name()) || list.contains(&tool.source.as_str())
}

#[cfg(test)]
mod tests {
    use super::foreign;
    use crate::retrieval::Dataset;

    fn set(name: &str, tools: &str, queries: &str) -> Dataset {
        Dataset::parse(name, "dev", tools, queries).expect("well formed")
    }

    #[test]
    fn only_requests_of_listed_pairs_for_tools_that_are_not_here_are_foreign() {
        let films = set(
            "restbench",
            r#"{"id": "1", "name": "GET_movie"}
{"id": "2", "name": "fork", "description": "Copies a repository of somebody else"}"#,
            "",
        );
        let code = set(
            "gtc",
            r#"{"id": "a", "name": "list_pods"}
{"id": "b", "name": "get-movie"}
{"id": "c", "name": "fork_repo", "description": "Copies a repository of somebody"}"#,
            r#"{"id": "q1", "query": "list pods", "relevant": ["a"], "lang": "en", "kind": "k8s"}
{"id": "q2", "query": "포드 목록", "relevant": ["a"], "lang": "en", "kind": "github"}
{"id": "q3", "query": "shop", "relevant": ["a"], "lang": "en", "kind": "ecommerce"}
{"id": "q4", "query": "movie", "relevant": ["b"], "lang": "en", "kind": "k8s"}
{"id": "q5", "query": "fork", "relevant": ["c"], "lang": "en", "kind": "k8s"}"#,
        );
        let other = set("livemcp", r#"{"id": "1", "name": "x"}"#, "");
        let others = [other, code];
        let mut found: Vec<(&str, &str)> =
            foreign(&films, &others).iter().map(|asked| (asked.id, asked.lang)).collect();
        found.sort_unstable();
        // q3 is of a kind that is not listed, q4 has a tool of that name here, q5 one that says the same.
        assert_eq!(found, [("q1", "en"), ("q2", "ko")]);
        assert!(foreign(&others[1], &others).is_empty(), "nothing of its own is foreign");
    }
}
