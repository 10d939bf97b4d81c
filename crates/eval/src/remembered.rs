//! Vectors that are remembered as long as a measurement lasts: it asks for the same tools again and again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use oncue_search::Row;
use oncue_tools::{BoxFuture, EmbedError, Embedder, VectorStore};

/// Vectors by text; of one model.
#[derive(Debug, Default)]
pub(crate) struct Remembered(Mutex<HashMap<String, Row>>);

impl VectorStore for Remembered {
    fn get(&self, _: &str, text: &str) -> Option<Row> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned()
    }

    fn put(&self, _: &str, text: &str, row: &Row) {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rows.insert(text.to_owned(), row.clone());
    }
}

/// An embedder in this process whose model is given each text once.
pub(crate) struct RememberedEmbedder<'e> {
    inner: &'e dyn Embedder,
    known: Mutex<HashMap<String, Vec<f32>>>,
}

impl<'e> RememberedEmbedder<'e> {
    pub(crate) fn new(inner: &'e dyn Embedder) -> Self {
        Self { inner, known: Mutex::default() }
    }
}

impl Embedder for RememberedEmbedder<'_> {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn width(&self) -> usize {
        self.inner.width()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        self.inner.embed(texts)
    }

    fn embed_now(&self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        let known = |text: &&str| {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).get(*text).cloned()
        };
        if let Some(vectors) = texts.iter().map(known).collect() {
            return Some(vectors);
        }
        let vectors = self.inner.embed_now(texts)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(texts.iter().map(|&text| text.to_owned()).zip(vectors.iter().cloned()));
        Some(vectors)
    }
}
