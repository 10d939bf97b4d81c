//! Calls that wait for a client of the newer era to come back with answers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::exchange::Exchange;
use crate::limits::{ASK_TIME_MAX, PARKED_CALLS_MAX, PARKED_CALLS_PER_PRINCIPAL_MAX};

/// The calls that wait. Lives as long as the gateway; clones are the same place.
#[derive(Clone, Default)]
pub(super) struct Parking(Arc<Mutex<Lots>>);

#[derive(Default)]
struct Lots {
    next: u64,
    taken: HashMap<u64, (String, Exchange)>,
}

impl Parking {
    /// Lets a call of `principal` wait, for as long as a person has to answer, and returns the number under which it does.
    ///
    /// # Errors
    ///
    /// As many wait as may, in all or of this principal; the call is returned.
    pub(super) fn park(&self, principal: &str, call: Exchange) -> Result<u64, Box<Exchange>> {
        let mut lots = self.lots();
        let own = lots.taken.values().filter(|(whose, _)| whose == principal).count();
        if lots.taken.len() >= PARKED_CALLS_MAX || own >= PARKED_CALLS_PER_PRINCIPAL_MAX {
            return Err(Box::new(call));
        }
        lots.next += 1;
        let number = lots.next;
        lots.taken.insert(number, (principal.to_owned(), call));
        drop(lots);
        let lots = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            tokio::time::sleep(ASK_TIME_MAX).await;
            if let Some(lots) = lots.upgrade() {
                // Nobody came back, and the upstream hears that the call is taken back.
                let gone = Self(lots).take(number);
                drop(gone);
            }
        });
        Ok(number)
    }

    /// Returns the call that waits under a number; nothing where it was fetched or is given up.
    pub(super) fn take(&self, number: u64) -> Option<Exchange> {
        self.lots().taken.remove(&number).map(|(_, call)| call)
    }

    /// Returns how many wait.
    pub(super) fn count(&self) -> usize {
        self.lots().taken.len()
    }

    fn lots(&self) -> MutexGuard<'_, Lots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A call that is never over; whoever holds the other end sees when it is dropped.
    fn call() -> (Exchange, Arc<()>) {
        let here = Arc::new(());
        let there = Arc::clone(&here);
        let calling = async move {
            let _there = there;
            std::future::pending().await
        };
        (Exchange::of(Box::pin(calling)), here)
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_nobody_comes_back_for_is_taken_back() {
        let parking = Parking::default();
        let (parked, seen) = call();
        let Ok(number) = parking.park("a", parked) else { panic!("there is room") };
        tokio::time::sleep(ASK_TIME_MAX - Duration::from_secs(1)).await;
        assert_eq!((parking.count(), Arc::strong_count(&seen)), (1, 2));
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!((parking.count(), Arc::strong_count(&seen)), (0, 1));
        assert!(parking.take(number).is_none());
    }

    #[tokio::test]
    async fn a_call_is_fetched_once() {
        let parking = Parking::default();
        let Ok(number) = parking.park("a", call().0) else { panic!("there is room") };
        assert!(parking.take(number).is_some());
        assert!(parking.take(number).is_none());
    }

    #[tokio::test]
    async fn as_many_wait_as_may_of_each_and_in_all() {
        let parking = Parking::default();
        let park = |principal: &str| parking.park(principal, call().0).is_ok();
        for _ in 0..PARKED_CALLS_PER_PRINCIPAL_MAX {
            assert!(park("a"));
        }
        assert!(!park("a"), "one more than it may");
        for count in PARKED_CALLS_PER_PRINCIPAL_MAX..PARKED_CALLS_MAX {
            assert!(park(&format!("principal {count}")));
        }
        assert_eq!(parking.count(), PARKED_CALLS_MAX);
        assert!(!park("another"), "one more than all may");
        assert!(parking.take(1).is_some());
        assert!(park("another"));
    }
}
