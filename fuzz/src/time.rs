//! Whether an input is slow.

use std::time::{Duration, Instant};

use crate::limits::{TIME_PER_TOOL_MAX, TRIES_MAX};

/// Does `work` on `tools` tools and panics where even the fastest of several tries takes too long.
pub(crate) fn bounded<T>(tools: usize, mut work: impl FnMut() -> T) -> T {
    let tools = u32::try_from(tools).unwrap_or(u32::MAX).max(1);
    let allowed = TIME_PER_TOOL_MAX.saturating_mul(tools);
    let mut fastest = Duration::MAX;
    let mut tries = 0;
    loop {
        let start = Instant::now();
        let result = work();
        fastest = fastest.min(start.elapsed());
        tries += 1;
        if fastest <= allowed {
            return result;
        }
        assert!(tries < TRIES_MAX, "slow: {fastest:?} for {tools} tools, {allowed:?} allowed");
    }
}

#[cfg(test)]
mod tests {
    use super::bounded;
    use crate::limits::TIME_PER_TOOL_MAX;
    use std::time::Instant;

    #[test]
    #[should_panic(expected = "slow: ")]
    fn what_is_slow_every_time_panics() {
        bounded(1, || {
            let start = Instant::now();
            while start.elapsed() <= TIME_PER_TOOL_MAX * 2 {}
        });
    }

    #[test]
    fn what_is_slow_once_passes() {
        let mut tries = 0;
        let last = bounded(1, || {
            tries += 1;
            let start = Instant::now();
            while tries == 1 && start.elapsed() <= TIME_PER_TOOL_MAX * 2 {}
            tries
        });
        assert!(last > 1);
    }
}
