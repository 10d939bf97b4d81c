//! Which discoverable tools may be called now. Lives one turn, one fork or, by choice, one session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use arc_swap::ArcSwap;

use crate::limits::{ACTIVE_PER_SESSION_MAX, ACTIVE_PER_TURN_MAX};
use crate::{Entry, Identity, Snapshot};

/// For how long an activation lives. Closed on purpose: each kind has its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActivationScope {
    /// From a user's input to the answer.
    Turn,
    /// The turn of a sub-agent.
    Fork,
    /// The turns of one conversation.
    Session,
}

/// Which discoverable tools may be called now, in the order in which they were found.
///
/// It only grows, and only a search writes it.
/// It is exposure and not permission: a call of an active tool is decided like any other.
///
/// ```
/// use oncue_tools::Activation;
///
/// let turn = Activation::turn();
/// let fork = turn.fork();
/// assert!(turn.active().is_empty() && fork.active().is_empty());
/// ```
#[derive(Debug)]
pub struct Activation {
    scope: ActivationScope,
    /// The active tools in order, each once; turns of one session share it.
    active: Arc<ArcSwap<Vec<Activated>>>,
    /// Searches made in this turn; a turn and its forks share it.
    searches: Arc<AtomicU32>,
}

/// A tool that was made active, and what it was called then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Activated {
    pub(crate) tool: Identity,
    /// Recognises a call when the tool itself is no longer there.
    pub(crate) exposed: Arc<str>,
}

/// Why a recorded activation was not taken up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dropped {
    /// The tool is no longer in the catalog.
    Gone,
    /// The tool is inline now and needs no activation.
    Inline,
    /// The session has as many active tools as it may have.
    Full,
}

impl Activation {
    /// An activation for one turn.
    #[must_use]
    pub fn turn() -> Self {
        Self::empty(ActivationScope::Turn)
    }

    /// An activation for the turns of one session, where found tools stay active.
    #[must_use]
    pub fn session() -> Self {
        Self::empty(ActivationScope::Session)
    }

    /// Returns the activation of a session from what [`Activation::active`] gave earlier, and the recorded tools that could not be taken up.
    ///
    /// What a caller may do is looked at when the tools are shown and called, as ever; a recorded tool that is denied now stays out of sight.
    #[must_use]
    pub fn replay(
        history: impl IntoIterator<Item = Identity>,
        snapshot: &Snapshot,
    ) -> (Self, Vec<(Identity, Dropped)>) {
        let mut active: Vec<Activated> = Vec::new();
        let mut dropped = Vec::new();
        for tool in history {
            if active.iter().any(|known| known.tool == tool) {
                continue;
            }
            match snapshot.tool(tool.source(), tool.name()) {
                None => dropped.push((tool, Dropped::Gone)),
                Some(entry) if entry.row().is_inline() => dropped.push((tool, Dropped::Inline)),
                Some(_) if active.len() >= ACTIVE_PER_SESSION_MAX => {
                    dropped.push((tool, Dropped::Full));
                }
                Some(entry) => active.push(Activated::of(entry)),
            }
        }
        let session = Self::session();
        session.active.store(Arc::new(active));
        (session, dropped)
    }

    /// Returns the activation of a fork: empty, of no consequence for this one, on the same search budget.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self { searches: Arc::clone(&self.searches), ..Self::empty(ActivationScope::Fork) }
    }

    /// Returns the activation of the next turn, with a fresh search budget: a session keeps its tools, a turn leaves none behind.
    #[must_use]
    pub fn next_turn(&self) -> Self {
        match self.scope {
            ActivationScope::Session => {
                Self { active: Arc::clone(&self.active), ..Self::session() }
            }
            ActivationScope::Turn | ActivationScope::Fork => Self::turn(),
        }
    }

    fn empty(scope: ActivationScope) -> Self {
        Self { scope, active: Arc::default(), searches: Arc::default() }
    }

    /// Makes `found` active, in order, as far as there is room; what is active already takes none.
    ///
    /// Only the execution of a search calls this.
    pub(crate) fn activate(&self, found: &[Arc<Entry>]) {
        let room = match self.scope {
            ActivationScope::Turn | ActivationScope::Fork => ACTIVE_PER_TURN_MAX,
            ActivationScope::Session => ACTIVE_PER_SESSION_MAX,
        };
        self.active.rcu(|before| {
            let mut active = Vec::clone(before);
            for entry in found.iter().filter(|entry| !entry.row().is_inline()) {
                let known = active.iter().any(|known| known.tool == *entry.identity());
                if !known && active.len() < room {
                    active.push(Activated::of(entry));
                }
            }
            active
        });
    }

    /// Counts a search if fewer than `cap` were made in this turn, and says whether it may run.
    pub(crate) fn count_search(&self, cap: u32) -> bool {
        let next = |made: u32| (made < cap).then(|| made + 1);
        self.searches.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok()
    }

    /// Returns for how long the activation lives.
    #[must_use]
    pub const fn scope(&self) -> ActivationScope {
        self.scope
    }

    /// Returns the active tools in the order in which they were found.
    #[must_use]
    pub fn active(&self) -> Vec<Identity> {
        self.list().iter().map(|activated| activated.tool.clone()).collect()
    }

    /// Says whether `tool` is active.
    #[must_use]
    pub fn is_active(&self, tool: &Identity) -> bool {
        self.list().iter().any(|activated| activated.tool == *tool)
    }

    /// Returns how many searches were made in this turn, those of its forks included.
    #[must_use]
    pub fn searches(&self) -> u32 {
        self.searches.load(Ordering::Relaxed)
    }

    pub(crate) fn list(&self) -> Arc<Vec<Activated>> {
        self.active.load_full()
    }
}

impl Activated {
    fn of(entry: &Entry) -> Self {
        Self { tool: entry.identity().clone(), exposed: entry.exposed_shared() }
    }
}
