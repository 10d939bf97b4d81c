//! Traces that begin at a client and go on at an upstream, as W3C Trace Context names them.

use std::collections::HashMap;

use oncue_gateway::telemetry::{Propagation, TraceParent};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TraceContextExt as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

const PARENT: &str = "traceparent";
const STATE: &str = "tracestate";

/// Joins spans by W3C Trace Context.
#[derive(Default)]
pub(super) struct Joined(TraceContextPropagator);

impl Propagation for Joined {
    fn join(&self, span: &Span, parent: &TraceParent) {
        let mut carrier = HashMap::from([(PARENT.to_owned(), parent.parent.clone())]);
        carrier.extend(parent.state.clone().map(|state| (STATE.to_owned(), state)));
        let context = self.0.extract_with_context(&opentelemetry::Context::new(), &carrier);
        if context.span().span_context().is_valid() {
            // A span that has begun already stays where it is.
            let _ = span.set_parent(context);
        }
    }

    fn carry(&self, span: &Span) -> Option<TraceParent> {
        let mut carrier: HashMap<String, String> = HashMap::new();
        self.0.inject_context(&span.context(), &mut carrier);
        let parent = carrier.remove(PARENT)?;
        let state = carrier.remove(STATE).filter(|state| !state.is_empty());
        Some(TraceParent { parent, state })
    }
}
