//! The time of a turn, which stands still while people are asked.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// The time of a turn, waiting for people excepted. Lives from the start of the turn, or from its resumption, to its rest.
pub(super) struct Clock {
    reading: Mutex<Reading>,
    /// Rings when nobody is asked any more.
    answered: Notify,
}

struct Reading {
    /// The time until `since`.
    until_then: Duration,
    /// Since when the clock goes or stands.
    since: Instant,
    /// How many people are asked at the moment.
    asked: usize,
}

impl Clock {
    /// A clock of a turn that has taken this long already.
    pub(super) fn from(elapsed: Duration) -> Self {
        let reading = Reading { until_then: elapsed, since: Instant::now(), asked: 0 };
        Self { reading: Mutex::new(reading), answered: Notify::new() }
    }

    /// Returns how long the turn has taken so far.
    pub(super) fn elapsed(&self) -> Duration {
        self.lock().elapsed()
    }

    /// Stops the clock until the returned guard is dropped.
    pub(super) fn asks(&self) -> Asked<'_> {
        let mut reading = self.lock();
        reading.turns();
        reading.asked += 1;
        Asked(self)
    }

    /// Waits until the turn has taken as long as `limit`.
    pub(super) async fn reaches(&self, limit: Duration) {
        loop {
            let (is_asking, elapsed) = {
                let reading = self.lock();
                (reading.asked > 0, reading.elapsed())
            };
            if is_asking {
                self.answered.notified().await;
            } else if elapsed >= limit {
                return;
            } else {
                tokio::time::sleep(limit - elapsed).await;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Reading> {
        // No code that can panic half-way through a change runs under the lock.
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reading {
    fn elapsed(&self) -> Duration {
        match self.asked {
            0 => self.until_then + self.since.elapsed(),
            _ => self.until_then,
        }
    }

    /// Writes down what has passed, before the clock is stopped or goes on.
    fn turns(&mut self) {
        (self.until_then, self.since) = (self.elapsed(), Instant::now());
    }
}

/// That somebody is asked.
pub(super) struct Asked<'c>(&'c Clock);

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        let mut reading = self.0.lock();
        reading.turns();
        reading.asked -= 1;
        if reading.asked == 0 {
            self.0.answered.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_clock_stands_still_while_anybody_is_asked() {
        let pass = |seconds| tokio::time::advance(Duration::from_secs(seconds));
        let clock = Clock::from(Duration::from_secs(5));
        pass(1).await;
        let first = clock.asks();
        pass(10).await;
        let second = clock.asks();
        drop(first);
        pass(10).await;
        drop(second);
        pass(2).await;
        assert_eq!(clock.elapsed().as_secs(), 8);
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_is_reached_later_by_the_time_that_people_take() {
        let clock = Clock::from(Duration::ZERO);
        let started = Instant::now();
        let person = async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            let _asked = clock.asks();
            tokio::time::sleep(Duration::from_secs(100)).await;
        };
        tokio::join!(clock.reaches(Duration::from_secs(10)), person);
        assert_eq!(started.elapsed().as_secs(), 110);
    }
}
