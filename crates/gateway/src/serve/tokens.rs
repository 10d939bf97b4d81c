//! About how many tokens lists of tools cost a model.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use oncue_mcp::Raw;
use oncue_tools::{Entry, OpenTools, Principal};

use super::gateway::Gateway;
use super::modes;
use crate::config::{Mode, Settings};
use crate::limits::TOKEN_BYTES;

/// About how many tokens lists of tools cost a model; a token is taken for four bytes of the list as it is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListTokens {
    /// The list of every tool behind the gateway.
    pub whole: usize,
    /// The list that the settings' mode shows a client of which nothing is known, before it has found anything.
    pub shown: usize,
}

/// What was added up last. Lives as long as the gateway.
#[derive(Default)]
pub(super) struct Tokens(Mutex<Option<Sum>>);

struct Sum {
    generation: u64,
    /// The settings that it is of. As long as this is held no others can be at the same place in memory.
    settings: Weak<Settings>,
    tokens: ListTokens,
}

impl Gateway {
    /// Returns about how many tokens the lists cost.
    ///
    /// Added up once for each version of the catalog and the settings, which takes about a microsecond for each tool; meanwhile whoever else asks waits.
    #[must_use]
    pub fn list_tokens(&self) -> ListTokens {
        let mut sum = self.tokens().0.lock().unwrap_or_else(PoisonError::into_inner);
        let settings = self.settings();
        let generation = self.catalog().snapshot().generation();
        if let Some(sum) = sum.as_ref()
            && sum.generation == generation
            && std::ptr::eq(sum.settings.as_ptr(), Arc::as_ptr(&settings))
        {
            return sum.tokens;
        }
        let tokens = self.add_up(&settings);
        *sum = Some(Sum { generation, settings: Arc::downgrade(&settings), tokens });
        tokens
    }

    fn add_up(&self, settings: &Settings) -> ListTokens {
        let grants = self.grants(&Principal::Local);
        let tools = OpenTools::new(self.catalog(), &grants);
        let whole: usize = tools.all().map(bytes).sum();
        let shown = match modes::mode(settings.mode, None) {
            Mode::Passthrough => whole,
            _ => {
                let own = self.own_tools(&tools, None);
                let own: usize = own.iter().map(|tool: &Raw| tool.get().len()).sum();
                let pinned = tools.all().filter(|entry| super::list::is_pinned(settings, entry));
                own + pinned.map(bytes).sum::<usize>()
            }
        };
        ListTokens { whole: whole.div_ceil(TOKEN_BYTES), shown: shown.div_ceil(TOKEN_BYTES) }
    }
}

/// Returns how long a tool is in a list, in bytes: as its upstream wrote it, under the name that it has here.
fn bytes(entry: &Arc<Entry>) -> usize {
    let raw = entry.definition().raw().map_or(0, |raw| raw.get().len());
    (raw + entry.exposed().len()).saturating_sub(entry.identity().name().len())
}
