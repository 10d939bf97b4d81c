//! Asking a ranker every query of a data set.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use oncue_search::{Admit, Asked, Candidates, Document, Hit, Index, Ranker, Settings, search};
use oncue_tools::{Embedder, Tuning, VectorStore, meaning_now, vectors_of};

use super::clock::measured;
use super::{Dataset, LabelledQuery, Scores};
use crate::limits::HITS_PER_QUERY;

/// A data set with the index over its tools; one serves any number of runs.
pub struct Bench<'d> {
    pub(super) dataset: &'d Dataset,
    pub(super) index: Index,
    /// For each source the places of its tools in the data set, in the order in which the index holds them.
    places: BTreeMap<&'d str, Vec<usize>>,
    /// What tells what queries mean, where something does.
    embedder: Option<&'d dyn Embedder>,
    /// Hits asked for each query.
    hits: usize,
}

/// What one ranker answered to every query of a data set.
pub struct Run<'d> {
    /// The data set.
    pub dataset: &'d Dataset,
    /// The name of the ranker.
    pub ranker: String,
    /// One for each query, in order.
    pub outcomes: Vec<Outcome>,
}

/// What one query brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// For each group the rank, from 1, of the first hit that serves it.
    pub ranks: Vec<Option<usize>>,
    /// The hits, best first, as places in [`Dataset::tools`].
    pub hits: Vec<usize>,
    /// The measures.
    pub scores: Scores,
    /// How long the search took, in the time of [`CLOCK`](super::CLOCK).
    pub time: Duration,
}

impl<'d> Bench<'d> {
    /// A bench over one index, in which each server of `dataset` is a source.
    #[must_use]
    pub fn new(dataset: &'d Dataset, settings: Settings) -> Self {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut documents: BTreeMap<&str, Vec<Arc<Document>>> = BTreeMap::new();
        for (place, tool) in dataset.tools.iter().enumerate() {
            places.entry(&tool.source).or_default().push(place);
            documents.entry(&tool.source).or_default().push(Arc::clone(&tool.document));
        }
        let index = documents
            .into_iter()
            .fold(Index::new(settings), |index, (source, tools)| index.replaced(source, tools));
        Self { dataset, index, places, embedder: None, hits: HITS_PER_QUERY }
    }

    /// Returns the bench with the meaning of tools and queries, as `embedder` tells them; its model must run in this process.
    ///
    /// What `store` remembers of tools is not asked again; `progress` learns how many are done.
    #[must_use]
    pub fn with_meaning(
        self,
        embedder: &'d dyn Embedder,
        store: &dyn VectorStore,
        progress: &mut (dyn FnMut(usize) + Send),
    ) -> Self {
        let mut index = self.index.clone();
        let mut done = 0;
        for (source, documents) in self.index.sources() {
            let mut told = |tools: usize| progress(done + tools);
            let vectors = vectors_of(embedder, store, documents, &mut told).now_or_never();
            if let Some(Ok((vectors, _))) = vectors {
                index = index.with_vectors(source, &Arc::new(vectors));
            }
            done += documents.len();
        }
        Self { index, embedder: Some(embedder), ..self }
    }

    /// Returns the bench with tools that lean to what they have served.
    pub(crate) fn leaning(&self, tuning: &Tuning) -> Self {
        let mut index = self.index.clone();
        for (source, documents) in self.index.sources() {
            if let Some(vectors) = self.index.vectors(source) {
                let vectors = tuning.leaning(source, documents, (**vectors).clone());
                index = index.with_vectors(source, &Arc::new(vectors));
            }
        }
        Self { index, places: self.places.clone(), ..*self }
    }

    /// Asks for `hits` hits each time instead of ten; measures further down are then as if there were none.
    #[must_use]
    pub fn with_hits(self, hits: usize) -> Self {
        Self { hits, ..self }
    }

    /// Returns the name of the data set.
    pub(crate) fn name(&self) -> &'d str {
        &self.dataset.name
    }

    /// Returns every tool as a candidate.
    pub(crate) fn candidates(&self) -> Candidates<'_> {
        self.index.candidates(Admit::All)
    }

    /// Returns at most `max` hits, best first, as places in [`Dataset::tools`].
    pub(crate) fn ask(
        &self,
        text: &str,
        candidates: &Candidates<'_>,
        ranker: &dyn Ranker,
        max: usize,
    ) -> Vec<usize> {
        self.places_of(&self.hits_of(text, candidates, ranker, max))
    }

    /// What a text means is asked only for rankers that read it.
    fn hits_of<'a>(
        &self,
        text: &str,
        candidates: &Candidates<'a>,
        ranker: &dyn Ranker,
        max: usize,
    ) -> Vec<Hit<'a>> {
        let embedder = self.embedder.filter(|_| ranker.reads_meaning());
        let meaning = embedder.and_then(|embedder| meaning_now(embedder, text));
        search(Asked::from(text).meaning(meaning.as_ref()), candidates, ranker, max)
    }

    /// Returns the id of the tool at `place`.
    pub(crate) fn id(&self, place: usize) -> Option<&'d str> {
        self.dataset.tools.get(place).map(|tool| tool.id.as_str())
    }

    /// Returns the source and the position in it of the tool at `place`, as an index knows it.
    pub(crate) fn address(&self, place: usize) -> Option<(&'d str, u32)> {
        let source = self.dataset.tools.get(place)?.source.as_str();
        let position = self.places.get(source)?.binary_search(&place).ok()?;
        Some((source, u32::try_from(position).ok()?))
    }

    fn places_of(&self, hits: &[Hit<'_>]) -> Vec<usize> {
        let place = |hit: &Hit<'_>| {
            self.places.get(hit.source)?.get(usize::try_from(hit.position).ok()?).copied()
        };
        hits.iter().filter_map(place).collect()
    }

    /// Asks `ranker` every query, through the search that also honours spelled names; `progress` learns how many are done.
    pub fn run(&self, ranker: &dyn Ranker, progress: &mut dyn FnMut(usize)) -> Run<'d> {
        let candidates = self.candidates();
        let mut answer = |query: &LabelledQuery| {
            let hits = self.hits_of(&query.text, &candidates, ranker, self.hits);
            self.places_of(&hits)
        };
        Run::asked(self.dataset, ranker.name(), &mut answer, progress)
    }

    /// Returns the place of a hit in the data set.
    pub(super) fn place(&self, hit: &Hit<'_>) -> Option<usize> {
        self.places.get(hit.source)?.get(usize::try_from(hit.position).ok()?).copied()
    }
}

