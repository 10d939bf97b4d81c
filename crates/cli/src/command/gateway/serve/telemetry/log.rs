//! The log on standard error, and where spans go.

use std::io;

use oncue_gateway::telemetry::TARGET;
use tracing_subscriber::filter::{FilterExt as _, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

use crate::args::LogFormat;

/// Somewhere that events or spans go.
pub(super) type Boxed = Box<dyn Layer<Registry> + Send + Sync>;

/// Begins the log; what `spans` is given is told nowhere else.
pub(super) fn start(filter: EnvFilter, format: LogFormat, spans: Option<Boxed>) {
    let filter = filter.and(filter_fn(|metadata| metadata.target() != TARGET));
    let has_color = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
    let told = fmt::layer().with_writer(io::stderr);
    let told: Boxed = match format {
        LogFormat::Text => told.with_ansi(has_color).with_filter(filter).boxed(),
        LogFormat::Json => {
            told.json().flatten_event(true).with_ansi(false).with_filter(filter).boxed()
        }
    };
    let mut layers = vec![told];
    layers.extend(spans);
    // A second subscriber in one process is that of a test.
    let _ = Registry::default().with(layers).try_init();
}
