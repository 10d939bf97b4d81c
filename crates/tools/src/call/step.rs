//! All calls of one step, in an order that lets a search serve its siblings.

use std::sync::Arc;

use super::isolate::{caught, caught_at_once, until};
use super::join::join;
use super::{Approver, Finished, Hook, Outcome, Permitted, Requested, Resolved, Verdict, hooks};
use crate::limits::CALLS_PER_STEP_MAX;
use crate::{
    BoxFuture, CallContext, CallId, Checked, Concurrency, Meter, Progress, ToolError, ToolSet,
};

/// What the calls of one step run in. Lives one step and borrows everything.
///
/// Calls of the search tool run first, whatever their place; then the others in call order, those that may overlap beside each other.
/// Each call has its own result: what fails, panics or is refused leaves its siblings alone.
///
/// ```
/// use std::sync::Arc;
///
/// use oncue_decl::{Row, Tier};
/// use oncue_tools::{Grants, NoArguments, Output, PlainTools, Requested, Step, tool};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let row = Row::inline("now", "Tells the time").with_tier(Tier::Silent);
/// let now = tool(row, async |_, _: NoArguments| Ok("noon"));
/// let tools = PlainTools::new(vec![Arc::new(now)], &Grants::local());
///
/// let calls = vec![Requested::new("1", "now", "{}"), Requested::new("2", "then", "{}")];
/// let finished = Step::new(&tools).run(calls).await;
/// assert_eq!(finished[0].outcome.as_ref().unwrap(), &Output::from("noon"));
/// assert_eq!(
///     finished[1].outcome.as_ref().unwrap_err().to_string(),
///     "Tool 'then' does not exist. Use one of: now"
/// );
/// # });
/// ```
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// What may be called, by whom.
    tools: &'a dyn ToolSet,
    /// What happens around each call.
    hooks: &'a [Arc<dyn Hook>],
    /// Who asks a person; where nobody does, what has to be asked is refused.
    approver: Option<&'a dyn Approver>,
    /// Where reports of running calls go.
    progress: Option<&'a dyn Progress>,
    /// What the turn has used, and how many turns stand above it.
    turn: Option<(&'a Arc<Meter>, u32)>,
}

impl<'a> Step<'a> {
    /// A step with these tools, without hooks, and with nobody to ask or to listen.
    #[must_use]
    pub fn new(tools: &'a dyn ToolSet) -> Self {
        Self { tools, hooks: &[], approver: None, progress: None, turn: None }
    }

    /// Returns the step with hooks around each call.
    #[must_use]
    pub fn with_hooks(self, hooks: &'a [Arc<dyn Hook>]) -> Self {
        Self { hooks, ..self }
    }

    /// Returns the step with somebody who asks a person.
    #[must_use]
    pub fn with_approver(self, approver: &'a dyn Approver) -> Self {
        Self { approver: Some(approver), ..self }
    }

