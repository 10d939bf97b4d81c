//! Running futures beside each other on one task, whatever the executor.

use std::future::poll_fn;
use std::task::Poll;

use crate::BoxFuture;

/// Runs all futures to their end and returns what they gave, in the order of the futures.
///
/// Each wake polls all that still run; a step has few enough for that to cost less than a queue would.
pub(super) async fn join<T: Send>(futures: Vec<BoxFuture<'_, T>>) -> Vec<T> {
    let mut running: Vec<_> = futures.into_iter().map(Some).collect();
    let mut given: Vec<Option<T>> = running.iter().map(|_| None).collect();
    poll_fn(move |cx| {
        for (slot, given) in running.iter_mut().zip(&mut given) {
            let Some(future) = slot else { continue };
            if let Poll::Ready(value) = future.as_mut().poll(cx) {
                (*slot, *given) = (None, Some(value));
            }
        }
        if running.iter().any(Option::is_some) {
            return Poll::Pending;
        }
        Poll::Ready(given.iter_mut().filter_map(Option::take).collect())
    })
    .await
}
