//! What a call knows about where it runs.

use crate::Grants;

/// The typed context of one call; lives as long as the call.
#[derive(Clone, Copy, Debug)]
pub struct CallContext<'a> {
    /// What the caller may do.
    grants: &'a Grants,
}

impl<'a> CallContext<'a> {
    /// The context of a call by the holder of `grants`.
    #[must_use]
    pub fn new(grants: &'a Grants) -> Self {
        Self { grants }
    }

    /// Returns what the caller may do.
    #[must_use]
    pub fn grants(&self) -> &'a Grants {
        self.grants
    }
}
