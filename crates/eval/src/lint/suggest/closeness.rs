//! How close words and tools are in meaning, as a model tells. It lives as long as one call of `suggest`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures_util::FutureExt;
use oncue_decl::Row as ToolRow;
use oncue_search::rank::Dense;
use oncue_search::{
    Admit, Asked, Candidates, Document, Hit, Index, Meaning, Ranker, Row, Settings, Vectors,
};
use oncue_tools::{Embedder, VectorStore, vectors_of};

use super::Step;
use crate::limits::{SUGGESTED_SYNONYMS_MAX, SUGGESTED_TOOLS_PER_WORD_MAX, WORDS_PER_REQUEST};

/// The source of words in an index of words.
const WORDS: &str = "words";

/// Words with their vectors.
pub(super) struct WordVectors<'w> {
    words: Vec<&'w str>,
    rows: Vec<Row>,
    index: Index,
    model: Arc<str>,
}

impl<'w> WordVectors<'w> {
    /// Returns the vectors of `words`; `None` where the model does not tell at once.
    pub(super) fn told(
        embedder: &dyn Embedder,
        words: Vec<&'w str>,
        step: &mut dyn FnMut(usize),
    ) -> Option<Self> {
        let mut rows = Vec::with_capacity(words.len());
        for some in words.chunks(WORDS_PER_REQUEST) {
            rows.extend(embedder.embed_now(some)?.iter().map(|vector| Row::of(vector)));
            step(rows.len());
        }
        let model: Arc<str> = embedder.model().into();
        let document =
            |word: &&str| Arc::new(Document::new(ToolRow::inline((*word).to_owned(), "")));
        let documents = words.iter().map(document).collect();
        let index = Index::build(Settings::default(), [(Arc::from(WORDS), documents)]);
        let vectors = Arc::new(Vectors::new(Arc::clone(&model), &rows));
        let index = index.with_vectors(WORDS, &vectors);
        Some(Self { words, rows, index, model })
    }

    /// Returns how many there are.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the words closest to each of these, with the cosine, closest first; `others` are of the same model.
    pub(super) fn closest<'o>(
        &self,
        others: &'o WordVectors<'_>,
        step: &mut dyn FnMut(usize),
    ) -> HashMap<&'o str, Vec<(&'w str, f64)>> {
        let candidates = self.index.candidates(Admit::All);
        let mut closest = HashMap::new();
        for (at, (word, row)) in others.words.iter().zip(&others.rows).enumerate() {
            let hits = near(&self.model, row, &candidates, SUGGESTED_SYNONYMS_MAX);
            let close = hits.iter().filter_map(|hit| {
                let at = usize::try_from(hit.position).ok()?;
                Some((*self.words.get(at)?, cosine(row, self.rows.get(at)?)))
            });
            closest.insert(*word, close.collect());
            step(at + 1);
        }
        closest
    }

    /// Returns the cosine of two of the words, the second one of `others`.
    pub(super) fn cosine(&self, word: &str, others: &WordVectors<'_>, other: &str) -> Option<f64> {
        Some(cosine(self.row(word)?, others.row(other)?))
    }

    /// Words are in order.
    fn row(&self, word: &str) -> Option<&Row> {
        self.rows.get(self.words.binary_search(&word).ok()?)
    }
}

/// The tools with their vectors.
pub(super) struct ToolVectors {
    index: Index,
    /// The places of the tools of each source.
    places: BTreeMap<String, Vec<usize>>,
}

impl ToolVectors {
    /// Returns the vectors of `tools`; `None` where the model does not tell at once.
    pub(super) fn told(
        embedder: &dyn Embedder,
        store: &dyn VectorStore,
        tools: &[(&str, &Arc<Document>)],
        step: &mut (dyn FnMut(usize) + Send),
    ) -> Option<Self> {
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut documents: BTreeMap<&str, Vec<Arc<Document>>> = BTreeMap::new();
        for (place, (source, document)) in tools.iter().enumerate() {
            places.entry((*source).to_owned()).or_default().push(place);
            documents.entry(source).or_default().push(Arc::clone(document));
        }
        let sources = documents.iter().map(|(source, all)| (Arc::from(*source), all.clone()));
        let mut index = Index::build(Settings::default(), sources);
        let mut done = 0;
        for (source, documents) in &documents {
            let mut told = |tools| step(done + tools);
            let vectors = vectors_of(embedder, store, documents, &mut told).now_or_never()?;
            index = index.with_vectors(source, &Arc::new(vectors.ok()?.0));
            done += documents.len();
        }
        Some(Self { index, places })
    }

    /// Returns for each of `words`, by their order, how many standard deviations the tools closest to it are closer than most, by the places of the tools.
    pub(super) fn deviations<'w>(
        &self,
        words: &WordVectors<'w>,
        step: &mut dyn FnMut(usize),
    ) -> HashMap<&'w str, HashMap<usize, f32>> {
        let candidates = self.index.candidates(Admit::All);
        let place = |hit: &Hit<'_>| {
            self.places.get(hit.source)?.get(usize::try_from(hit.position).ok()?).copied()
        };
        let mut deviations = HashMap::new();
        for (at, (word, row)) in words.words.iter().zip(&words.rows).enumerate() {
            let hits = near(&words.model, row, &candidates, SUGGESTED_TOOLS_PER_WORD_MAX);
            let close = hits.iter().filter_map(|hit| Some((place(hit)?, hit.score)));
            deviations.insert(*word, close.collect());
            step(at + 1);
        }
        deviations
    }
}

/// Returns the candidates closest to a vector; their scores are standard deviations above the mean of all.
fn near<'a>(model: &Arc<str>, row: &Row, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
    let vector: Vec<f32> = row.bytes.iter().map(|&byte| f32::from(byte) * row.scale).collect();
    let meaning = Meaning::new(Arc::clone(model), &[""], &[vector]);
    Dense::default().rank(Asked::from("").meaning(Some(&meaning)), candidates, max)
}

fn cosine(left: &Row, right: &Row) -> f64 {
    let pairs = left.bytes.iter().zip(&right.bytes);
    let product: i32 = pairs.map(|(&left, &right)| i32::from(left) * i32::from(right)).sum();
    f64::from(product) * f64::from(left.scale) * f64::from(right.scale)
}

/// Passes on how far a stage of the work is.
pub(super) fn stage(
    name: &'static str,
    total: usize,
    progress: &mut (dyn FnMut(Step) + Send),
) -> impl FnMut(usize) + Send {
    move |done| progress(Step { stage: name, done, total })
}
