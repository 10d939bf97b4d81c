//! The life of an upstream as a state machine: when it may be started, and when that is given up for a while. Pure: times are passed in.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::limits::{
    BACKOFF_TIME_MAX, BACKOFF_TIME_MIN, BREAKER_ENDS_MAX, BREAKER_OPEN_TIME, BREAKER_WINDOW,
};

/// The life of an upstream. Lives as long as the upstream is configured.
#[derive(Clone, Debug)]
pub struct Life {
    phase: Phase,
    /// When it lately ended without being asked to, or could not be started; the oldest first.
    ends: VecDeque<Instant>,
    /// How often in a row it could not be started or ended at once.
    failures: u32,
}

/// What an upstream is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It does not run, and is started when it is needed.
    Down,
    /// It is being started.
    Starting,
    /// It runs.
    Up,
    /// It has failed and is not tried again before then.
    BackingOff {
        /// When it may be started again.
        until: Instant,
    },
    /// It has failed again and again and is left alone until then.
    Broken {
        /// When it may be started again.
        until: Instant,
    },
}

/// Why an upstream is not started now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotNow {
    /// It failed a moment ago.
    BackingOff {
        /// After how long it may be tried again.
        wait: Duration,
    },
    /// It failed again and again.
    Broken {
        /// After how long it may be tried again.
        wait: Duration,
        /// How often it failed lately.
        ends: usize,
    },
}

impl Default for Life {
    fn default() -> Self {
        Self { phase: Phase::Down, ends: VecDeque::new(), failures: 0 }
    }
}

impl Life {
    /// Returns what the upstream is doing.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Begins a start.
    ///
    /// # Errors
    ///
    /// It is not started now.
    pub fn start(&mut self, now: Instant) -> Result<(), NotNow> {
        match self.phase {
            Phase::BackingOff { until } if now < until => {
                Err(NotNow::BackingOff { wait: until - now })
            }
            Phase::Broken { until } if now < until => {
                Err(NotNow::Broken { wait: until - now, ends: self.ends.len() })
            }
            Phase::Broken { .. } => {
                // One try, and it is broken again at once if that fails.
                self.phase = Phase::Starting;
                Ok(())
            }
            _ => {
                self.phase = Phase::Starting;
                Ok(())
            }
        }
    }

    /// The start went well.
    pub fn on_up(&mut self) {
        self.phase = Phase::Up;
    }

    /// The start failed, or the upstream ended without being asked to; `jitter` is between 0 and 1.
    ///
    /// That it answered in between counts for nothing: a server that ends after each answer would be started for ever.
    pub fn on_end(&mut self, now: Instant, jitter: f64) {
        let was_up = self.phase == Phase::Up;
        self.ends.push_back(now);
        while self.ends.front().is_some_and(|&end| now.duration_since(end) > BREAKER_WINDOW) {
            self.ends.pop_front();
        }
        self.failures = match was_up && self.ends.len() <= 1 {
            true => 1,
            false => self.failures.saturating_add(1),
        };
        if self.ends.len() >= BREAKER_ENDS_MAX {
            self.phase = Phase::Broken { until: now + BREAKER_OPEN_TIME };
            return;
        }
        let doublings = self.failures.saturating_sub(1).min(16);
        let pause = BACKOFF_TIME_MIN.saturating_mul(1 << doublings).min(BACKOFF_TIME_MAX);
        let pause = pause.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0);
        self.phase = Phase::BackingOff { until: now + pause };
    }

    /// It was stopped because nobody needs it, or by a person.
    pub fn on_stop(&mut self) {
        self.phase = Phase::Down;
    }

    /// A person wants it tried again whatever has happened.
    pub fn forgive(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn it_backs_off_twice_as_long_each_time() {
        let begin = Instant::now();
        let mut life = Life::default();
        let mut now = begin;
        let mut pauses = Vec::new();
        for _ in 0..4 {
            life.start(now).expect("it may");
            life.on_end(now, 1.0);
            let Err(NotNow::BackingOff { wait }) = life.start(now) else { panic!("it backs off") };
            pauses.push(wait);
            now += wait;
        }
        assert_eq!(pauses, [ms(500), ms(1_000), ms(2_000), ms(4_000)]);
        let mut life = Life::default();
        life.start(begin).expect("it may");
        life.on_end(begin, 0.0);
        assert_eq!(
            life.start(begin),
            Err(NotNow::BackingOff { wait: ms(250) }),
            "jitter halves it at most"
        );
    }

    // case: C46
    #[test]
    fn five_ends_within_a_minute_break_it_for_five_minutes_however_well_it_answered() {
        let mut now = Instant::now();
        let mut life = Life::default();
        for _ in 0..5 {
            loop {
                match life.start(now) {
                    Ok(()) => break,
                    Err(NotNow::BackingOff { wait }) => now += wait,
                    broken @ Err(NotNow::Broken { .. }) => panic!("{broken:?}"),
                }
            }
            life.on_up();
            life.on_end(now, 1.0);
        }
        let five = Duration::from_secs(300);
        assert_eq!(life.start(now), Err(NotNow::Broken { wait: five, ends: 5 }));
        assert!(life.start(now + five - ms(1)).is_err());
        now += five;
        life.start(now).expect("one try");
        life.on_up();
        life.on_end(now, 1.0);
        assert_eq!(life.phase(), Phase::BackingOff { until: now + ms(500) }, "the window is over");
    }

    #[test]
    fn being_stopped_is_no_failure_and_a_person_can_forgive() {
        let now = Instant::now();
        let mut life = Life::default();
        for _ in 0..10 {
            life.start(now).expect("it may");
            life.on_up();
            life.on_stop();
        }
        for _ in 0..5 {
            life.on_end(now, 1.0);
        }
        assert!(life.start(now).is_err());
        life.forgive();
        assert!(life.start(now).is_ok());
    }
}
