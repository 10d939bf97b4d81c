//! The bounds of what a target may take.

use std::time::Duration;

/// The longest time that one input may take, per tool in it.
pub(crate) const TIME_PER_TOOL_MAX: Duration = Duration::from_millis(5);

/// How often a slow input is tried again before it counts: another process may have had the core.
pub(crate) const TRIES_MAX: u32 = 5;
