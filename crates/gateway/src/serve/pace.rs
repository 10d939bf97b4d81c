//! How often an upstream's lists are read: one reading at a time, one more planned at most, and further apart the more often they are said to change. Pure.

use std::time::{Duration, Instant};

use crate::limits::{REFRESH_TIME_MAX, REFRESH_TIME_MIN, REFRESH_TIME_QUICK, REFRESHES_QUICK_MAX};

/// The readings of one upstream's lists. Lives as long as the upstream.
#[derive(Debug)]
pub(super) struct Pace {
    is_running: bool,
    is_planned: bool,
    last: Option<Instant>,
    pause: Duration,
    /// How many readings have followed the one before quickly.
    quick: u32,
}

/// What to do about a wish to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Todo {
    /// Read now.
    Run,
    /// Say [`Pace::due`] after this long.
    Wait(Duration),
    /// Nothing: a reading that will see the change is on its way.
    Nothing,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            is_running: false,
            is_planned: false,
            last: None,
            pause: REFRESH_TIME_QUICK,
            quick: 0,
        }
    }
}

impl Pace {
    /// Somebody wants the lists read.
    pub(super) fn wish(&mut self, now: Instant) -> Todo {
        if self.is_planned {
            return Todo::Nothing;
        }
        if self.is_running {
            self.is_planned = true;
            return Todo::Nothing;
        }
        let since = self.last.map(|last| now.saturating_duration_since(last));
        if since.is_none_or(|since| since >= REFRESH_TIME_MAX) {
            self.pause = REFRESH_TIME_QUICK;
            self.quick = 0;
        }
        match since.and_then(|since| self.pause.checked_sub(since)).filter(|rest| !rest.is_zero()) {
            None => {
                self.is_running = true;
                Todo::Run
            }
            Some(rest) => {
                self.is_planned = true;
                Todo::Wait(rest)
            }
        }
    }

    /// The time that was waited for has come.
    pub(super) fn due(&mut self) -> Todo {
        self.is_planned = false;
        if self.is_running {
            self.is_planned = true;
            return Todo::Nothing;
        }
        self.is_running = true;
        match self.quick < REFRESHES_QUICK_MAX {
            true => self.quick += 1,
            false => self.pause = (self.pause * 2).clamp(REFRESH_TIME_MIN, REFRESH_TIME_MAX),
        }
        Todo::Run
    }

    /// A reading is over.
    pub(super) fn done(&mut self, now: Instant) -> Todo {
        self.is_running = false;
        self.last = Some(now);
        match std::mem::take(&mut self.is_planned) {
            false => Todo::Nothing,
            true => {
                self.is_planned = true;
                Todo::Wait(self.pause)
            }
        }
    }

    /// Says whether a reading runs now.
    pub(super) const fn is_running(&self) -> bool {
        self.is_running
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_storm_of_changes_costs_few_readings_and_the_last_change_is_seen() {
        let begin = Instant::now();
        let mut pace = Pace::default();
        let mut readings = Vec::new();
        let mut due: Option<Duration> = None;
        let mut last_wish = Duration::ZERO;
        // A change every 5 ms for ten minutes; a reading takes no time.
        for step in 0..120_000_u32 {
            let now = Duration::from_millis(5) * step;
            if due.is_some_and(|at| at <= now) {
                due = None;
                assert_eq!(pace.due(), Todo::Run);
                readings.push(now);
                if let Todo::Wait(rest) = pace.done(begin + now) {
                    due = Some(now + rest);
                }
            }
            last_wish = now;
            match pace.wish(begin + now) {
                Todo::Run => {
                    readings.push(now);
                    if let Todo::Wait(rest) = pace.done(begin + now) {
                        due = Some(now + rest);
                    }
                }
                Todo::Wait(rest) => due = Some(now + rest),
                Todo::Nothing => {}
            }
        }
        // Six within half a second, six that come ever further apart, and eight a minute apart.
        assert!(readings.len() <= 20, "{readings:?}");
        let planned = due.expect("one more is planned");
        assert!(planned > last_wish && planned - last_wish <= REFRESH_TIME_MAX);
    }

    #[test]
    fn a_few_changes_are_seen_soon_and_the_pause_grows_with_more() {
        let mut now = Instant::now();
        let mut pace = Pace::default();
        assert_eq!(pace.wish(now), Todo::Run);
        pace.done(now);
        let mut pauses = Vec::new();
        for _ in 0..7 {
            let Todo::Wait(rest) = pace.wish(now) else { panic!("it waits") };
            pauses.push(rest.as_millis());
            now += rest;
            assert_eq!(pace.due(), Todo::Run);
            pace.done(now);
        }
        assert_eq!(pauses, [100, 100, 100, 100, 100, 1_000, 2_000]);
        now += REFRESH_TIME_MAX;
        assert_eq!(pace.wish(now), Todo::Run);
        pace.done(now);
        assert_eq!(pace.wish(now), Todo::Wait(REFRESH_TIME_QUICK), "as at first");
    }

    #[test]
    fn a_change_during_a_reading_leads_to_one_more() {
        let now = Instant::now();
        let mut pace = Pace::default();
        assert_eq!(pace.wish(now), Todo::Run);
        assert_eq!(pace.wish(now), Todo::Nothing);
        assert_eq!(pace.wish(now), Todo::Nothing);
        assert_eq!(pace.done(now), Todo::Wait(REFRESH_TIME_QUICK));
        assert_eq!(pace.due(), Todo::Run);
        assert_eq!(pace.done(now), Todo::Nothing);
        assert!(!pace.is_running());
    }
}
