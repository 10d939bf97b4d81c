//! Hooks around steps are foreign code: a panic in one is its failure and ends nothing else.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use oncue_tools::HookError;

/// Runs what a hook does, and takes a panic for the error that it is.
pub(super) async fn caught<T>(
    hook: impl Future<Output = Result<T, HookError>>,
) -> Result<T, HookError> {
    let mut hook = pin!(hook);
    poll_fn(move |cx| {
        // After a panic the future is never polled again, so nobody sees what it left half done.
        match catch_unwind(AssertUnwindSafe(|| hook.as_mut().poll(cx))) {
            Ok(poll) => poll,
            Err(panic) => Poll::Ready(Err(text(&*panic).into())),
        }
    })
    .await
}

fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without text".to_owned())
}
