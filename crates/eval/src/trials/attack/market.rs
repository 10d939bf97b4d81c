//! The honest catalog under attack, with the requests that its tools serve.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use oncue_search::Document;

use crate::limits::{
    MARKET_FILLER_TOOLS_MIN, MARKET_REQUESTS_PER_SET, MARKET_SOURCE_TOOLS_MAX, MARKET_SOURCES,
    MARKET_SOURCES_PER_SET, MARKET_TOOLS,
};
use crate::random::lot;
use crate::retrieval::{Dataset, LabelledQuery, LabelledTool};

/// Where the draws start.
const SEED: u64 = 0x6d61_726b_6574;

/// The honest catalog as a data set of its own, and which of its requests the adversary sees.
#[derive(Clone, Debug)]
pub struct Market {
    /// Tools and requests.
    pub dataset: Dataset,
    /// For each request whether the adversary sees it.
    pub seen: Vec<bool>,
}

impl Market {
    /// Returns how many servers there are.
    #[must_use]
    pub fn sources(&self) -> usize {
        self.dataset.tools.iter().map(|tool| &tool.source).collect::<BTreeSet<_>>().len()
    }

    /// Iterates over the requests that the adversary sees.
    pub fn seen_requests(&self) -> impl Iterator<Item = &LabelledQuery> {
        self.dataset
            .queries
            .iter()
            .zip(&self.seen)
            .filter(|(_, seen)| **seen)
            .map(|(query, _)| query)
    }
}

/// Returns a catalog of about 2,000 tools of 50 servers.
///
/// Of each data set the five servers come in that most requests need, each with all of its tools, and up to 60 requests that these serve.
/// The rest are servers of `others` (id and tools) with at least 20 tools, drawn by lot, of whose tools as many are left out as there are too many.
/// A data set whose tools name no server is a server of its own.
#[must_use]
pub fn market<'t>(
    datasets: &[Dataset],
    others: impl IntoIterator<Item = (&'t str, Arc<Document>)>,
) -> Market {
    let mut tools: Vec<LabelledTool> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut sources: BTreeSet<String> = BTreeSet::new();
    for dataset in datasets {
        for source in needed(dataset) {
            if sources.len() >= MARKET_SOURCES {
                break;
            }
            let name = if source.is_empty() { &dataset.name } else { source };
            let owned = dataset.tools.iter().filter(|tool| tool.source == *source);
            // Data sets over one catalog share its tools.
            for tool in
                owned.filter(|tool| !places.contains_key(tool.id.as_str())).collect::<Vec<_>>()
            {
                places.insert(&tool.id, tools.len());
                tools.push(LabelledTool { source: name.clone(), ..tool.clone() });
                sources.insert(name.clone());
            }
        }
    }
    let queries: Vec<LabelledQuery> =
        datasets.iter().flat_map(|dataset| requests(dataset, &places)).collect();
    tools.extend(filled(others, &sources, tools.len()));
    let seen = queries.iter().map(|query| lot(SEED, &query.id).is_multiple_of(2)).collect();
    let dataset = Dataset {
        name: "market".to_owned(),
        split: datasets.first().map_or_else(String::new, |dataset| dataset.split.clone()),
        tools,
        queries,
        unknown: Vec::new(),
    };
    Market { dataset, seen }
}

/// Returns the servers of `dataset` that most requests need, the most needed first.
fn needed(dataset: &Dataset) -> Vec<&String> {
    let mut sizes: BTreeMap<&String, usize> = BTreeMap::new();
    for tool in &dataset.tools {
        *sizes.entry(&tool.source).or_default() += 1;
    }
    let mut needs: BTreeMap<&String, usize> = BTreeMap::new();
    for query in &dataset.queries {
        let tools = query.groups.iter().flatten().filter_map(|&place| dataset.tools.get(place));
        for source in tools.map(|tool| &tool.source).collect::<BTreeSet<_>>() {
            *needs.entry(source).or_default() += 1;
        }
    }
    let fits =
        |source: &&String| sizes.get(source).is_some_and(|&size| size <= MARKET_SOURCE_TOOLS_MAX);
    let mut sources: Vec<&String> = needs.keys().copied().filter(fits).collect();
    sources.sort_by_key(|source| std::cmp::Reverse(needs.get(source).copied()));
    sources.truncate(MARKET_SOURCES_PER_SET);
    sources
}

