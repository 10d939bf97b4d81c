//! The time that one query takes.

use std::time::Duration;

/// What the times of queries are: `cpu` (time of this thread on a core) or `wall`.
pub const CLOCK: &str = if cfg!(unix) { "cpu" } else { "wall" };

/// Returns what `work` returns, and how long it took.
///
/// The thread's own CPU time where the system has such a clock, so that a busy machine does not blur the figures.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = now();
    let result = work();
    (result, now().saturating_sub(start))
}

#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
