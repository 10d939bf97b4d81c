//! What the tools of a catalog mean, told by a model.

use std::sync::Arc;

use oncue_search::{Document, Row, Vectors, passage};

use super::{Catalog, Source};
use crate::limits::PASSAGES_PER_REQUEST_MAX;
use crate::{EmbedError, Embedder};

/// Remembers vectors by the text that they stand for, beyond the life of a catalog.
///
/// A text that is asked for again is not given to the model again.
pub trait VectorStore: Send + Sync {
    /// Returns the vector of `text` by `model`, if it is remembered.
    fn get(&self, model: &str, text: &str) -> Option<Row>;

    /// Remembers the vector of `text` by `model`.
    fn put(&self, model: &str, text: &str, row: &Row);

    /// Told when a catalog has no more for now; what is not kept yet may be kept.
    fn flush(&self) {}
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStore;

impl VectorStore for NoStore {
    fn get(&self, _: &str, _: &str) -> Option<Row> {
        None
    }

    fn put(&self, _: &str, _: &str, _: &Row) {}
}

impl Catalog {
    /// Lets the model of [`Options::embedder`](crate::Options::embedder) tell what those tools mean that it has not told of yet, and returns how many texts it was given.
    ///
    /// Searches go on meanwhile, by words, and find by meaning source after source.
    /// A source that changes meanwhile is left to the next call.
    /// `progress` learns how many tools are done, of how many.
    ///
    /// A model in this process computes on the thread that polls the future, about a millisecond a tool, so a server polls it on a thread for blocking work.
    ///
    /// # Errors
    ///
    /// The model is away. What it had told until then stays.
    pub async fn embed(
        &self,
        store: &dyn VectorStore,
        progress: &mut (dyn FnMut(usize, usize) + Send),
    ) -> Result<usize, EmbedError> {
        let told = self.embed_sources(store, progress).await;
        // What was told until a failure is kept too.
        store.flush();
        told
    }

    async fn embed_sources(
        &self,
        store: &dyn VectorStore,
        progress: &mut (dyn FnMut(usize, usize) + Send),
    ) -> Result<usize, EmbedError> {
        let snapshot = self.snapshot();
        let Some(embedder) = snapshot.options().embedder.clone() else { return Ok(0) };
        let open: Vec<&Arc<Source>> = snapshot.without_vectors().collect();
        let all: usize = open.iter().map(|source| source.entries.len()).sum();
        let (mut asked, mut done) = (0, 0);
        for source in open {
            let mut told = |tools: usize| progress(done + tools, all);
            let documents = source.documents();
            let (vectors, given) = vectors_of(&*embedder, store, &documents, &mut told).await?;
            let vectors = match &snapshot.options().tuning {
                Some(tuning) => tuning.leaning(&source.id, &documents, vectors),
                None => vectors,
            };
            asked += given;
            done += vectors.len();
            self.learn(source, Arc::new(vectors));
        }
        Ok(asked)
    }
}

/// Returns what `documents` mean, in their order, and how many texts the model was given for it.
///
/// `progress` learns how many are done.
///
/// # Errors
///
/// The model is away, or has answered something else.
pub async fn vectors_of(
    embedder: &dyn Embedder,
    store: &dyn VectorStore,
    documents: &[Arc<Document>],
    progress: &mut (dyn FnMut(usize) + Send),
) -> Result<(Vectors, usize), EmbedError> {
    let model = embedder.model();
    let texts: Vec<String> = documents.iter().map(|document| passage(document)).collect();
    let mut rows: Vec<Option<Row>> = texts.iter().map(|text| store.get(model, text)).collect();
    let is_open = |at: &usize| rows.get(*at).is_some_and(Option::is_none);
    let open: Vec<usize> = (0..rows.len()).filter(is_open).collect();
    let mut done = rows.len() - open.len();
    for places in open.chunks(PASSAGES_PER_REQUEST_MAX) {
        let some = places.iter().filter_map(|&at| texts.get(at));
        let some: Vec<&str> = some.map(String::as_str).collect();
        let vectors = embedder.embed(&some).await?;
        if vectors.len() != some.len() {
            let reason =
                format!("{} texts were answered with {} vectors", some.len(), vectors.len());
            return Err(EmbedError { model: model.to_owned(), reason });
        }
        for ((&at, text), vector) in places.iter().zip(some).zip(&vectors) {
            let row = Row::of(vector);
            store.put(model, text, &row);
            if let Some(slot) = rows.get_mut(at) {
                *slot = Some(row);
            }
        }
        done += places.len();
        progress(done);
    }
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    Ok((Vectors::new(model, &rows), open.len()))
}
