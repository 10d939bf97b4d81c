//! What an assembly does before and after each step. What it does around calls is [`Hook`](oncue_tools::Hook).

use oncue_tools::{BoxFuture, HookError};

use crate::Usage;
use crate::conversation::{Conversation, Item};

/// What a hook sees of a step.
#[derive(Clone, Copy, Debug)]
pub struct StepView<'a> {
    /// Which step of the turn, from 1.
    pub step: u32,
    /// What was said so far.
    pub conversation: &'a Conversation,
    /// What the turn's own requests have used.
    pub usage: Usage,
}

/// What a hook wants done before a step. Closed on purpose: each must be acted on.
#[derive(Clone, Debug)]
pub enum BeforeStep {
    /// Go on.
    Proceed,
    /// Go on with this conversation, which the host has made shorter; what was found stays callable as far as the model still sees it.
    Shorten(Vec<Item>),
    /// End the turn, and why.
    Stop(String),
}

/// Sees each step before its request and after its results.
///
/// It takes no part in what the next step may call: that is a function of the catalog and the activation, and a search activates inside its own run.
/// A hook that fails ends the turn.
pub trait StepHook: Send + Sync {
    /// Looks at a step before the model is asked.
    fn before<'a>(&'a self, step: StepView<'a>) -> BoxFuture<'a, Result<BeforeStep, HookError>> {
        let _ = step;
        Box::pin(std::future::ready(Ok(BeforeStep::Proceed)))
    }

    /// Looks at a step after its calls have their results.
    fn after<'a>(&'a self, step: StepView<'a>) -> BoxFuture<'a, Result<(), HookError>> {
        let _ = step;
        Box::pin(std::future::ready(Ok(())))
    }
}
