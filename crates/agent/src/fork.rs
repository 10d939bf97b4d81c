//! A sub-agent as a tool: it works on a task of its own and gives back its answer alone.

use oncue_decl::Row;
use oncue_tools::{
    Activation, BoxFuture, CallContext, Concurrency, Definition, ErrorKind, Output, Tool, ToolError,
};
use serde_json::json;
use serde_json::value::to_raw_value;

use crate::limits::FORK_DEPTH_MAX;
use crate::{Agent, Outcome, TurnEnd};

/// A sub-agent as a tool.
///
/// Its turn starts with nothing found and gives nothing of what it finds back; what it uses counts for the turn that called it.
/// Its grants are those of its agent within the caller's: it reaches no further than who calls it.
/// Nobody can be asked while it works, unless its agent has an approver of its own.
pub struct Fork {
    definition: Definition,
    agent: Agent,
}

impl Fork {
    /// The sub-agent `agent` as a tool of this row; the model gives it a `task`.
    #[must_use]
    pub fn new(row: Row, agent: Agent) -> Self {
        let parameters = json!({
            "type": "object",
            "properties": {
                "task": {
                    "type": "string",
                    "description": "What to do and what to report, whole: the sub-agent knows nothing else of this conversation",
                },
            },
            "required": ["task"],
            "additionalProperties": false,
        });
        let agent = match agent.consent {
            crate::agent::Consent::Waiting => agent.with_nobody_to_ask(),
            _ => agent,
        };
        Self { definition: Definition::new(row, to_raw_value(&parameters).ok()), agent }
    }

    async fn run(&self, ctx: &CallContext<'_>, task: String) -> Result<Output, ToolError> {
        let name = self.definition.name();
        if ctx.depth() >= FORK_DEPTH_MAX {
            return Err(ToolError::of(
                ErrorKind::Budget,
                format!(
                    "Sub-agents stand {FORK_DEPTH_MAX} deep already. Do the task yourself, without {name}."
                ),
            ));
        }
        let activation = match ctx.registry() {
            Some(registry) => registry.activation().fork(),
            None => Activation::turn(),
        };
        let mut session =
            self.agent.fork_session(activation, ctx.grants()).with_cancel(ctx.cancel().clone());
        let end = session.turn(task).await;
        if ctx.registry().is_none()
            && let Some(meter) = ctx.meter()
        {
            meter.add_tokens(session.activation().meter().tokens());
        }
        let failed = |why: String| {
            ToolError::new(format!(
                "The sub-agent did not finish: {why}. Do the task in smaller pieces, or tell the user."
            ))
        };
        match end {
            Ok(TurnEnd::Ended(Outcome::Answered { text })) => Ok(text.into()),
            Ok(TurnEnd::Ended(Outcome::Failed { kind, message })) => {
                Err(failed("its model could not be asked".to_owned())
                    .with_cause(format!("{kind}: {message}")))
            }
            Ok(TurnEnd::Ended(outcome)) => Err(failed(outcome.to_string())),
            Ok(TurnEnd::Waiting(_)) => Err(failed("it needs a person's consent".to_owned())),
            Err(error) => Err(failed("it was put together wrongly".to_owned()).with_cause(error)),
        }
    }
}

impl Tool for Fork {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Beside others: each fork has an activation of its own.
    fn concurrency(&self) -> Concurrency {
        Concurrency::Parallel
    }

    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: oncue_tools::Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        let task = arguments.object().get("task").and_then(|task| task.as_str());
        let task = task.unwrap_or_default().to_owned();
        Box::pin(self.run(ctx, task))
    }
}
