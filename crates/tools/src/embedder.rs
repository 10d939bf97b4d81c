//! What turns texts into vectors, as a catalog asks for it.

use oncue_search::Meaning;

use crate::BoxFuture;

/// Turns texts into vectors such that texts that mean the same lie close to each other.
///
/// A model that runs in this process answers at once; one behind an endpoint is awaited, and may be away.
/// A catalog without vectors, or a query without one, is ranked by words alone.
pub trait Embedder: Send + Sync {
    /// The model's name; vectors of different models say nothing to each other.
    fn model(&self) -> &str;

    /// Numbers of a vector; 0 as long as a model behind an endpoint has not said how many.
    fn width(&self) -> usize;

    /// Returns one vector of length 1 for each of `texts`, in order: texts that are searched, such as those of tools.
    ///
    /// # Errors
    ///
    /// The model is away, or has answered something else. Whoever asked goes on without vectors.
    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>>;

    /// Returns one vector of length 1 for each of `texts`, in order: texts that others are searched by.
    ///
    /// Some models tell the two apart by words in front of the text; for the others this is [`embed`](Self::embed).
    /// A person or a model waits for a search, so what is far away answers soon here or not at all.
    ///
    /// # Errors
    ///
    /// As [`embed`](Self::embed), and the answer did not come soon.
    fn embed_query<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        self.embed(texts)
    }

    /// Returns what [`embed_query`](Self::embed_query) does where no waiting is needed for it, which is where the model runs in this process.
    fn embed_now(&self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        let _ = texts;
        None
    }
}

/// Returns what the query `text` means to the model.
///
/// # Errors
///
/// As [`Embedder::embed_query`].
pub async fn meaning(embedder: &dyn Embedder, text: &str) -> Result<Meaning, EmbedError> {
    let texts = Meaning::texts(text);
    let vectors = embedder.embed_query(&texts).await?;
    Ok(Meaning::new(embedder.model(), &texts, &vectors))
}

/// Returns what the query `text` means to a model that runs in this process; `None` for another.
pub fn meaning_now(embedder: &dyn Embedder, text: &str) -> Option<Meaning> {
    let texts = Meaning::texts(text);
    let vectors = embedder.embed_now(&texts)?;
    Some(Meaning::new(embedder.model(), &texts, &vectors))
}

/// Why there are no vectors. Ranking by words goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the embedding model `{model}` gave no vectors: {reason}")]
pub struct EmbedError {
    /// The model.
    pub model: String,
    /// The cause, for an operator.
    pub reason: String,
}