/// Returns requests of `dataset` of which every need is served by a tool among `places`.
fn requests(dataset: &Dataset, places: &HashMap<&str, usize>) -> Vec<LabelledQuery> {
    let moved = |query: &LabelledQuery| -> Option<LabelledQuery> {
        let place = |&place: &usize| {
            dataset.tools.get(place).and_then(|tool| places.get(tool.id.as_str()).copied())
        };
        let groups: Vec<Vec<usize>> =
            query.groups.iter().map(|group| group.iter().filter_map(place).collect()).collect();
        let is_served =
            !groups.is_empty() && groups.iter().all(|group: &Vec<usize>| !group.is_empty());
        is_served.then(|| LabelledQuery {
            groups,
            kind: Some(dataset.name.clone()),
            ..query.clone()
        })
    };
    let mut queries: Vec<LabelledQuery> = dataset.queries.iter().filter_map(moved).collect();
    queries.sort_by_key(|query| lot(SEED, &query.id));
    queries.truncate(MARKET_REQUESTS_PER_SET);
    queries
}

/// Returns tools of further servers, so that with `tools` of `sources` there are as many as a market has.
fn filled<'t>(
    others: impl IntoIterator<Item = (&'t str, Arc<Document>)>,
    sources: &BTreeSet<String>,
    tools: usize,
) -> Vec<LabelledTool> {
    let mut by_source: BTreeMap<&str, Vec<Arc<Document>>> = BTreeMap::new();
    for (source, document) in others {
        by_source.entry(source).or_default().push(document);
    }
    let mut further: Vec<(&str, Vec<Arc<Document>>)> = by_source
        .into_iter()
        .filter(|(source, owned)| {
            let sizes = MARKET_FILLER_TOOLS_MIN..=MARKET_SOURCE_TOOLS_MAX;
            !sources.contains(*source) && sizes.contains(&owned.len())
        })
        .collect();
    further.sort_by_key(|(source, _)| lot(SEED, source));
    further.truncate(MARKET_SOURCES.saturating_sub(sources.len()));
    let tool = |source: &str, document: Arc<Document>| LabelledTool {
        id: format!("{source}/{}", document.row.name()),
        source: source.to_owned(),
        document,
    };
    let mut filler: Vec<LabelledTool> = further
        .into_iter()
        .flat_map(|(source, owned)| owned.into_iter().map(move |document| tool(source, document)))
        .collect();
    filler.sort_by_key(|tool| lot(SEED, &tool.id));
    filler.truncate(MARKET_TOOLS.saturating_sub(tools));
    filler
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oncue_decl::Row;
    use oncue_search::Document;

    use super::market;
    use crate::retrieval::Dataset;

    #[test]
    fn a_market_has_what_requests_need_and_others_beside_it() {
        let tools = r#"{"id": "1", "name": "send", "server": "mail"}
{"id": "2", "name": "list", "server": "mail"}
{"id": "3", "name": "idle", "server": "nobody"}"#;
        let queries = r#"{"id": "q", "query": "send", "relevant": ["1"], "lang": "en"}"#;
        let one = Dataset::parse("one", "dev", tools, queries).expect("well formed");
        let bare = Dataset::parse(
            "bare",
            "dev",
            r#"{"id": "b", "name": "bare"}"#,
            r#"{"id": "r", "query": "bare", "relevant": ["b"], "lang": "ko"}
{"id": "s", "query": "bare", "relevant": ["b", "gone"], "lang": "ko"}"#,
        )
        .expect("well formed");
        let others = |source: &'static str| {
            let tool =
                move |n: usize| Arc::new(Document::new(Row::inline(format!("{source}{n}"), "")));
            (0..20).map(move |n| (source, tool(n)))
        };
        // The same data set twice, as two over one catalog; a server that is there, or is small, is not drawn.
        let small = others("small").take(19);
        let found =
            market(&[one.clone(), one, bare], others("more").chain(others("mail")).chain(small));
        let mut tools: Vec<(&str, &str)> = found
            .dataset
            .tools
            .iter()
            .map(|tool| (tool.source.as_str(), tool.document.row.name()))
            .filter(|(source, _)| *source != "more")
            .collect();
        tools.sort_unstable();
        assert_eq!(tools, [("bare", "bare"), ("mail", "list"), ("mail", "send")]);
        assert_eq!((found.dataset.tools.len(), found.sources()), (23, 3));
        // A request with a need that nothing serves is no request of the market.
        let ids: Vec<&str> = found.dataset.queries.iter().map(|query| query.id.as_str()).collect();
        assert_eq!(ids, ["q", "q", "r"]);
        assert_eq!(found.seen.len(), 3);
    }
}
