//! The path of one call: resolve, read, decide, forward. What goes to the upstream is what the client wrote.

use std::sync::Arc;
use std::time::Instant;

use oncue_mcp::server::Context;
use oncue_mcp::{CallError, Members, Raw, RpcError, code};
use oncue_tools::{
    OpenTools, Permitted, Principal, Requested, Resolved, ToolError, ToolSet, Unresolved, Verdict,
};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use tracing::{Instrument as _, Span};

use tokio::time::timeout;

use super::ask::{key, principal};
use super::gateway::Gateway;
use super::kept::Origin;
use super::record::Record;
use super::{results, wording};
use crate::config::Mode;
use crate::limits::{ARRIVAL_TIME_MAX, RESULT_BYTES_DEFAULT};
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
        let mut permitted = self.permitted(name, &arguments, context);
        if permitted.is_err() && self.arrives(name, &context.caller.principal).await {
            permitted = self.permitted(name, &arguments, context);
        }
        let permitted = match permitted {
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
        if came == CallOutcome::Ok {
            self.requests().served(&key(context), entry.identity(), Instant::now());
        }
        self.audit().record(begun.called(permitted.call().entry(), &outcome)).await;
        let upstream = permitted.call().entry().source();
        match outcome {
            Ok(result) => {
                let result = self.with_task(result, upstream, &context.caller.principal)?;
                Ok(self.shortened(result, upstream, context))
            }
            // What the upstream itself says goes to the client as it is.
            Err(UpstreamError::Call(CallError::Rpc(error))) => Err(error),
            Err(fault) => error(&fault.for_model(upstream)),
        }
    }

    /// Returns a result as a model should read it; what is left out of it is kept.
    fn shortened(&self, result: Raw, upstream: &str, context: &Context) -> Raw {
        let bytes_max = self.settings().limits.result_bytes.unwrap_or(RESULT_BYTES_DEFAULT);
        let origin = Origin {
            principal: &principal(&context.caller.principal),
            upstream,
            has_calling_tool: self.mode(context) != Mode::Passthrough,
        };
        self.kept().shorten(result, bytes_max, origin)
    }

    /// Returns what is kept of a long result at an address.
    pub(super) fn kept_text(&self, uri: &str, context: &Context) -> Option<String> {
        let grants = self.grants(&context.caller.principal);
        let whose = principal(&context.caller.principal);
        self.kept().read(uri, &whose, |upstream| grants.may_reach(upstream))
    }

    /// Waits for a tool of this name that is not there, at most a moment, where an upstream that has just been called may be about to list it; says whether it came.
    ///
    /// News of a list trails the result of the call that has changed it.
    async fn arrives(&self, name: &str, principal: &Principal) -> bool {
        let is_there =
            || OpenTools::new(self.catalog(), &self.grants(principal)).resolve(name).is_ok();
        if is_there() || !self.upstreams().iter().any(|upstream| upstream.may_list_more()) {
            return false;
        }
        let mut changed = self.changed();
        let arrives = async { while !is_there() && changed.changed().await.is_ok() {} };
        timeout(ARRIVAL_TIME_MAX, arrives).await.is_ok()
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
                return Err(match tools.resolve(name) {
                    Err(unresolved) => match self.gone().find(name, &grants) {
                        Some(source) => ToolError::new(gone(name, &source)),
                        None => ToolError::new(unknown(&unresolved)),
                    },
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

/// Returns what a model reads of a tool that was there.
fn gone(name: &str, source: &str) -> String {
    format!("'{name}' is no longer offered by {source}. Call {} to find another.", wording::SEARCH)
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
