//! The time of each call, counted from when it begins to run; it stands still while a person is asked.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use oncue_tools::{
    Before, BoxFuture, CallContext, CallId, Cancel, Cancellation, Checked, Hook, HookError, Outcome,
};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The hook that stops calls whose time is over. Lives one step.
#[derive(Debug, Default)]
pub(super) struct Deadlines {
    timers: Mutex<HashMap<CallId, Timer>>,
}

/// The time of one call.
#[derive(Debug)]
struct Timer {
    /// How long it ran until `since`.
    until_then: Duration,
    /// Since when it runs; nothing while it does not.
    since: Option<Instant>,
    /// How long it may run.
    allowed: Option<Duration>,
    cancel: Cancel,
    bell: Option<JoinHandle<()>>,
}

impl Deadlines {
    /// Returns how long a call ran; nothing where it did not.
    pub(super) fn took(&self, id: &CallId) -> Option<Duration> {
        self.lock().get(id).map(Timer::took)
    }

    /// Stops the time of a call, if it runs.
    pub(super) fn pause(&self, id: &CallId) {
        self.lock().get_mut(id).into_iter().for_each(Timer::stop);
    }

    /// Lets the time of a call go on, if it was running.
    pub(super) fn go_on(&self, id: &CallId) {
        self.lock().get_mut(id).into_iter().for_each(Timer::start);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CallId, Timer>> {
        self.timers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Timer {
    fn start(&mut self) {
        self.since = Some(Instant::now());
        self.bell = self.allowed.map(|allowed| {
            let (cancel, left) = (self.cancel.clone(), allowed.saturating_sub(self.until_then));
            tokio::spawn(async move {
                tokio::time::sleep(left).await;
                cancel.fire(Cancellation::Deadline);
            })
        });
    }

    fn stop(&mut self) {
        self.until_then = self.took();
        self.since = None;
        self.bell.take().iter().for_each(JoinHandle::abort);
    }

    fn took(&self) -> Duration {
        self.until_then + self.since.map(|since| since.elapsed()).unwrap_or_default()
    }
}

impl Hook for Deadlines {
    fn before<'a>(
        &'a self,
        call: &'a Checked,
        ctx: &'a CallContext<'a>,
    ) -> BoxFuture<'a, Result<Before, HookError>> {
        let mut timer = Timer {
            until_then: Duration::ZERO,
            since: None,
            allowed: ctx.time_allowed(),
            cancel: ctx.cancel().clone(),
            bell: None,
        };
        timer.start();
        self.lock().insert(call.id().clone(), timer);
        Box::pin(std::future::ready(Ok(Before::Proceed)))
    }

    fn after<'a>(
        &'a self,
        call: &'a Checked,
        _: &'a mut Outcome,
    ) -> BoxFuture<'a, Result<(), HookError>> {
        self.pause(call.id());
        Box::pin(std::future::ready(Ok(())))
    }
}

impl Drop for Deadlines {
    fn drop(&mut self) {
        self.lock().values_mut().for_each(Timer::stop);
    }
}