impl<'d> Run<'d> {
    /// Asks `searcher` every query of `dataset`; it answers with places in [`Dataset::tools`], best first, and `progress` learns how many are done.
    pub fn asked(
        dataset: &'d Dataset,
        searcher: &str,
        answer: &mut dyn FnMut(&LabelledQuery) -> Vec<usize>,
        progress: &mut dyn FnMut(usize),
    ) -> Self {
        let mut outcomes = Vec::with_capacity(dataset.queries.len());
        for query in &dataset.queries {
            let (hits, time) = measured(|| answer(query));
            let ranks = ranks_of(query, &hits);
            outcomes.push(Outcome { scores: Scores::of(&ranks), ranks, hits, time });
            progress(outcomes.len());
        }
        Self { dataset, ranker: searcher.to_owned(), outcomes }
    }

    /// Iterates over the queries with a group that none of the first `cut` hits serves, in order.
    pub fn misses(&self, cut: usize) -> impl Iterator<Item = (&'d LabelledQuery, &Outcome)> {
        self.dataset.queries.iter().zip(&self.outcomes).filter(move |(_, outcome)| {
            outcome.ranks.iter().any(|rank| rank.is_none_or(|rank| rank > cut))
        })
    }

    /// Returns recall within 5 hits of each query, for [`interval`](super::interval) and [`difference`](super::difference).
    #[must_use]
    pub fn recalls_5(&self) -> Vec<f64> {
        self.outcomes.iter().map(|outcome| outcome.scores.recall_5()).collect()
    }
}

pub(crate) fn ranks_of(query: &LabelledQuery, hits: &[usize]) -> Vec<Option<usize>> {
    query
        .groups
        .iter()
        .map(|group| hits.iter().position(|hit| group.contains(hit)).map(|place| place + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use oncue_search::{Asked, Candidates, Explanation, Hit, Ranker, Settings};

    use super::Bench;
    use crate::retrieval::Dataset;

    /// Ranks every tool in catalog order, whatever is asked.
    struct InOrder;

    impl Ranker for InOrder {
        fn name(&self) -> &'static str {
            "in-order"
        }

        fn rank<'a>(&self, _: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
            candidates.iter().take(max).collect()
        }

        fn explain(&self, _: Asked<'_>, _: &Candidates<'_>, _: &Hit<'_>) -> Explanation {
            Explanation::default()
        }
    }

    // The index orders sources by id, so its order is: second, fourth (mail), first, third (web).
    const TOOLS: &str = r#"{"id": "first", "name": "alpha", "server": "web"}
{"id": "second", "name": "beta", "server": "mail"}
{"id": "third", "name": "gamma", "server": "web"}
{"id": "fourth", "name": "delta", "server": "mail"}"#;

    fn check(query: &str, hits: &[usize], ranks: &[Option<usize>]) {
        let dataset = Dataset::parse("d", "dev", TOOLS, query).expect("well formed");
        let mut told = Vec::new();
        let run =
            Bench::new(&dataset, Settings::default()).run(&InOrder, &mut |done| told.push(done));
        assert_eq!(run.outcomes[0].hits, hits);
        assert_eq!(run.outcomes[0].ranks, ranks);
        assert_eq!(told, [1]);
        assert_eq!(run.ranker, "in-order");
        let missed = ranks.iter().any(|rank| !matches!(rank, Some(1 | 2)));
        assert_eq!(run.misses(2).count(), usize::from(missed));
    }

    #[test]
    fn a_group_is_served_by_the_first_of_its_tools() {
        check(
            r#"{"id": "q", "query": "anything", "lang": "en", "groups": [["third", "first"], ["fourth"], ["gone"]]}"#,
            &[1, 3, 0, 2],
            &[Some(3), Some(2), None],
        );
    }

    #[test]
    fn a_spelled_name_comes_first_under_any_ranker() {
        check(
            r#"{"id": "q", "query": "web gamma", "lang": "en", "relevant": ["third"]}"#,
            &[2, 1, 3, 0],
            &[Some(1)],
        );
    }
}
