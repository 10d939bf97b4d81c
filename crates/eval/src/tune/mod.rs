//! What a log of requests teaches of tools, and whether requests that it did not see are served better for it.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`taught`]: everything that the requests teach |
//! | `folds` | requests in parts that have nothing in common |
//! | `log` | [`logged`]: requests from a file |
//! | `held_out` | [`held_out`]: each part asked of what the others teach |

mod folds;
mod held_out;
mod log;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use oncue_tools::{EmbedError, Embedder, Tuning};

pub use held_out::{HeldOut, Needs, held_out};
pub use log::{LogError, Logged, logged};

use crate::limits::TUNE_REQUESTS_PER_CALL;
use crate::retrieval::{Dataset, LabelledQuery};

/// Returns what each request of `dataset` means as a whole, in order; `progress` learns how many are done.
///
/// # Errors
///
/// The model is away, or has answered something else.
pub async fn meanings(
    dataset: &Dataset,
    embedder: &dyn Embedder,
    progress: &mut (dyn FnMut(usize) + Send),
) -> Result<Vec<Vec<f32>>, EmbedError> {
    let mut meanings = Vec::with_capacity(dataset.queries.len());
    for some in dataset.queries.chunks(TUNE_REQUESTS_PER_CALL) {
        let texts: Vec<&str> = some.iter().map(|query| query.text.as_str()).collect();
        let vectors = embedder.embed(&texts).await?;
        if vectors.len() != texts.len() {
            let reason =
                format!("{} texts were answered with {} vectors", texts.len(), vectors.len());
            return Err(EmbedError { model: embedder.model().to_owned(), reason });
        }
        meanings.extend(vectors);
        progress(meanings.len());
    }
    Ok(meanings)
}

/// Returns what requests teach that mean `meanings`, one for each; those of which `is_taken` says no teach nothing.
///
/// A request that several tools have served counts in equal parts for each.
#[must_use]
pub fn taught(
    dataset: &Dataset,
    meanings: &[Vec<f32>],
    embedder: &dyn Embedder,
    is_taken: &dyn Fn(usize) -> bool,
) -> Tuning {
    let mut tuning = Tuning::new(embedder.model(), embedder.width());
    for (at, (query, meaning)) in dataset.queries.iter().zip(meanings).enumerate() {
        if !is_taken(at) {
            continue;
        }
        let served = served(query);
        for &place in &served {
            if let Some(tool) = dataset.tools.get(place) {
                let share = 1.0 / served.len() as f64;
                tuning.learn(&tool.source, tool.document.row.name(), meaning, share);
            }
        }
    }
    tuning
}

/// Returns the tools that serve a request, each once.
fn served(query: &LabelledQuery) -> BTreeSet<usize> {
    query.groups.iter().flatten().copied().collect()
}
