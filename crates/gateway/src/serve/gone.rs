//! Tools that were there and are not any more, so that whoever calls one is told that. Lives as long as the gateway.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oncue_decl::Row;
use oncue_tools::{Entry, Grants, Snapshot};

use crate::limits::GONE_TOOLS_MAX;

/// The tools that went last.
#[derive(Default)]
pub(super) struct Gone(Mutex<VecDeque<Past>>);

/// What is kept of a tool: it must not keep its upstream alive.
struct Past {
    exposed: Box<str>,
    source: Box<str>,
    row: Row,
}

impl Gone {
    /// Takes the tools of `source` that are there before and not after.
    pub(super) fn compare(&self, source: &str, before: &Snapshot, after: &Snapshot) {
        let is_there = |entry: &Entry| after.tool(source, entry.identity().name()).is_some();
        let left = before.tools_of(source).iter().filter(|entry| !is_there(entry));
        let mut gone = self.gone();
        for entry in left.take(GONE_TOOLS_MAX) {
            gone.retain(|past| *past.exposed != *entry.exposed() || *past.source != *source);
            gone.push_back(Past {
                exposed: entry.exposed().into(),
                source: source.into(),
                row: entry.row().clone(),
            });
        }
        while gone.len() > GONE_TOOLS_MAX {
            gone.pop_front();
        }
    }

    /// Returns whose tool was called `name`, where whoever asks could see it.
    pub(super) fn find(&self, name: &str, grants: &Grants) -> Option<Box<str>> {
        let gone = self.gone();
        let mut found = gone.iter().rev().filter(|past| *past.exposed == *name);
        found.find(|past| grants.may_see(&past.source, &past.row)).map(|past| past.source.clone())
    }

    fn gone(&self) -> MutexGuard<'_, VecDeque<Past>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
