//! How long a model is left alone that has failed, so that not every search waits for a server that is away. Lives as long as its embedder; time is passed in.

use std::time::Duration;

use tokio::time::Instant;

use crate::limits::{EMBEDDING_REST_MAX, EMBEDDING_REST_MIN};

/// What is known of failures.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// Failures since the last success.
    failures: u32,
    /// Until when nobody asks, and what went wrong.
    until: Option<(Instant, String)>,
}

impl Rest {
    /// Returns what went wrong and how long nobody asks; `None` where the model may be asked.
    pub(super) fn at(&self, now: Instant) -> Option<(&str, Duration)> {
        let (until, why) = self.until.as_ref()?;
        (now < *until).then(|| (why.as_str(), *until - now))
    }

    /// The model failed, and wants to be left alone for `wanted` if it said so; `may_pass` says whether waiting helps.
    ///
    /// Returns how long nobody asks.
    pub(super) fn failed(
        &mut self,
        now: Instant,
        why: &str,
        wanted: Option<Duration>,
        may_pass: bool,
    ) -> Duration {
        let doublings = self.failures.min(16);
        self.failures = self.failures.saturating_add(1);
        let usual = match may_pass {
            true => EMBEDDING_REST_MIN.saturating_mul(1 << doublings),
            false => EMBEDDING_REST_MAX,
        };
        let rest = usual.max(wanted.unwrap_or_default()).min(EMBEDDING_REST_MAX);
        self.until = Some((now + rest, why.to_owned()));
        rest
    }

    /// The model has answered.
    pub(super) fn answered(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::Rest;

    #[test]
    fn rests_double_up_to_a_bound_and_end_with_an_answer() {
        let now = Instant::now();
        let mut rest = Rest::default();
        assert_eq!(rest.at(now), None);
        let rests: Vec<u64> =
            (0..8).map(|_| rest.failed(now, "gone", None, true).as_secs()).collect();
        assert_eq!(rests, [5, 10, 20, 40, 80, 160, 300, 300]);
        rest.answered();
        assert_eq!(rest.at(now), None);
        assert_eq!(rest.failed(now, "gone", None, true).as_secs(), 5);
    }

    #[test]
    fn nobody_asks_until_the_rest_is_over() {
        let now = Instant::now();
        let mut rest = Rest::default();
        rest.failed(now, "gone", None, true);
        let second = Duration::from_secs(1);
        assert_eq!(rest.at(now + second), Some(("gone", 4 * second)));
        assert_eq!(rest.at(now + 5 * second), None);
    }

    #[test]
    fn what_the_server_wants_and_what_does_not_pass_take_longer() {
        let now = Instant::now();
        let failed = |wanted, may_pass| {
            let wanted = Some(Duration::from_secs(wanted));
            Rest::default().failed(now, "gone", wanted, may_pass).as_secs()
        };
        assert_eq!(failed(30, true), 30);
        assert_eq!(failed(1, true), 5);
        assert_eq!(failed(9_000, true), 300);
        assert_eq!(failed(0, false), 300);
    }
}
