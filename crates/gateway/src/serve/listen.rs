//! Connections of clients over HTTP: no more than may be, and none that is kept without a word.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::limits::{ACCEPT_AGAIN_TIME, CONNECTIONS_MAX, HEAD_TIME_MAX, PING_TIME};

/// What connections are held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most connections at once, in connections; more wait until one of them ends.
    pub connections_max: usize,
    /// Time for the head of a request, the time in which none begins included.
    pub head_time_max: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { connections_max: CONNECTIONS_MAX, head_time_max: HEAD_TIME_MAX }
    }
}

/// Serves whoever connects, for ever.
pub async fn listen(listener: TcpListener, router: Router, bounds: Bounds) {
    let places = Arc::new(Semaphore::new(bounds.connections_max));
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(bounds.head_time_max);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(PING_TIME);
    let builder = Arc::new(builder);
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // There may be no descriptors left for a while.
                tracing::warn!(%error, "a connection cannot be accepted");
                tokio::time::sleep(ACCEPT_AGAIN_TIME).await;
                continue;
            }
        };
        let (builder, service) = (Arc::clone(&builder), TowerToHyperService::new(router.clone()));
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = builder.serve_connection(TokioIo::new(stream), service).await {
                tracing::debug!(%error, "a connection ended badly");
            }
        });
    }
}
