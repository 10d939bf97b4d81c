//! The time of each call, counted from when it begins to run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use oncue_tools::{
    Before, BoxFuture, CallContext, CallId, Cancellation, Checked, Hook, HookError, Outcome,
};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The hook that stops calls whose time is over. Lives one step.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    timers: Mutex<HashMap<CallId, Timer>>,
}

#[derive(Debug)]
enum Timer {
    Running { since: Instant, bell: Option<JoinHandle<()>> },
    Stopped { took: Duration },
}

impl Deadlines {
    /// Returns how long a call ran; nothing where it did not.
    pub(super) fn took(&self, id: &CallId) -> Option<Duration> {
        match self.lock().get(id)? {
            Timer::Stopped { took } => Some(*took),
            Timer::Running { since, .. } => Some(since.elapsed()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<CallId, Timer>> {
        self.timers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hook for Deadlines {
    fn before<'a>(
        &'a self,
        call: &'a Checked,
        ctx: &'a CallContext<'a>,
    ) -> BoxFuture<'a, Result<Before, HookError>> {
        let bell = ctx.time_allowed().map(|time| {
            let cancel = ctx.cancel().clone();
            tokio::spawn(async move {
                tokio::time::sleep(time).await;
                cancel.fire(Cancellation::Deadline);
            })
        });
        let timer = Timer::Running { since: Instant::now(), bell };
        self.lock().insert(call.id().clone(), timer);
        Box::pin(std::future::ready(Ok(Before::Proceed)))
    }

    fn after<'a>(
        &'a self,
        call: &'a Checked,
        _: &'a mut Outcome,
    ) -> BoxFuture<'a, Result<(), HookError>> {
        if let Some(timer) = self.lock().get_mut(call.id())
            && let Timer::Running { since, bell } = timer
        {
            bell.as_ref().into_iter().for_each(JoinHandle::abort);
            *timer = Timer::Stopped { took: since.elapsed() };
        }
        Box::pin(std::future::ready(Ok(())))
    }
}

impl Drop for Deadlines {
    fn drop(&mut self) {
        for timer in self.lock().values() {
            if let Timer::Running { bell: Some(bell), .. } = timer {
                bell.abort();
            }
        }
    }
}
