//! What an assembly does before and after each call.

use std::error::Error;
use std::sync::Arc;

use super::Checked;
use super::isolate::caught;
use crate::{Arguments, BoxFuture, CallContext, Identity, Output, ToolError};

/// What a call ends with.
pub type Outcome = Result<Output, ToolError>;

/// What a failing [`Hook`] returns; only the operator sees it.
pub type HookError = Box<dyn Error + Send + Sync>;

/// What a hook wants done with a call. Closed on purpose: each must be acted on.
#[derive(Clone, Debug)]
pub enum Before {
    /// Go on.
    Proceed,
    /// Go on with these arguments; they are checked and decided on as if the model had sent them.
    Rewrite(Arguments),
    /// Do not run it; the model reads the text.
    Deny(String),
}

/// Sees each call before it runs and after it ran, the search tool's like any other's.
///
/// Hooks stand around each other in the order in which they are given: the first one is the first before a call and the last after it.
/// A call that is unknown, has bad arguments or is not permitted reaches no hook.
/// A hook that fails or panics fails closed: before a call the call is denied, after it the result is withheld.
pub trait Hook: Send + Sync {
    /// Looks at a call that may run.
    fn before<'a>(
        &'a self,
        call: &'a Checked,
        ctx: &'a CallContext<'a>,
    ) -> BoxFuture<'a, Result<Before, HookError>> {
        let _ = (call, ctx);
        Box::pin(std::future::ready(Ok(Before::Proceed)))
    }

    /// Hears which tools a search has made callable; they are so already, whatever the hook does and however long it takes.
    fn activated<'a>(
        &'a self,
        search: &'a Checked,
        tools: &'a [Identity],
    ) -> BoxFuture<'a, Result<(), HookError>> {
        let _ = (search, tools);
        Box::pin(std::future::ready(Ok(())))
    }

    /// Looks at what came of a call that this hook let go on, and may change it.
    fn after<'a>(
        &'a self,
        call: &'a Checked,
        outcome: &'a mut Outcome,
    ) -> BoxFuture<'a, Result<(), HookError>> {
        let _ = (call, outcome);
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Asks one hook; `Some` has the arguments that it wants instead.
pub(super) async fn before(
    hook: &dyn Hook,
    call: &Checked,
    ctx: &CallContext<'_>,
) -> Result<Option<Arguments>, ToolError> {
    let name = call.entry().exposed();
    let said = caught(async { hook.before(call, ctx).await }).await;
    match said.map_err(HookError::from).flatten() {
        Ok(Before::Proceed) => Ok(None),
        Ok(Before::Rewrite(arguments)) => Ok(Some(arguments)),
        Ok(Before::Deny(why)) => Err(ToolError::denied_by_hook(name, &why)),
        Err(error) => Err(ToolError::hook_failed(name).with_cause(error)),
    }
}

/// Shows the outcome to the hooks that let the call go on, the last one first.
pub(super) async fn after(hooks: &[Arc<dyn Hook>], call: &Checked, outcome: &mut Outcome) {
    for hook in hooks.iter().rev() {
        let looked = caught(async {
            if let Ok(output) = &*outcome
                && !output.loaded().is_empty()
            {
                hook.activated(call, output.loaded()).await?;
            }
            hook.after(call, outcome).await
        });
        if let Err(error) = looked.await.map_err(HookError::from).flatten() {
            *outcome = Err(ToolError::result_withheld(call.entry().exposed()).with_cause(error));
        }
    }
}
