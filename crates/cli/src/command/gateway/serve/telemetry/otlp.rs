//! Traces and metrics to a collector, by OTLP over HTTP.
//!
//! Spans wait in a bounded queue for a thread that sends them, metrics are added up and sent by another; a request waits for neither, and what does not fit is dropped.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use oncue_gateway::outgoing;
use oncue_gateway::telemetry::TARGET;
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response, ResponseBodyTooLarge};
use opentelemetry_otlp::{
    MetricExporter, Protocol, SpanExporter, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::runtime::Handle;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::filter_fn;

use super::bridge::Bridge;
use super::log::Boxed;
use crate::limits::{COLLECTOR_BYTES_MAX, END_TIME_MAX, EXPORT_TIME_MAX};

/// What the gateway is called at the collector.
const NAME: &str = "oncue";

/// What is sent to a collector. Lives as long as the command.
pub(super) struct Otlp {
    traces: SdkTracerProvider,
    metrics: SdkMeterProvider,
}

impl Otlp {
    /// Begins to send to the collector at this address; within a runtime.
    ///
    /// # Errors
    ///
    /// The address is none.
    pub(super) fn start(address: &SecretString) -> anyhow::Result<Self> {
        let base: Url = address.expose_secret().parse().context("it is no address")?;
        let client: Arc<dyn HttpClient> = Arc::new(Sender {
            http: outgoing::client()?,
            runtime: Handle::current(),
            is_away: Arc::default(),
        });
        let resource = Resource::builder()
            .with_service_name(NAME)
            .with_attribute(opentelemetry::KeyValue::new(
                "service.version",
                env!("CARGO_PKG_VERSION"),
            ))
            .build();
        // Errors of the exporters may repeat the address, which may hold a password.
        let unusable = "it is no address that can be sent to";
        let spans = SpanExporter::builder()
            .with_http()
            .with_shared_http_client(Arc::clone(&client))
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(EXPORT_TIME_MAX)
            .with_endpoint(below(&base, "v1/traces"))
            .build();
        let numbers = MetricExporter::builder()
            .with_http()
            .with_shared_http_client(client)
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(EXPORT_TIME_MAX)
            .with_endpoint(below(&base, "v1/metrics"))
            .build();
        let (Ok(spans), Ok(numbers)) = (spans, numbers) else { anyhow::bail!(unusable) };
        Ok(Self {
            traces: SdkTracerProvider::builder()
                .with_resource(resource.clone())
                .with_batch_exporter(spans)
                .build(),
            metrics: SdkMeterProvider::builder()
                .with_resource(resource)
                .with_periodic_exporter(numbers)
                .build(),
        })
    }

    /// Returns where numbers go.
    pub(super) fn recorder(&self) -> Bridge {
        Bridge(self.metrics.meter(NAME))
    }

    /// Returns where spans go. Events go nowhere: they may repeat what servers say.
    pub(super) fn layer(&self) -> Boxed {
        tracing_opentelemetry::layer()
            .with_tracer(self.traces.tracer(NAME))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_target(false)
            .with_level(false)
            .with_filter(filter_fn(|metadata| metadata.is_span() && metadata.target() == TARGET))
            .boxed()
    }

    /// Sends what is left, for a bounded time.
    pub(super) async fn end(self) {
        let Self { traces, metrics } = self;
        // Both wait for their threads, on threads of their own that end with the process.
        let spans = tokio::task::spawn_blocking(move || traces.shutdown_with_timeout(END_TIME_MAX));
        let numbers = tokio::task::spawn_blocking(move || metrics.shutdown());
        let both = async { tokio::join!(spans, numbers) };
        if tokio::time::timeout(END_TIME_MAX, both).await.is_err() {
            tracing::debug!("what was left for the collector is dropped");
        }
    }
}

/// Returns the address of one signal below that of the collector.
fn below(base: &Url, path: &str) -> String {
    let mut url = base.clone();
    url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
    url.to_string()
}

/// Sends from threads that are none of the runtime's. Lives as long as the exporters.
struct Sender {
    http: reqwest::Client,
    runtime: Handle,
    /// The collector did not answer when it was last sent something.
    is_away: Arc<AtomicBool>,
}

impl HttpClient for Sender {
    fn send_bytes<'s, 'f>(
        &'s self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        let (http, is_away) = (self.http.clone(), Arc::clone(&self.is_away));
        let sending = self.runtime.spawn(async move {
            let outcome = send(&http, request).await;
            let was_away = is_away.swap(outcome.is_err(), Ordering::Relaxed);
            match &outcome {
                Err(error) if !was_away => {
                    tracing::warn!(%error, "the collector of `telemetry.otlp` does not answer; what does not fit its queue is dropped");
                }
                Ok(_) if was_away => tracing::info!("the collector of `telemetry.otlp` answers again"),
                _ => {}
            }
            outcome
        });
        Box::pin(async move { sending.await? })
    }
}

async fn send(
    http: &reqwest::Client,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let (head, body) = request.into_parts();
    // The address loses its user and password here, which become a header.
    let request = http.request(head.method, head.uri.to_string()).headers(head.headers);
    let sent = request.timeout(EXPORT_TIME_MAX).body(body).send().await;
    let mut response = sent.map_err(reqwest::Error::without_url)?;
    let mut told = Response::builder().status(response.status());
    if let Some(headers) = told.headers_mut() {
        *headers = std::mem::take(response.headers_mut());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(reqwest::Error::without_url)? {
        if body.len() + chunk.len() > COLLECTOR_BYTES_MAX {
            return Err(Box::new(ResponseBodyTooLarge::new()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(told.body(Bytes::from(body))?)
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender")
    }
}
