//! A model that is waited for on the spot, for commands that answer one question and end. Lives as long as the command.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use oncue_tools::{BoxFuture, EmbedError, Embedder, NoStore, VectorStore};
use tokio::runtime::Runtime;

use super::kept;
use crate::failure::Failure;

/// A model whose answers are there at once, however long they took.
///
/// What it cannot tell is kept as [`failure`](Self::failure); after the first one it is not asked again.
/// It must not be asked within a runtime, since a model behind an endpoint is waited for in one of its own.
pub(crate) struct Awaited {
    embedder: Arc<dyn Embedder>,
    /// Where a model behind an endpoint is waited for; one in this process needs none.
    runtime: Option<Runtime>,
    failed: Mutex<Option<EmbedError>>,
}

impl Awaited {
    /// A model that runs in this process.
    pub(super) fn here(embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder, runtime: None, failed: Mutex::default() }
    }

    /// A model behind an endpoint.
    pub(super) fn elsewhere(embedder: Arc<dyn Embedder>) -> Result<Self, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = Some(runtime.map_err(Failure::input)?);
        Ok(Self { runtime, ..Self::here(embedder) })
    }

    /// Returns why the model has not told what it was asked; `None` as long as it has.
    pub(crate) fn failure(&self) -> Option<EmbedError> {
        self.failed().clone()
    }

    /// Says that a measurement counts, since the model has told all that it was asked.
    ///
    /// # Errors
    ///
    /// It has not.
    pub(crate) fn is_sound(&self) -> Result<(), Failure> {
        self.failure().map_or(Ok(()), |error| Err(Failure::input(error)))
    }

    /// Returns what remembers the vectors of measured tools: those of an endpoint cost money or time, and those of this process are made anew.
    pub(crate) fn store(&self) -> Box<dyn VectorStore> {
        match self.runtime {
            Some(_) => Box::new(kept()),
            None => Box::new(NoStore),
        }
    }

    fn wait<T>(&self, asked: impl Future<Output = Result<T, EmbedError>>) -> Result<T, EmbedError> {
        if let Some(error) = self.failure() {
            return Err(error);
        }
        let told = match &self.runtime {
            Some(runtime) => runtime.block_on(asked),
            None => asked.now_or_never().unwrap_or_else(|| {
                let model = self.embedder.model().to_owned();
                Err(EmbedError { model, reason: "it did not answer at once".to_owned() })
            }),
        };
        told.inspect_err(|error| *self.failed() = Some(error.clone()))
    }

    fn failed(&self) -> MutexGuard<'_, Option<EmbedError>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Embedder for Awaited {
    fn model(&self) -> &str {
        self.embedder.model()
    }

    fn width(&self) -> usize {
        self.embedder.width()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move { self.wait(self.embedder.embed(texts)) })
    }

    fn embed_query<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move { self.wait(self.embedder.embed_query(texts)) })
    }

    fn embed_now(&self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        self.wait(self.embedder.embed_query(texts)).ok()
    }
}
