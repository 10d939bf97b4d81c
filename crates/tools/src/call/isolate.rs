//! Foreign code: its panics caught, its running ended from outside.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::Poll;

use crate::{Cancel, Cancellation};

/// Runs a future and gives back its panic, if it panics.
pub(super) async fn caught<F: Future>(future: F) -> Result<F::Output, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    poll_fn(move |cx| {
        // After a panic the future is never polled again, so nobody sees what it left half done.
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    })
    .await
}

/// Runs what does not wait and gives back its panic, if it panics.
pub(super) fn caught_at_once<T>(run: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    catch_unwind(AssertUnwindSafe(run))
}

/// Runs a future until `cancel` fires, then drops it.
pub(super) async fn until<F: Future>(
    cancel: &Cancel,
    future: F,
) -> Result<F::Output, Cancellation> {
    let (mut future, mut fired) = (pin!(future), cancel.fired());
    poll_fn(move |cx| {
        // First, so that what was called off before it began does not begin.
        if let Poll::Ready(reason) = Pin::new(&mut fired).poll(cx) {
            return Poll::Ready(Err(reason));
        }
        future.as_mut().poll(cx).map(Ok)
    })
    .await
}
