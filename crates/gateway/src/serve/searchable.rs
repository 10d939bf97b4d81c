//! Makes changes of the catalog searchable ahead of the first search. Lives as long as somebody has the gateway.
//!
//! At a start many upstreams change at once, and clients ask for the list before they search: so it waits for a pause, and then does all of it in one go, on a thread that answers nobody.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oncue_search::Row;
use oncue_tools::{Catalog, EmbedError, VectorStore};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::{sleep, timeout};

use super::gateway::WeakGateway;
use crate::limits::{EMBED_AGAIN_TIME_MAX, EMBED_AGAIN_TIME_MIN, INDEX_PAUSE_TIME};

/// Makes what has changed searchable, again and again.
pub(super) async fn keep(
    gateway: WeakGateway,
    mut changed: watch::Receiver<()>,
    store: Arc<dyn VectorStore>,
) {
    let mut failures = 0;
    loop {
        tokio::select! {
            change = changed.changed() => {
                if change.is_err() {
                    return;
                }
                while let Ok(Ok(())) = timeout(INDEX_PAUSE_TIME, changed.changed()).await {}
                if !index(&gateway).await {
                    return;
                }
            }
            () = again(failures) => {}
        }
        failures = if embed(&gateway, &store).await { 0 } else { failures + 1 };
    }
}

/// Waits until a model that has failed so often is worth asking again; for ever where it has not.
async fn again(failures: u32) {
    match failures {
        0 => std::future::pending().await,
        failures => sleep(pause(failures)).await,
    }
}

fn pause(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    EMBED_AGAIN_TIME_MIN.saturating_mul(1 << doublings).min(EMBED_AGAIN_TIME_MAX)
}

/// Makes what has changed searchable by words; says whether there still is a gateway.
async fn index(gateway: &WeakGateway) -> bool {
    let Some(snapshot) = gateway.upgrade().map(|it| it.catalog().snapshot()) else { return false };
    let made = spawn_blocking(move || {
        let begun = Instant::now();
        let tools = snapshot.index().len();
        tracing::debug!(tools, took_ms = begun.elapsed().as_millis(), "the catalog is searchable");
    });
    if let Err(error) = made.await {
        tracing::error!(%error, "the catalog could not be made searchable");
    }
    true
}

/// Lets the model tell what new tools mean, if there is one; searches go by words until then. Says whether it has told.
async fn embed(gateway: &WeakGateway, store: &Arc<dyn VectorStore>) -> bool {
    let Some(gateway) = gateway.upgrade() else { return true };
    let catalog = gateway.catalog();
    let Some(embedder) = catalog.snapshot().options().embedder.clone() else { return true };
    let begun = Instant::now();
    // A model in this process computes on the thread that waits for it; another one must not hold a thread when the gateway ends.
    let told = match embedder.embed_now(&[]) {
        Some(_) => {
            let (gateway, store, runtime) = (gateway.clone(), Arc::clone(store), Handle::current());
            let told = spawn_blocking(move || {
                runtime.block_on(gateway.catalog().embed(&*store, &mut |_, _| {}))
            });
            told.await
        }
        None => Ok(far(catalog, store).await),
    };
    match told {
        Ok(Ok(asked)) => {
            tracing::debug!(
                asked,
                tools = catalog.snapshot().embedded(),
                took_ms = begun.elapsed().as_millis(),
                "what the tools mean is known"
            );
            true
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "search goes by words alone");
            false
        }
        Err(error) => {
            broken(&error);
            true
        }
    }
}

/// Asks a model behind an endpoint.
async fn far(catalog: &Catalog, store: &Arc<dyn VectorStore>) -> Result<usize, EmbedError> {
    let asked = catalog.embed(&Unsaved(&**store), &mut |_, _| {}).await;
    let store = Arc::clone(store);
    if let Err(error) = spawn_blocking(move || store.flush()).await {
        broken(&error);
    }
    asked
}

fn broken(error: &JoinError) {
    tracing::error!(%error, "the embedding model broke; search goes by words alone");
}

/// What remembers vectors, saved by somebody else, since that waits for a disk.
struct Unsaved<'s>(&'s dyn VectorStore);

impl VectorStore for Unsaved<'_> {
    fn get(&self, model: &str, text: &str) -> Option<Row> {
        self.0.get(model, text)
    }

    fn put(&self, model: &str, text: &str, row: &Row) {
        self.0.put(model, text, row);
    }
}

#[cfg(test)]
mod tests {
    use super::pause;

    #[test]
    fn a_model_that_is_away_is_asked_less_and_less_often() {
        let pauses: Vec<u64> = (1..8).map(|failures| pause(failures).as_secs()).collect();
        assert_eq!(pauses, [10, 20, 40, 80, 160, 300, 300]);
        assert_eq!(pause(u32::MAX).as_secs(), 300);
    }
}
