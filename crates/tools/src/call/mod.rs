//! The path of one call, as states that can only be walked in order.
//!
//! [`Requested`] → resolve → [`Resolved`] → read → [`Checked`] → decide → [`Permitted`] → run → [`Finished`].
//! Nothing runs but a [`Permitted`], and nothing but a decision makes one. [`Step`] walks the path for all calls of a step.

mod hooks;
mod isolate;
mod join;
mod step;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use hooks::{Before, Hook, HookError, Outcome};
pub use isolate::{Panic, caught};
pub use step::Step;

use crate::{
    Arguments, AskReason, BoxFuture, CallContext, CallId, Cancel, Decision, Entry, Grants,
    SchemaFault, ToolError, ToolSet, decide,
};

/// A call as the model asked for it: nothing is known of it yet.
#[derive(Clone, Debug)]
pub struct Requested {
    id: CallId,
    name: String,
    arguments: String,
    cancel: Cancel,
    time_allowed: Option<Duration>,
}

impl Requested {
    /// The call `id` of the tool that the model calls `name`, with the text of its arguments.
    #[must_use]
    pub fn new(
        id: impl Into<Box<str>>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            id: CallId::new(id),
            name: name.into(),
            arguments: arguments.into(),
            cancel: Cancel::default(),
            time_allowed: None,
        }
    }

    /// Returns the call with a handle that calls it off.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// Returns the call with the time that it may take from its start.
    ///
    /// The tool reads it; whoever owns a clock enforces it by firing [`Cancellation::Deadline`](crate::Cancellation::Deadline).
    #[must_use]
    pub fn with_time_allowed(self, time_allowed: Duration) -> Self {
        Self { time_allowed: Some(time_allowed), ..self }
    }

    /// Returns which call this is.
    #[must_use]
    pub fn id(&self) -> &CallId {
        &self.id
    }

    /// Returns the name as the model wrote it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Finds the tool that the name means now, and pins it: whatever the catalog becomes, this definition is what runs.
    ///
    /// # Errors
    ///
    /// No tool of this name may be called now.
    pub fn resolve(self, tools: &dyn ToolSet) -> Result<Resolved, ToolError> {
        let entry =
            tools.resolve(&self.name).map_err(|unresolved| ToolError::unknown(&unresolved))?;
        Ok(Resolved { request: self, entry })
    }
}

/// A call whose tool is known and pinned.
#[derive(Debug)]
pub struct Resolved {
    request: Requested,
    entry: Arc<Entry>,
}

impl Resolved {
    /// Returns the tool.
    #[must_use]
    pub fn entry(&self) -> &Arc<Entry> {
        &self.entry
    }

    /// Reads the arguments and holds them against what the tool itself objects to, and against its schema.
    ///
    /// # Errors
    ///
    /// They do not fit; the error names the fix.
    pub fn read(self) -> Result<Checked, ToolError> {
        let (definition, name) = (self.entry.definition(), self.entry.exposed());
        let arguments = definition.parse_as(name, &self.request.arguments)?;
        Checked::new(self.request.id, self.entry, arguments)
    }
}

/// A call whose arguments fit its tool.
#[derive(Clone, Debug)]
pub struct Checked {
    id: CallId,
    entry: Arc<Entry>,
    arguments: Arguments,
}

impl Checked {
    fn new(id: CallId, entry: Arc<Entry>, arguments: Arguments) -> Result<Self, ToolError> {
        match isolate::caught_at_once(|| entry.tool().objection(&arguments)) {
            Ok(None) => {}
            Ok(Some(objection)) => return Err(objection),
            Err(panic) => return Err(ToolError::panicked(entry.exposed(), panic)),
        }
        entry.definition().check_as(entry.exposed(), &arguments)?;
        Ok(Self { id, entry, arguments })
    }

    /// Returns which call this is.
    #[must_use]
    pub fn id(&self) -> &CallId {
        &self.id
    }

    /// Returns the tool.
    #[must_use]
    pub fn entry(&self) -> &Arc<Entry> {
        &self.entry
    }

    /// Returns the arguments.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Returns the text of the arguments, as the model or a hook wrote it.
    #[must_use]
    pub fn raw(&self) -> &RawValue {
        self.arguments.raw()
    }

