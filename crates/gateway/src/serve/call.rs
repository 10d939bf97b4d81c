//! The path of one call: resolve, read, decide, forward. What goes to the upstream is what the client wrote.

use std::sync::Arc;

use oncue_mcp::server::Context;
use oncue_mcp::{CallError, Members, Raw, RpcError, code};
use oncue_tools::{OpenTools, Permitted, Requested, Resolved, ToolError, Unresolved, Verdict};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use tracing::{Instrument as _, Span};

use super::gateway::Gateway;
use super::record::Record;
use super::{results, wording};
use crate::telemetry::{self, CallOutcome};
use crate::upstream::UpstreamError;

impl Gateway {
    /// Calls a tool by its exposed name; `params` is what else the client sent along.
    pub(super) async fn call_tool(
        &self,
        name: &str,
        arguments: Raw,
        params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let request = Span::current();
        let Some(_turn) = self.admit(&context.caller.principal) else {
            self.counts().called_nowhere(CallOutcome::Busy);
            return Err(RpcError::new(
                code::BUSY,
                "Busy: too many calls are running; call again in a moment",
            ));
        };
        let begun = Record::begin(name, &arguments, context);
        let permitted = match self.permitted(name, &arguments, context) {
            Ok(permitted) => permitted,
            Err(refusal) => {
                telemetry::failed(&request, CallOutcome::Refused.name());
                self.audit().record(begun.refused(self, &refusal)).await;
                return error(&refusal.to_string());
            }
        };
        let entry = permitted.call().entry();
        telemetry::note_call(&request, entry.exposed());
        let span = telemetry::calling(entry);
        let outcome = self.forward(&permitted, params, context).instrument(span.clone()).await;
        let came = CallOutcome::of(&outcome, &context.cancel);
        for span in [&request, &span] {
            telemetry::note_outcome(span, came, outcome.as_ref().err());
        }
        drop(span);
        match self.upstream(entry.source()) {
            Some(upstream) => upstream.counts().called(came, begun.elapsed()),
            None => self.counts().called_nowhere(came),
        }
        self.audit().record(begun.called(permitted.call().entry(), &outcome)).await;
        let upstream = permitted.call().entry().source();
        match outcome {
            Ok(result) => Ok(result),
            // What the upstream itself says goes to the client as it is.
            Err(UpstreamError::Call(CallError::Rpc(error))) => Err(error),
            Err(fault) => error(&fault.for_model(upstream)),
        }
    }

    /// Resolves, reads and decides.
    fn permitted(
        &self,
        name: &str,
        arguments: &RawValue,
        context: &Context,
    ) -> Result<Permitted, ToolError> {
        let grants = self.grants(&context.caller.principal);
        let tools = OpenTools::new(self.catalog(), &grants);
        let requested = Requested::new("", name, arguments.get());
        let resolved: Resolved = match requested.resolve(&tools) {
            Ok(resolved) => resolved,
            Err(_) => {
                use oncue_tools::ToolSet;
                return Err(match tools.resolve(name) {
                    Err(unresolved) => ToolError::new(unknown(&unresolved)),
                    Ok(_) => ToolError::new(format!("'{name}' has just come back. Call it again.")),
                });
            }
        };
        match resolved.read()?.decide(&grants)? {
            Verdict::Permitted(permitted) => Ok(permitted),
            Verdict::Asking(asking) => Err(ToolError::new(format!(
                "'{}' needs the consent of a person, and nobody can be asked here. Tell the user; the operator can let it run without asking.",
                asking.call().entry().exposed()
            ))),
        }
    }

    /// Forwards a permitted call to the upstream whose tool it is.
    async fn forward(
        &self,
        permitted: &Permitted,
        params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, UpstreamError> {
        let entry = permitted.call().entry();
        let upstream = self.upstream(entry.source()).ok_or(UpstreamError::Disabled)?;
        let unwritable = |error: serde_json::Error| {
            UpstreamError::Call(CallError::Unwritable(error.to_string()))
        };
        let mut inner = params;
        inner.set("name", &entry.identity().name()).map_err(unwritable)?;
        inner.put("arguments", permitted.call().raw().to_owned());
        let result = self.ask_upstream(&upstream, "tools/call", inner, context).await?;
        match results::fault(&result) {
            None => Ok(result),
            Some(why) => Err(UpstreamError::Call(CallError::Unreadable(why))),
        }
    }
}

/// Returns what a model reads of a name that no tool has.
fn unknown(unresolved: &Unresolved) -> String {
    let name = unresolved.name();
    let near: Vec<&str> = unresolved.near().collect();
    let near = match near.as_slice() {
        [] => String::new(),
        names => format!(" Near names: {}.", names.join(", ")),
    };
    format!(
        "There is no tool '{name}'. Call {}(query='{name}') to find one.{near}",
        wording::SEARCH
    )
}

/// Returns the result that is this text.
pub(super) fn text(text: &str) -> Result<Raw, RpcError> {
    let result = json!({ "content": [{ "type": "text", "text": text }] });
    to_raw_value(&result).map_err(|_| RpcError::internal())
}

/// Returns the result that tells a model what is wrong with its call.
pub(super) fn error(text: &str) -> Result<Raw, RpcError> {
    let result = json!({ "content": [{ "type": "text", "text": text }], "isError": true });
    to_raw_value(&result).map_err(|_| RpcError::internal())
}
