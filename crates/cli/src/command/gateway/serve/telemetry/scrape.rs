//! `/metrics`: the numbers for whoever comes to read them, behind the same door as everything else.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract;
use axum::http::{HeaderValue, Method, Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use metrics_exporter_prometheus::{
    BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};
use oncue_gateway::serve::Gateway;
use oncue_gateway::telemetry::{Kind, METRICS, State};
use oncue_mcp::server::HttpEndpoint;

/// Where the numbers are.
const PATH: &str = "/metrics";

/// The form in which they are told.
const FORM: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// What somebody reads who may not.
const FORBIDDEN: &str = "these numbers are of all upstreams: they are for the local user, and for tokens that nothing is kept from (`scope = \"write\"`, and a grant without `upstreams`, `tools` and `denied`)";

/// Returns what counts, with the buckets of each histogram.
///
/// # Errors
///
/// A histogram has no buckets.
pub(super) fn recorder() -> Result<PrometheusRecorder, BuildError> {
    let mut builder = PrometheusBuilder::new();
    for metric in METRICS {
        if let Kind::Histogram { buckets } = metric.kind {
            let matcher = Matcher::Full(metric.name.to_owned());
            builder = builder.set_buckets_for_metric(matcher, buckets)?;
        }
    }
    Ok(builder.build_recorder())
}

/// Everything that a reading needs.
#[derive(Clone)]
struct Scrape {
    endpoint: HttpEndpoint,
    gateway: Gateway,
    handle: PrometheusHandle,
    state: Arc<State>,
}

/// Returns what serves the numbers of `gateway` to those whom `endpoint` admits.
pub(in crate::command::gateway::serve) fn router(
    endpoint: HttpEndpoint,
    gateway: Gateway,
    (handle, state): (PrometheusHandle, Arc<State>),
) -> Router {
    let any =
        axum::routing::any(|extract::State(it): extract::State<Scrape>, request| async move {
            it.answer(request).await
        });
    Router::new().route(PATH, any).with_state(Scrape { endpoint, gateway, handle, state })
}

impl Scrape {
    async fn answer(self, request: Request<Body>) -> Response {
        let (head, _) = request.into_parts();
        match self.endpoint.admit(&head) {
            Err(refusal) => return refusal.response(),
            Ok(principal) if !self.gateway.may_watch(&principal) => {
                return (StatusCode::FORBIDDEN, FORBIDDEN).into_response();
            }
            Ok(_) => {}
        }
        if !matches!(head.method, Method::GET | Method::HEAD) {
            let allow = [(header::ALLOW, "GET, HEAD")];
            return (StatusCode::METHOD_NOT_ALLOWED, allow, "numbers are read with GET")
                .into_response();
        }
        let rendered = tokio::task::spawn_blocking(move || {
            self.state.set(&self.gateway);
            self.handle.render()
        });
        match rendered.await {
            Ok(text) => ([(header::CONTENT_TYPE, FORM)], text).into_response(),
            Err(error) => {
                tracing::error!(%error, "the numbers could not be rendered");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}
