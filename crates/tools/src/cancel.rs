//! Calling a running call off from outside.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Why a call was called off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cancellation {
    /// Nobody wants the result any more.
    Withdrawn,
    /// The time for the call is over.
    Deadline,
}

/// A handle by which calls are called off; clones are the same handle.
///
/// It lives as long as someone holds it. The first reason stays; later ones change nothing.
/// This crate has no clock: who owns a timer fires [`Cancellation::Deadline`].
///
/// ```
/// use oncue_tools::{Cancel, Cancellation};
///
/// let cancel = Cancel::default();
/// let seen_by_the_tool = cancel.clone();
/// assert_eq!(seen_by_the_tool.reason(), None);
/// cancel.fire(Cancellation::Deadline);
/// assert_eq!(seen_by_the_tool.reason(), Some(Cancellation::Deadline));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    reason: Option<Cancellation>,
    /// Who waits, by the number of its [`Cancelled`] future.
    wakers: BTreeMap<u64, Waker>,
    next: u64,
}

impl Cancel {
    /// Calls off everything that holds this handle.
    pub fn fire(&self, reason: Cancellation) {
        let wakers = {
            let mut state = self.lock();
            state.reason.get_or_insert(reason);
            std::mem::take(&mut state.wakers)
        };
        // Waking runs foreign code, so the lock is gone by now.
        wakers.into_values().for_each(Waker::wake);
    }

    /// Returns why the call was called off; `None` while it was not.
    #[must_use]
    pub fn reason(&self) -> Option<Cancellation> {
        self.lock().reason
    }

    /// Waits until the call is called off.
    #[must_use]
    pub fn fired(&self) -> Cancelled {
        Cancelled { cancel: self.clone(), number: None }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic half-way through a change runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A future that is ready when its [`Cancel`] fires.
#[derive(Debug)]
pub struct Cancelled {
    cancel: Cancel,
    number: Option<u64>,
}

impl Future for Cancelled {
    type Output = Cancellation;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Cancellation> {
        let cancel = self.cancel.clone();
        let mut state = cancel.lock();
        if let Some(reason) = state.reason {
            return Poll::Ready(reason);
        }
        let number = *self.number.get_or_insert_with(|| {
            state.next += 1;
            state.next
        });
        state.wakers.insert(number, cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.cancel.lock().wakers.remove(&number);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::Wake;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicU32);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn every_waiting_future_is_woken_once_and_dropped_ones_leave_nothing() {
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut cx = Context::from_waker(&waker);
        let cancel = Cancel::default();
        let mut waiting: Vec<_> = (0..3).map(|_| Box::pin(cancel.fired())).collect();
        for future in &mut waiting {
            assert_eq!(future.as_mut().poll(&mut cx), Poll::Pending);
            assert_eq!(future.as_mut().poll(&mut cx), Poll::Pending);
        }
        drop(waiting.pop());
        assert_eq!(cancel.lock().wakers.len(), 2);

        cancel.fire(Cancellation::Deadline);
        cancel.fire(Cancellation::Withdrawn);

        assert_eq!(count.0.load(Ordering::Relaxed), 2);
        for future in &mut waiting {
            assert_eq!(future.as_mut().poll(&mut cx), Poll::Ready(Cancellation::Deadline));
        }
    }
}
