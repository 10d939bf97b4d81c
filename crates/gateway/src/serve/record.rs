//! What is recorded of a call, and told to the operator. What a client may not know is recorded as what it is.

use std::time::{Duration, Instant, SystemTime};

use oncue_mcp::server::Context;
use oncue_mcp::{CallError, Raw};
use oncue_tools::{Arguments, Decision, Entry, ErrorKind, ToolError, decide};
use serde_json::value::RawValue;

use super::gateway::Gateway;
use crate::audit::{self, Call, Digest, Event, Outcome};
use crate::telemetry::CallOutcome;
use crate::upstream::UpstreamError;

/// A call from its beginning on. Lives as long as the call.
pub(super) struct Record<'c> {
    at: SystemTime,
    begun: Instant,
    name: &'c str,
    arguments: &'c RawValue,
    context: &'c Context,
}

impl<'c> Record<'c> {
    pub(super) fn begin(name: &'c str, arguments: &'c RawValue, context: &'c Context) -> Self {
        Self { at: SystemTime::now(), begun: Instant::now(), name, arguments, context }
    }

    /// Returns how long ago it began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The call was refused before it reached an upstream.
    pub(super) fn refused(self, gateway: &Gateway, refusal: &ToolError) -> audit::Entry {
        let principal = &self.context.caller.principal;
        tracing::info!(tool = self.name, ?principal, why = %refusal.operator(), "a call is refused");
        let entry = gateway.catalog().snapshot().find_by_name(self.name);
        let denial = entry.as_deref().and_then(|entry| {
            let grants = gateway.grants(principal);
            let arguments = Arguments::parse(self.arguments.get()).unwrap_or_default();
            match decide(entry.source(), entry.row(), &grants, &arguments) {
                Decision::Deny { denial } => Some(Outcome::denied(&denial)),
                Decision::Ask { .. } | Decision::Allow => None,
            }
        });
        if let Some(Outcome::Denied(why)) = denial {
            gateway.counts().denied(why);
        }
        match entry.as_deref().and_then(|entry| gateway.upstream(entry.source())) {
            Some(upstream) => upstream.counts().call_over(CallOutcome::Refused),
            None => gateway.counts().called_nowhere(CallOutcome::Refused),
        }
        let outcome = denial.unwrap_or_else(|| {
            Outcome::Failed(match entry {
                None => ErrorKind::UnknownTool,
                Some(_) => refusal.kind(),
            })
        });
        self.entry(entry.as_deref(), outcome, 0)
    }

    /// The call was made, and this came of it.
    pub(super) fn called(
        self,
        entry: &Entry,
        outcome: &Result<Raw, UpstreamError>,
    ) -> audit::Entry {
        let took_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let tool = entry.identity();
        let kind = match outcome {
            Ok(_) => {
                tracing::debug!(%tool, took_ms, "a call is answered");
                Outcome::Done
            }
            Err(error) => {
                tracing::warn!(%tool, took_ms, %error, "a call failed");
                Outcome::Failed(kind(error))
            }
        };
        let bytes_out = outcome.as_ref().map_or(0, |result| result.get().len());
        self.entry(Some(entry), kind, bytes_out)
    }

    fn entry(self, tool: Option<&Entry>, outcome: Outcome, bytes_out: usize) -> audit::Entry {
        let call = Call {
            upstream: tool.map(|it| it.source().to_owned()).unwrap_or_default(),
            tool: tool.map(|it| it.identity().name().to_owned()).unwrap_or_default(),
            exposed: self.name.to_owned(),
            outcome,
            duration: self.begun.elapsed(),
            bytes_in: self.arguments.get().len() as u64,
            bytes_out: bytes_out as u64,
            arguments: Digest::of(self.arguments.get().as_bytes()),
        };
        let principal = self.context.caller.principal.clone();
        audit::Entry { at: self.at, principal, event: Event::Call(call) }
    }
}

fn kind(error: &UpstreamError) -> ErrorKind {
    match error {
        UpstreamError::Call(CallError::TimedOut { .. }) => ErrorKind::TimedOut,
        UpstreamError::Call(CallError::Rpc(_)) => ErrorKind::Failed,
        _ => ErrorKind::Unavailable,
    }
}
