//! Whether to ask a model again after a failure, and when. Pure: the pause is kept by others.

use std::time::Duration;

use crate::ModelError;
use crate::limits::{ATTEMPTS_MAX, PAUSE_MAX, PAUSE_MIN};

/// Returns how long to wait before the next attempt, after `attempts` that failed; `None` where there is none.
///
/// What the endpoint asks for is kept exactly; otherwise the pause doubles from attempt to attempt.
pub(super) fn pause(error: &ModelError, attempts: u32) -> Option<Duration> {
    if !error.kind.is_retryable() || attempts >= ATTEMPTS_MAX {
        return None;
    }
    match error.retry_after {
        Some(wanted) if wanted > PAUSE_MAX => None,
        Some(wanted) => Some(wanted),
        None => {
            let doublings = attempts.saturating_sub(1).min(16);
            Some(PAUSE_MIN.saturating_mul(1 << doublings).min(PAUSE_MAX))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelErrorKind;

    #[test]
    fn pauses_double_and_end() {
        let error = ModelError::new(ModelErrorKind::Overloaded, "busy");
        let pauses: Vec<Option<u128>> =
            (1..=5).map(|made| pause(&error, made).map(|pause| pause.as_millis())).collect();
        assert_eq!(pauses, [Some(500), Some(1_000), Some(2_000), Some(4_000), None]);
    }

    #[test]
    fn what_the_endpoint_asks_for_is_kept_unless_it_is_too_long() {
        let wanted = |seconds| {
            let mut error = ModelError::new(ModelErrorKind::RateLimited, "slow down");
            error.retry_after = Some(Duration::from_secs(seconds));
            pause(&error, 1)
        };
        assert_eq!(wanted(7), Some(Duration::from_secs(7)));
        assert_eq!(wanted(60), Some(Duration::from_secs(60)));
        assert_eq!(wanted(61), None);
    }

    #[test]
    fn what_cannot_succeed_is_not_repeated() {
        let error = ModelError::new(ModelErrorKind::Authentication, "no key");
        assert_eq!(pause(&error, 1), None);
    }
}
