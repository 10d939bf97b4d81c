//! Which discoverable tools may be called now. Lives one turn, one fork or, by choice, one session.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use serde::{Deserialize, Serialize};

use crate::limits::{ACTIVE_PER_SESSION_MAX, ACTIVE_PER_TURN_MAX};
use crate::{Entry, Identity, Meter, Snapshot};

/// For how long an activation lives. Closed on purpose: each kind has its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// Tools that were active and are not any more, since the model cannot see them any more.
    forgotten: Arc<Vec<Activated>>,
    /// What this turn has used; a turn and its forks share it.
    meter: Arc<Meter>,
    /// What was searched for in this turn, where a search tool wants to recognise repeats.
    asked: Mutex<Vec<String>>,
    /// How many forks stand above this one.
    depth: u32,
}

/// An activation as it is stored while a turn waits, and taken up again by [`Activation::restore`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivationRecord {
    /// For how long it lives.
    pub scope: ActivationScope,
    /// The active tools in the order in which they were found.
    pub active: Vec<Activated>,
    /// Tools that were active and are not any more.
    pub forgotten: Vec<Activated>,
    /// Searches made in this turn.
    pub searches: u32,
    /// Calls asked for in this turn.
    pub calls: u64,
    /// Tokens used in this turn.
    pub tokens: u64,
    /// What was searched for in this turn, where a search tool recognises repeats.
    pub asked: Vec<String>,
}

/// A tool that was made active, and what it was called then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activated {
    /// Which tool.
    pub tool: Identity,
    /// The name by which it was called, which recognises a call when the tool itself is no longer there.
    pub exposed: Arc<str>,
}

/// Why a recorded activation is of no use now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Dropped {
    /// The tool is not in the catalog.
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
        Self {
            meter: Arc::clone(&self.meter),
            depth: self.depth + 1,
            ..Self::empty(ActivationScope::Fork)
        }
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

    /// Returns the activation after a part of the conversation was taken out: of the active tools those that are still among `visible` stay, and the others are remembered as forgotten.
    ///
    /// The turn goes on: its scope and its meter stay. What it searched for does not, since the answers may be gone: a search that is made again is answered in full.
    #[must_use]
    pub fn retaining(&self, visible: &[Identity]) -> Self {
        let (active, gone): (Vec<_>, Vec<_>) =
            self.list().iter().cloned().partition(|known| visible.contains(&known.tool));
        let mut forgotten = Vec::clone(&self.forgotten);
        forgotten.extend(gone);
        Self {
            scope: self.scope,
            active: Arc::new(ArcSwap::from_pointee(active)),
            forgotten: Arc::new(forgotten),
            meter: Arc::clone(&self.meter),
            asked: Mutex::default(),
            depth: self.depth,
        }
    }

    /// Returns the activation as it is stored.
    #[must_use]
    pub fn record(&self) -> ActivationRecord {
        ActivationRecord {
            scope: self.scope,
            active: Vec::clone(&self.list()),
            forgotten: Vec::clone(&self.forgotten),
            searches: self.meter.searches(),
            calls: self.meter.calls(),
            tokens: self.meter.tokens(),
            asked: self.lock().clone(),
        }
    }

    /// Returns the activation that `record` describes, and the recorded tools that are of no use now.
    ///
    /// Storing changes nothing: a tool that is gone stays out of sight for as long as it is, and a call of it is answered as if it had gone while the activation was at work.
    #[must_use]
    pub fn restore(
        record: ActivationRecord,
        snapshot: &Snapshot,
    ) -> (Self, Vec<(Identity, Dropped)>) {
        let room = room(record.scope);
        let mut active: Vec<Activated> = Vec::new();
        let mut dropped = Vec::new();
        for known in record.active {
            if active.iter().any(|other| other.tool == known.tool) {
                continue;
            }
            let why = match snapshot.tool(known.tool.source(), known.tool.name()) {
                _ if active.len() >= room => Some(Dropped::Full),
                None => Some(Dropped::Gone),
                Some(entry) if entry.row().is_inline() => Some(Dropped::Inline),
                Some(_) => None,
            };
            dropped.extend(why.map(|why| (known.tool.clone(), why)));
            if why != Some(Dropped::Full) {
                active.push(known);
            }
        }
        let restored = Self {
            active: Arc::new(ArcSwap::from_pointee(active)),
            forgotten: Arc::new(record.forgotten),
            meter: Arc::new(Meter::from_counts(record.searches, record.calls, record.tokens)),
            asked: Mutex::new(record.asked),
            ..Self::empty(record.scope)
        };
        (restored, dropped)
    }

    fn empty(scope: ActivationScope) -> Self {
        Self {
            scope,
            active: Arc::default(),
            forgotten: Arc::default(),
            meter: Arc::default(),
            asked: Mutex::default(),
            depth: 0,
        }
    }

    /// Makes `found` active, in order, as far as there is room; what is active already takes none.
    ///
    /// Only the execution of a search calls this.
    pub(crate) fn activate(&self, found: &[Arc<Entry>]) {
        let room = room(self.scope);
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

    /// Remembers that `query` was searched for, and says whether it was before.
    pub(crate) fn has_asked(&self, query: &str) -> bool {
        let query = query.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let mut asked = self.lock();
        let before = asked.contains(&query);
        if !before {
            asked.push(query);
        }
        before
    }

    /// Returns what the turn has used so far, its forks included.
    #[must_use]
    pub const fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// Returns how many turns stand above this one: 0 for a turn, 1 for its fork.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
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
        self.meter.searches()
    }

    /// Says whether a tool that was called so was active and is not any more.
    pub(crate) fn has_forgotten(&self, exposed: &str) -> bool {
        self.forgotten.iter().any(|known| *known.exposed == *exposed)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        // No code that can panic half-way through a change runs under the lock.
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn list(&self) -> Arc<Vec<Activated>> {
        self.active.load_full()
    }
}

/// Returns how many tools may be active.
const fn room(scope: ActivationScope) -> usize {
    match scope {
        ActivationScope::Turn | ActivationScope::Fork => ACTIVE_PER_TURN_MAX,
        ActivationScope::Session => ACTIVE_PER_SESSION_MAX,
    }
}

impl Activated {
    fn of(entry: &Entry) -> Self {
        Self { tool: entry.identity().clone(), exposed: entry.exposed_shared() }
    }
}
