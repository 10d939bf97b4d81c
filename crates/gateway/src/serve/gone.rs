//! Tools that were there and are not any more, so that whoever calls one is told that. Lives as long as the gateway.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_tools::{Entry, Grants, Snapshot};

use crate::limits::GONE_TOOLS_MAX;

/// The tools that went last.
#[derive(Default)]
pub(super) struct Gone(Mutex<VecDeque<Arc<Entry>>>);

impl Gone {
    /// Takes the tools of `source` that are there before and not after.
    pub(super) fn compare(&self, source: &str, before: &Snapshot, after: &Snapshot) {
        let is_there = |entry: &Entry| after.tool(source, entry.identity().name()).is_some();
        let left = before.tools_of(source).iter().filter(|entry| !is_there(entry));
        let mut gone = self.gone();
        for entry in left.take(GONE_TOOLS_MAX) {
            gone.retain(|known| known.identity() != entry.identity());
            gone.push_back(Arc::clone(entry));
        }
        while gone.len() > GONE_TOOLS_MAX {
            gone.pop_front();
        }
    }

    /// Returns the tool that was called `name`, where whoever asks could see it.
    pub(super) fn find(&self, name: &str, grants: &Grants) -> Option<Arc<Entry>> {
        let gone = self.gone();
        let mut found = gone.iter().rev().filter(|entry| entry.exposed() == name);
        found.find(|entry| grants.may_see(entry.source(), entry.row())).cloned()
    }

    fn gone(&self) -> MutexGuard<'_, VecDeque<Arc<Entry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
