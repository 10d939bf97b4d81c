//! Makes changes of the catalog searchable ahead of the first search. Lives as long as somebody has the gateway.
//!
//! At a start many upstreams change at once, and clients ask for the list before they search: so it waits for a pause, and then does all of it in one go, on a thread that answers nobody.

use std::sync::Arc;

use oncue_tools::VectorStore;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::timeout;

use super::gateway::WeakGateway;
use crate::limits::INDEX_PAUSE_TIME;

/// Makes what has changed searchable, again and again.
pub(super) async fn keep(
    gateway: WeakGateway,
    mut changed: watch::Receiver<()>,
    store: Arc<dyn VectorStore>,
) {
    while changed.changed().await.is_ok() {
        while let Ok(Ok(())) = timeout(INDEX_PAUSE_TIME, changed.changed()).await {}
        let Some(snapshot) = gateway.upgrade().map(|it| it.catalog().snapshot()) else { return };
        let made = tokio::task::spawn_blocking(move || {
            let begun = std::time::Instant::now();
            let tools = snapshot.index().len();
            tracing::debug!(
                tools,
                took_ms = begun.elapsed().as_millis(),
                "the catalog is searchable"
            );
        });
        if let Err(error) = made.await {
            tracing::error!(%error, "the catalog could not be made searchable");
        }
        embed(&gateway, &store).await;
    }
}

/// Lets the model tell what new tools mean, if there is one; searches go by words until then.
async fn embed(gateway: &WeakGateway, store: &Arc<dyn VectorStore>) {
    let Some(gateway) = gateway.upgrade() else { return };
    if gateway.catalog().snapshot().options().embedder.is_none() {
        return;
    }
    let (store, runtime) = (Arc::clone(store), Handle::current());
    let told = tokio::task::spawn_blocking(move || {
        let begun = std::time::Instant::now();
        let catalog = gateway.catalog();
        match runtime.block_on(catalog.embed(&*store, &mut |_, _| {})) {
            Ok(asked) => tracing::debug!(
                asked,
                tools = catalog.snapshot().embedded(),
                took_ms = begun.elapsed().as_millis(),
                "what the tools mean is known"
            ),
            Err(error) => tracing::warn!(%error, "search goes by words alone"),
        }
    });
    if let Err(error) = told.await {
        tracing::error!(%error, "the embedding model broke; search goes by words alone");
    }
}
