//! The spans of a request, and how they join the traces of others.
//!
//! Names and attributes follow OpenTelemetry's conventions for MCP, which are still in development; what those have no word for is under `oncue.`.
//! A span never holds a query, arguments, a result, the text of an error or a secret.
//!
//! Where nobody listens at [`TARGET`], a span costs one atomic read.

use oncue_mcp::server::Context;
use oncue_mcp::{CallError, Members, RpcError};
use oncue_tools::Entry;
use tracing::field::{Empty, display};
use tracing::{Span, info_span};

use super::CallOutcome;
use crate::audit::Digest;
use crate::config::{Mode, Transport};
use crate::upstream::UpstreamError;

/// The target of all spans, by which a subscriber tells them from everything else.
pub const TARGET: &str = "oncue::trace";

/// The names by which W3C Trace Context travels in `_meta` (SEP-414).
const PARENT: &str = "traceparent";
const STATE: &str = "tracestate";

/// Where a trace goes on: W3C Trace Context as its sender wrote it, not looked at yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceParent {
    /// Trace, span and flags.
    pub parent: String,
    /// What vendors add; absent where there is nothing.
    pub state: Option<String>,
}

/// Joins spans to the traces of others. What it cannot read it leaves alone.
pub trait Propagation: Send + Sync + 'static {
    /// Makes a span that nobody has entered yet a child of the one that a client names.
    fn join(&self, span: &Span, parent: &TraceParent);

    /// Returns what names a span to an upstream; nothing where it is in no trace.
    fn carry(&self, span: &Span) -> Option<TraceParent>;
}

impl TraceParent {
    /// Returns what the `_meta` of a request says of its sender's trace.
    pub(crate) fn of(params: &Members) -> Option<Self> {
        let meta = params.get("_meta")?;
        if !meta.get().contains(PARENT) {
            return None;
        }
        let meta = Members::of(Some(meta)).ok()?;
        Some(Self { parent: meta.read(PARENT)?, state: meta.read(STATE) })
    }

    /// Puts it in the place of whatever `meta` says.
    pub(crate) fn put(&self, meta: &mut Members) -> Result<(), serde_json::Error> {
        meta.take(STATE);
        meta.set(PARENT, &self.parent)?;
        match &self.state {
            Some(state) => meta.set(STATE, state),
            None => Ok(()),
        }
    }
}

/// The span of a request of a client.
pub(crate) fn requested(method: &str, context: &Context, mode: impl FnOnce() -> Mode) -> Span {
    let caller = &context.caller;
    let method = known(method);
    let span = info_span!(
        target: TARGET, "request",
        otel.name = method,
        otel.kind = "server",
        otel.status_code = Empty,
        mcp.method.name = method,
        mcp.protocol.version = caller.version.as_str(),
        mcp.session.id = Empty,
        gen_ai.operation.name = Empty,
        gen_ai.tool.name = Empty,
        "error.type" = Empty,
        rpc.response.status_code = Empty,
        oncue.mode = mode().name(),
        oncue.client.name = caller.client.name.as_deref().map(shortened),
    );
    if let (Some(session), false) = (&context.session, span.is_disabled()) {
        // The id opens the session to whoever knows it, so that its digest goes out in its place.
        let digest = Digest::of(session.id().as_bytes()).to_string();
        span.record("mcp.session.id", digest.get(..SESSION_DIGITS).unwrap_or_default());
    }
    span
}

/// Returns the method where the protocol has it: what a client makes up does not go out.
fn known(method: &str) -> &str {
    match method {
        "tools/list"
        | "tools/call"
        | "resources/list"
        | "resources/templates/list"
        | "resources/read"
        | "resources/subscribe"
        | "resources/unsubscribe"
        | "prompts/list"
        | "prompts/get"
        | "completion/complete"
        | "logging/setLevel" => method,
        _ => "_OTHER",
    }
}

/// Digits of the digest of a session's id that tell sessions apart.
const SESSION_DIGITS: usize = 16;

/// Longest name of a client that goes out, in characters; nobody vouches for what it says.
const CLIENT_CHARS: usize = 64;

fn shortened(name: &str) -> &str {
    name.char_indices().nth(CLIENT_CHARS).and_then(|(at, _)| name.get(..at)).unwrap_or(name)
}

/// Notes at the span of a request which tool it is about. The name is one that there is, never what a client made up.
pub(crate) fn note_call(span: &Span, tool: &str) {
    if span.is_disabled() {
        return;
    }
    span.record("gen_ai.operation.name", "execute_tool");
    span.record("gen_ai.tool.name", tool);
}

/// Notes at the span of a request what came of it.
pub(crate) fn note_error(span: &Span, error: &RpcError) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", display(error.code));
    span.record("rpc.response.status_code", display(error.code));
}

/// The span of a search; of the query its length alone goes out.
pub(crate) fn searching(query: &str) -> Span {
    info_span!(
        target: TARGET, "search",
        otel.kind = "internal",
        oncue.search.query_chars = query.chars().count(),
        oncue.search.hits = Empty,
        oncue.search.outcome = Empty,
    )
}

/// The span of a call as its upstream sees it.
pub(crate) fn calling(entry: &Entry) -> Span {
    let name = entry.identity().name();
    info_span!(
        target: TARGET, "call",
        otel.name = %format_args!("tools/call {name}"),
        otel.kind = "client",
        otel.status_code = Empty,
        mcp.method.name = "tools/call",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = name,
        "error.type" = Empty,
        oncue.upstream = entry.source(),
        oncue.call.outcome = Empty,
    )
}

/// The span of a start of an upstream.
pub(crate) fn opening(id: &str, transport: &Transport) -> Span {
    info_span!(
        target: TARGET, "upstream start",
        otel.kind = "client",
        otel.status_code = Empty,
        "error.type" = Empty,
        oncue.upstream = id,
        network.transport = match transport {
            Transport::Stdio(_) => "pipe",
            Transport::Http(_) => "tcp",
        },
    )
}

/// Notes at a span that it failed, and how.
pub(crate) fn failed(span: &Span, kind: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", kind);
}

/// Notes at the span of a call what came of it.
pub(crate) fn note_outcome(span: &Span, outcome: CallOutcome, error: Option<&UpstreamError>) {
    span.record("oncue.call.outcome", outcome.name());
    match (outcome, error) {
        (CallOutcome::ToolError, _) => failed(span, "tool_error"),
        (_, Some(error)) => failed(span, &kind_of(error)),
        (_, None) => {}
    }
}

/// Returns the kind of a fault, in one word or as the code of the upstream's error.
pub(crate) fn kind_of(error: &UpstreamError) -> String {
    let word = match error {
        UpstreamError::Disabled => "disabled",
        UpstreamError::BackingOff { .. } => "backing_off",
        UpstreamError::Broken { .. } => "broken",
        UpstreamError::Launch { .. } => "missing_variable",
        UpstreamError::Spawn { .. } => "spawn",
        UpstreamError::Setup(_) => "setup",
        UpstreamError::Open { .. } => "open",
        UpstreamError::Busy { .. } => "busy",
        UpstreamError::Call(CallError::Rpc(error)) => return error.code.to_string(),
        UpstreamError::Call(CallError::TimedOut { .. }) => "timeout",
        UpstreamError::Call(CallError::TooLong { .. }) => "too_long",
        UpstreamError::Call(CallError::Transport(_)) => "transport",
        UpstreamError::Call(_) => "unreadable",
    };
    word.to_owned()
}
