//! The ids of all calls of a conversation, remembered so that no step looks through the whole of it.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use oncue_tools::CallId;

use crate::conversation::Item;

/// Which ids are taken. Lives as long as the turn is not stored, and is made anew from the conversation when it was.
///
/// Ids are remembered by a hash: where two share one, an id is taken for another, and a call gets a new id without need.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    hashes: HashSet<u64>,
    /// How many items of the conversation were looked at.
    covered: usize,
}

impl Ids {
    /// Takes the ids of what has joined the conversation.
    pub(super) fn cover(&mut self, items: &[Item]) {
        for item in items.get(self.covered..).unwrap_or_default() {
            if let Item::Reply(said) = item {
                self.hashes.extend(said.calls().map(|call| hash(&call.id)));
            }
        }
        self.covered = items.len();
    }

    /// Looks again at the items from the place `at` on, where others have come between.
    pub(super) fn look_again(&mut self, at: usize) {
        self.covered = self.covered.min(at);
    }

    /// Says whether an id is taken, and takes it.
    pub(super) fn take(&mut self, id: &CallId) -> bool {
        !self.hashes.insert(hash(id))
    }

    /// Returns how many ids are taken.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }
}

/// What is remembered is no part of a turn's state: it follows from the conversation.
impl PartialEq for Ids {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

fn hash(id: &CallId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
