//! Foreign code: its panics caught, its running ended from outside.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::Poll;

use crate::{Cancel, Cancellation};

/// That foreign code panicked; the text is what it said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Panic(String);

impl Panic {
    pub(crate) fn of(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Self(text.unwrap_or_else(|| "a panic without text".to_owned()))
    }
}

/// Runs a future of foreign code, such as a hook of one's own kind, and gives back its panic, if it panics.
///
/// ```
/// use oncue_tools::caught;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// assert_eq!(caught(async { 7 }).await, Ok(7));
/// let panic = caught(async { assert!(false, "broken") }).await.unwrap_err();
/// assert_eq!(panic.to_string(), "broken");
/// # });
/// ```
///
/// # Errors
///
/// It panics.
pub async fn caught<F: Future>(future: F) -> Result<F::Output, Panic> {
    let mut future = pin!(future);
    poll_fn(move |cx| {
        // After a panic the future is never polled again, so nobody sees what it left half done.
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(panic) => Poll::Ready(Err(Panic::of(&*panic))),
        }
    })
    .await
}

/// Runs what does not wait and gives back its panic, if it panics.
pub(super) fn caught_at_once<T>(run: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Panic::of(&*panic))
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

#[cfg(test)]
mod tests {
    use super::Panic;

    #[test]
    fn a_panic_without_text_is_named_as_that() {
        assert_eq!(Panic::of(&7_u8).to_string(), "a panic without text");
        assert_eq!(Panic::of(&"plain").to_string(), "plain");
        assert_eq!(Panic::of(&"made up".to_owned()).to_string(), "made up");
    }
}
