//! What a call knows about where it runs.

use std::marker::PhantomData;

/// The typed context of one call; lives as long as the call.
#[derive(Debug, Default)]
pub struct CallContext<'a> {
    marker: PhantomData<&'a ()>,
}
