//! The tokens as they were read last, for as long as their file stays as it is.

use std::sync::{Arc, PoisonError, RwLock};

use oncue_tools::Principal;

use crate::access::token::Token;
use crate::state::Stamp;

/// A token with whom it lets in.
pub(super) struct Row {
    pub(super) token: Token,
    pub(super) principal: Principal,
}

/// What was read last, and at which state of the file. Lives as long as the tokens.
///
/// Length, time and number of a file tell each change that matters: the file grows with every new token and every revocation, whatever the clock does.
#[derive(Default)]
pub(super) struct Held(RwLock<Option<Read>>);

struct Read {
    /// Absent where there was no file.
    stamp: Option<Stamp>,
    rows: Arc<[Row]>,
}

impl Held {
    /// Returns what was read when the file had this stamp; `None` where it has to be read.
    pub(super) fn at(&self, stamp: Option<Stamp>) -> Option<Arc<[Row]>> {
        let held = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let held = held.as_ref().filter(|held| held.stamp == stamp)?;
        Some(Arc::clone(&held.rows))
    }

    /// Holds what was read when the file had this stamp.
    pub(super) fn hold(&self, stamp: Option<Stamp>, tokens: Vec<Token>) -> Arc<[Row]> {
        let row = |token: Token| {
            let principal =
                Principal::External { name: token.principal.clone(), scope: token.scope };
            Row { token, principal }
        };
        let rows: Arc<[Row]> = tokens.into_iter().map(row).collect();
        let mut held = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *held = Some(Read { stamp, rows: Arc::clone(&rows) });
        rows
    }
}
