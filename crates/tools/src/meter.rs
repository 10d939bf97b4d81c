//! What a turn has used so far, its forks included.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What a turn has used so far; a turn and its forks share one, so that a bound on a turn holds for all of them together.
///
/// It lives as long as the turn.
///
/// ```
/// use oncue_tools::Activation;
///
/// let turn = Activation::turn();
/// let fork = turn.fork();
/// fork.meter().add_tokens(700);
/// assert_eq!(turn.meter().tokens(), 700);
/// ```
#[derive(Debug, Default)]
pub struct Meter {
    /// Searches that were accepted.
    searches: AtomicU32,
    /// Calls that were asked for.
    calls: AtomicU64,
    /// Tokens of prompts and replies.
    tokens: AtomicU64,
}

impl Meter {
    /// A meter of a turn that goes on from these counts.
    #[must_use]
    pub fn from_counts(searches: u32, calls: u64, tokens: u64) -> Self {
        Self { searches: searches.into(), calls: calls.into(), tokens: tokens.into() }
    }

    /// Returns how many searches were accepted.
    #[must_use]
    pub fn searches(&self) -> u32 {
        self.searches.load(Ordering::Relaxed)
    }

    /// Returns how many calls were asked for.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Returns how many tokens were used.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens.load(Ordering::Relaxed)
    }

    /// Counts more tokens.
    pub fn add_tokens(&self, tokens: u64) {
        self.tokens.fetch_add(tokens, Ordering::Relaxed);
    }

    /// Counts as many of `wanted` calls as fit below `max`, and returns how many those are.
    pub fn admit_calls(&self, wanted: u64, max: u64) -> u64 {
        let mut admitted = 0;
        let count = |made: u64| {
            admitted = wanted.min(max.saturating_sub(made));
            (admitted > 0).then(|| made + admitted)
        };
        // Where nothing is admitted nothing changes, and `admitted` says so.
        let _ = self.calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
        admitted
    }

    /// Counts a search if fewer than `cap` were made, and says whether it may run.
    pub(crate) fn count_search(&self, cap: u32) -> bool {
        let next = |made: u32| (made < cap).then(|| made + 1);
        self.searches.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok()
    }
}
