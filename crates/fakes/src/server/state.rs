//! What a running fake knows: its script, what it has seen, and the vendors' caches. Lives as long as the fake.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_agent::cache::{CacheUse, MissReason, PrefixCache};

use super::{Chunks, Seen};
use crate::{Asked, Scripted, Wire};

/// Answers when the queue is empty.
pub(super) type Responder = dyn Fn(&dyn Wire, &Asked) -> Scripted + Send + Sync;

/// What the server and its owner share.
pub(super) struct Shared {
    /// The wires, in the order in which they are asked.
    pub(super) wires: Vec<Box<dyn Wire>>,
    state: Mutex<State>,
}

/// What changes.
#[derive(Default)]
pub(super) struct State {
    /// Answers to come.
    pub(super) queue: VecDeque<Scripted>,
    /// Answers when there are none to come.
    pub(super) responder: Option<Arc<Responder>>,
    /// How streams are cut.
    pub(super) chunks: Chunks,
    /// Every request so far.
    pub(super) seen: Vec<Seen>,
    /// How many requests have come; numbers begin with 1.
    pub(super) number: u64,
    /// The caches, by wire and key.
    accounts: HashMap<(&'static str, String), Account>,
}

/// The caches of one key.
#[derive(Default)]
struct Account {
    /// By model; models have nothing in common.
    models: HashMap<String, PrefixCache>,
    /// The model of the prompt before, and what that prompt left in its cache, in tokens.
    before: Option<(String, u64)>,
}

impl Shared {
    pub(super) fn new(wires: Vec<Box<dyn Wire>>) -> Self {
        Self { wires, state: Mutex::default() }
    }

    /// Returns the state, also after a panic of whoever held it: what it was doing is over and the log counts.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wire(&self, path: &str) -> Option<&dyn Wire> {
        self.wires.iter().find(|wire| wire.serves(path)).map(AsRef::as_ref)
    }
}

impl State {
    /// Sends the prompt through the cache that it belongs to.
    pub(super) fn cached(&mut self, wire: &dyn Wire, asked: &Asked) -> CacheUse {
        let prompt = wire.prompt(asked);
        let account = self.accounts.entry((wire.name(), wire.cache_key(asked))).or_default();
        let cache = account.models.entry(prompt.model.clone());
        let cache = cache.or_insert_with(|| PrefixCache::new(wire.cache_rules(asked)));
        let mut used = cache.send(&prompt);
        if let Some((model, kept)) = &account.before
            && *model != prompt.model
            && used.read < *kept
        {
            used.miss = Some(MissReason::ModelChanged);
            used.missed = kept - used.read;
        }
        account.before = Some((prompt.model, used.read + used.written));
        used
    }
}
