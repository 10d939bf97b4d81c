//! What a change of settings means for each upstream.

use super::{Settings, Upstream, UpstreamId};

/// What becomes of each upstream when old settings are replaced by new ones. Ids are in the order of the settings that name them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Upstreams that are new.
    pub added: Vec<UpstreamId>,
    /// Upstreams that are gone.
    pub removed: Vec<UpstreamId>,
    /// Upstreams that are reached in another way, or switched on or off: what runs is stopped, and what is known of them is looked at again.
    pub restarted: Vec<UpstreamId>,
    /// Upstreams of which only tools, wording or times changed: they go on running.
    pub adjusted: Vec<UpstreamId>,
    /// Upstreams that are what they were.
    pub unchanged: Vec<UpstreamId>,
}

impl Diff {
    /// Returns what leads from `old` to `new`. Where in its file an upstream stands makes no difference.
    #[must_use]
    pub fn new(old: &Settings, new: &Settings) -> Self {
        let mut diff = Self::default();
        let gone = old.upstreams.iter().filter(|before| new.upstream(&before.id).is_none());
        diff.removed = gone.map(|before| before.id.clone()).collect();
        for after in &new.upstreams {
            let list = match old.upstream(&after.id) {
                None => &mut diff.added,
                Some(before) if starts_otherwise(before, after) => &mut diff.restarted,
                Some(before) if is_adjusted(before, after) => &mut diff.adjusted,
                Some(_) => &mut diff.unchanged,
            };
            list.push(after.id.clone());
        }
        diff
    }

    /// Says whether every upstream is what it was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        [&self.added, &self.removed, &self.restarted, &self.adjusted]
            .iter()
            .all(|list| list.is_empty())
    }
}

fn starts_otherwise(before: &Upstream, after: &Upstream) -> bool {
    before.transport != after.transport
        || before.is_enabled != after.is_enabled
        || before.origin.project != after.origin.project
}

fn is_adjusted(before: &Upstream, after: &Upstream) -> bool {
    before.tools != after.tools
        || before.timeouts != after.timeouts
        || before.is_namespaced != after.is_namespaced
        || before.description != after.description
}