    /// Returns the step with somebody who listens to reports.
    #[must_use]
    pub fn with_progress(self, progress: &'a dyn Progress) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Returns the step of a turn without an activation: what it has used so far, and how many turns stand above it.
    #[must_use]
    pub fn with_turn(self, meter: &'a Arc<Meter>, depth: u32) -> Self {
        Self { turn: Some((meter, depth)), ..self }
    }

    /// Runs one call.
    pub async fn call(&self, call: Requested) -> Finished {
        match self.resolved(call) {
            Ok(resolved) => self.walk(resolved).await,
            Err(unknown) => *unknown,
        }
    }

    /// Runs the calls of the step and returns what came of them, in call order.
    pub async fn run(&self, calls: Vec<Requested>) -> Vec<Finished> {
        let mut finished: Vec<Option<Finished>> = calls.iter().map(|_| None).collect();
        let mut later = Vec::new();
        for (at, call) in calls.into_iter().enumerate() {
            if at >= CALLS_PER_STEP_MAX {
                let error = ToolError::too_many_calls(call.name());
                put(&mut finished, at, failed(call.id, call.name, error));
            } else if self.is_search(&call) {
                put(&mut finished, at, self.call(call).await);
            } else {
                later.push((at, call));
            }
        }
        for (at, done) in self.others(later).await {
            put(&mut finished, at, done);
        }
        finished.into_iter().flatten().collect()
    }

    /// Runs the calls that are not of the search tool; their names are looked up only now, when it has run.
    async fn others(&self, calls: Vec<(usize, Requested)>) -> Vec<(usize, Finished)> {
        let mut finished = Vec::new();
        let mut beside: Vec<BoxFuture<'_, (usize, Finished)>> = Vec::new();
        for (at, call) in calls {
            let resolved = match self.resolved(call) {
                Ok(resolved) => resolved,
                Err(unknown) => {
                    finished.push((at, *unknown));
                    continue;
                }
            };
            let tool = Arc::clone(resolved.entry());
            let concurrency = caught_at_once(|| tool.tool().concurrency());
            let running = Box::pin(async move { (at, self.walk(resolved).await) });
            match concurrency.unwrap_or(Concurrency::Sequential) {
                Concurrency::Parallel => beside.push(running),
                Concurrency::Sequential => {
                    finished.extend(join(std::mem::take(&mut beside)).await);
                    finished.push(running.await);
                }
            }
        }
        finished.extend(join(beside).await);
        finished
    }

    /// A list without search has nothing to do first.
    fn is_search(&self, call: &Requested) -> bool {
        self.tools.registry().is_some_and(|registry| registry.is_search_tool(call.name()))
    }

    fn resolved(&self, call: Requested) -> Result<Resolved, Box<Finished>> {
        let (id, name) = (call.id.clone(), call.name.clone());
        call.resolve(self.tools).map_err(|error| Box::new(failed(id, name, error)))
    }

    /// Walks the rest of the path.
    async fn walk(&self, resolved: Resolved) -> Finished {
        let entry = Arc::clone(resolved.entry());
        let (id, name) = (resolved.request.id.clone(), resolved.request.name.clone());
        let ctx = self.context(&resolved.request);
        let outcome = match resolved.read() {
            Ok(checked) => self.checked(checked, &ctx).await,
            Err(error) => Err(error),
        };
        let schema_fault = entry.definition().unreported_fault().cloned();
        Finished { id, name, entry: Some(entry), outcome, schema_fault }
    }

    async fn checked(&self, call: Checked, ctx: &CallContext<'_>) -> Outcome {
        let name = Arc::clone(call.entry());
        let admitted = until(ctx.cancel(), self.admitted(call)).await;
        let permitted =
            admitted.map_err(|reason| ToolError::not_begun(name.exposed(), reason))??;
        if self.hooks.is_empty() {
            return permitted.run(ctx).await;
        }
        let mut call = permitted.call().clone();
        let mut passed = 0;
        let hooked = self.hooked(permitted, ctx, &mut call, &mut passed);
        let mut outcome = match until(ctx.cancel(), hooked).await {
            Ok(Ok(permitted)) => permitted.run(ctx).await,
            Ok(Err(error)) => Err(error),
            Err(reason) => Err(ToolError::not_begun(name.exposed(), reason)),
        };
        hooks::after(self.hooks.get(..passed).unwrap_or_default(), &call, &mut outcome).await;
        outcome
    }

    /// Decides, and asks where it must be asked.
    async fn admitted(&self, call: Checked) -> Result<Permitted, ToolError> {
        let asking = match call.decide(self.tools.grants())? {
            Verdict::Permitted(permitted) => return Ok(permitted),
            Verdict::Asking(asking) => asking,
        };
        let name = Arc::clone(asking.call().entry());
        let Some(approver) = self.approver else {
            return Err(ToolError::nobody_to_ask(name.exposed(), asking.reason()));
        };
        let answer = caught(async { approver.approve(&asking).await }).await;
        match answer {
            Ok(answer) => asking.answered(answer),
            Err(panic) => Err(ToolError::hook_failed(name.exposed()).with_cause(panic)),
        }
    }

    /// Asks the hooks; counts those that let the call go on and keeps the call as the last of them left it.
    async fn hooked(
        &self,
        mut permitted: Permitted,
        ctx: &CallContext<'_>,
        call: &mut Checked,
        passed: &mut usize,
    ) -> Result<Permitted, ToolError> {
        for hook in self.hooks {
            if let Some(arguments) = hooks::before(&**hook, permitted.call(), ctx).await? {
                permitted = self.admitted(permitted.rewritten(arguments)?).await?;
                *call = permitted.call().clone();
            }
            *passed += 1;
        }
        Ok(permitted)
    }

    fn context(&self, request: &Requested) -> CallContext<'a> {
        let mut ctx = CallContext::new(self.tools.grants())
            .with_id(request.id.clone())
            .with_cancel(request.cancel.clone());
        if let Some(registry) = self.tools.registry() {
            let activation = registry.activation();
            ctx = ctx.with_registry(registry).with_turn(activation.meter(), activation.depth());
        }
        if let Some((meter, depth)) = self.turn {
            ctx = ctx.with_turn(meter, depth);
        }
        if let Some(progress) = self.progress {
            ctx = ctx.with_progress(progress);
        }
        match request.time_allowed {
            Some(time_allowed) => ctx.with_time_allowed(time_allowed),
            None => ctx,
        }
    }
}

fn failed(id: CallId, name: String, error: ToolError) -> Finished {
    Finished { id, name, entry: None, outcome: Err(error), schema_fault: None }
}

fn put(finished: &mut [Option<Finished>], at: usize, done: Finished) {
    if let Some(slot) = finished.get_mut(at) {
        *slot = Some(done);
    }
}