    /// Decides whether the call may run.
    ///
    /// # Errors
    ///
    /// It may not.
    pub fn decide(self, grants: &Grants) -> Result<Verdict, ToolError> {
        match decide(self.entry.source(), self.entry.row(), grants, &self.arguments) {
            Decision::Allow => Ok(Verdict::Permitted(Permitted { call: self })),
            Decision::Ask { reason } => Ok(Verdict::Asking(Asking { call: self, reason })),
            Decision::Deny { denial } => Err(ToolError::denied(self.entry.exposed(), denial)),
        }
    }
}

/// What a decision that is no denial gives.
#[derive(Debug)]
pub enum Verdict {
    /// The call may run.
    Permitted(Permitted),
    /// A person has to agree first.
    Asking(Asking),
}

/// A call that waits for a person.
#[derive(Debug)]
pub struct Asking {
    call: Checked,
    reason: AskReason,
}

impl Asking {
    /// Returns the call that would run.
    #[must_use]
    pub fn call(&self) -> &Checked {
        &self.call
    }

    /// Returns why a person has to agree.
    #[must_use]
    pub fn reason(&self) -> &AskReason {
        &self.reason
    }

    /// Takes the person's answer.
    ///
    /// # Errors
    ///
    /// The person does not agree.
    pub fn answered(self, answer: Approval) -> Result<Permitted, ToolError> {
        match answer {
            Approval::Agreed => Ok(Permitted { call: self.call }),
            Approval::Refused(why) => {
                Err(ToolError::refused(self.call.entry.exposed(), why.as_deref()))
            }
            Approval::Later => Err(ToolError::undecided(self.call.entry.exposed())),
        }
    }
}

/// What a person says about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Approval {
    /// It may run, once, with these arguments.
    Agreed,
    /// It may not, and perhaps why; the model reads the text.
    Refused(Option<String>),
    /// Nobody answers now: the call is not run, and is made again when somebody does.
    Later,
}

/// Asks a person. Never a model, and never by way of a tool.
pub trait Approver: Send + Sync {
    /// Asks about one call.
    fn approve<'a>(&'a self, call: &'a Asking) -> BoxFuture<'a, Approval>;
}

/// A call that may run. Only a decision makes one:
///
/// ```compile_fail,E0451
/// fn forge(call: oncue_tools::Checked) -> oncue_tools::Permitted {
///     oncue_tools::Permitted { call }
/// }
/// ```
///
/// and only this state can run:
///
/// ```compile_fail,E0599
/// fn skip(call: oncue_tools::Checked, ctx: &oncue_tools::CallContext<'_>) {
///     let _ = call.run(ctx);
/// }
/// ```
///
/// once:
///
/// ```compile_fail,E0382
/// fn twice(call: oncue_tools::Permitted, ctx: &oncue_tools::CallContext<'_>) {
///     let _ = call.run(ctx);
///     let _ = call.run(ctx);
/// }
/// ```
#[derive(Debug)]
pub struct Permitted {
    call: Checked,
}

impl Permitted {
    /// Returns the call.
    #[must_use]
    pub fn call(&self) -> &Checked {
        &self.call
    }

    /// Returns the call with other arguments, which have to be decided on anew.
    ///
    /// # Errors
    ///
    /// They do not fit the tool.
    pub fn rewritten(self, arguments: Arguments) -> Result<Checked, ToolError> {
        Checked::new(self.call.id, self.call.entry, arguments)
    }

    /// Runs the tool that was pinned when the call was resolved.
    ///
    /// A panic of the tool is the error of this call alone, and so is being called off.
    ///
    /// # Errors
    ///
    /// The tool fails, panics or is called off.
    pub async fn run(self, ctx: &CallContext<'_>) -> Outcome {
        let Checked { entry, arguments, .. } = self.call;
        let name = entry.exposed();
        let running = caught(async { entry.tool().call(ctx, arguments).await });
        match isolate::until(ctx.cancel(), running).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => Err(ToolError::panicked(name, panic)),
            Err(reason) => Err(ToolError::called_off(name, reason)),
        }
    }
}

/// A call that has come to its end, one way or the other.
#[derive(Debug)]
pub struct Finished {
    /// Which call it was.
    pub id: CallId,
    /// The name as the model wrote it.
    pub name: String,
    /// The tool, where the name led to one.
    pub entry: Option<Arc<Entry>>,
    /// What the model reads: a result or an error.
    pub outcome: Outcome,
    /// Why the tool's schema is not enforced, for the operator; told with the first call of the tool only.
    pub schema_fault: Option<SchemaFault>,
}
