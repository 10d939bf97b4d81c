//! Searches that were made a moment ago: whoever makes one again reads names alone, since the rest is in its context already.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::limits::{REPEAT_CALLERS_MAX, REPEAT_TIME, REPEATS_KEPT};

/// Searches by who made them. Lives as long as the gateway.
#[derive(Debug, Default)]
pub(super) struct Repeats(Mutex<HashMap<String, VecDeque<(u64, Instant)>>>);

impl Repeats {
    /// Notes a search over one version of the catalog and says whether the caller made it a moment ago.
    pub(super) fn note(&self, caller: &str, query: &str, version: u64, now: Instant) -> bool {
        let mut hasher = DefaultHasher::new();
        (query.trim(), version).hash(&mut hasher);
        let key = hasher.finish();
        let mut callers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if callers.len() >= REPEAT_CALLERS_MAX && !callers.contains_key(caller) {
            callers.retain(|_, searches| {
                searches.back().is_some_and(|(_, made)| now.duration_since(*made) < REPEAT_TIME)
            });
            if callers.len() >= REPEAT_CALLERS_MAX {
                callers.clear();
            }
        }
        let searches = callers.entry(caller.to_owned()).or_default();
        searches.retain(|(_, made)| now.duration_since(*made) < REPEAT_TIME);
        let is_repeated = searches.iter().any(|(known, _)| *known == key);
        searches.retain(|(known, _)| *known != key);
        searches.push_back((key, now));
        if searches.len() > REPEATS_KEPT {
            searches.pop_front();
        }
        is_repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_counts_as_repeated_for_its_caller_its_catalog_and_a_while() {
        let now = Instant::now();
        let repeats = Repeats::default();
        assert!(!repeats.note("a", "csv", 1, now));
        assert!(repeats.note("a", " csv ", 1, now));
        assert!(!repeats.note("a", "csv", 2, now), "another catalog");
        assert!(!repeats.note("b", "csv", 1, now), "another caller");
        assert!(!repeats.note("a", "csv", 1, now + REPEAT_TIME), "long ago");
    }

    #[test]
    fn few_searches_of_few_callers_are_kept() {
        let now = Instant::now();
        let repeats = Repeats::default();
        for at in 0..2 * REPEAT_CALLERS_MAX {
            repeats.note(&at.to_string(), "x", 1, now);
        }
        assert!(repeats.0.lock().expect("no panic").len() <= REPEAT_CALLERS_MAX);
        repeats.note("z", "first", 1, now);
        for at in 0..REPEATS_KEPT {
            repeats.note("z", &at.to_string(), 1, now);
        }
        assert!(!repeats.note("z", "first", 1, now), "the oldest is forgotten");
    }
}
