//! CPU time of many single operations.

use rustix::time::{ClockId, clock_gettime};

/// CPU times of single operations, ascending, in nanoseconds.
pub(crate) struct Times(Vec<u64>);

impl Times {
    /// Times each call of `operation` on its own.
    pub(crate) fn of<T>(inputs: &[T], mut operation: impl FnMut(&T)) -> Self {
        inputs.iter().take(50).for_each(&mut operation);
        let times = inputs.iter().map(|input| {
            let start = now();
            operation(input);
            now() - start
        });
        Self::from(times.collect::<Vec<u64>>())
    }

    /// The time, in microseconds, that a share of the operations needed at most.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let at = ((self.0.len() - 1) as f64 * share).round() as usize;
        self.0[at] as f64 / 1_000.0
    }
}

impl From<Vec<u64>> for Times {
    /// Times that were taken elsewhere, in nanoseconds.
    fn from(mut times: Vec<u64>) -> Self {
        times.sort_unstable();
        Self(times)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:>9.1} {:>9.1}", self.quantile(0.5), self.quantile(0.99))
    }
}

/// The CPU time of `operation`, in microseconds.
pub(crate) fn once<T>(operation: impl FnOnce() -> T) -> (T, f64) {
    let start = now();
    let result = operation();
    (result, (now() - start) as f64 / 1_000.0)
}

/// The CPU time of this thread so far, in nanoseconds.
pub(crate) fn now() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    (time.tv_sec * 1_000_000_000 + time.tv_nsec).unsigned_abs()
}
