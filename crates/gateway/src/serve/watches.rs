//! Resources that clients of the newer era listen to.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often each is listened to. Lives as long as the gateway.
#[derive(Default)]
pub(super) struct Watches(Mutex<HashMap<String, usize>>);

impl Watches {
    pub(super) fn add(&self, uri: &str) {
        *self.table().entry(uri.to_owned()).or_default() += 1;
    }

    /// Says whether nobody listens any more.
    pub(super) fn remove(&self, uri: &str) -> bool {
        let mut table = self.table();
        let Some(count) = table.get_mut(uri) else { return false };
        *count -= 1;
        let is_last = *count == 0;
        if is_last {
            table.remove(uri);
        }
        is_last
    }

    pub(super) fn contains(&self, uri: &str) -> bool {
        self.table().contains_key(uri)
    }

    fn table(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_who_goes_is_told_so() {
        let watches = Watches::default();
        watches.add("a");
        watches.add("a");
        assert!(!watches.remove("a") && watches.contains("a"));
        assert!(watches.remove("a") && !watches.contains("a"));
        assert!(!watches.remove("a"), "nobody listened");
    }
}
