//! What a gateway that is served tells to the outside: numbers, spans, a log.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Telemetry`]: what of it is on |
//! | `log` | the log on standard error, and where spans go |
//! | `scrape` | `/metrics` |
//! | `otlp` | traces and metrics to a collector, with the feature `otlp` |
//! | `bridge` | numbers as instruments of OpenTelemetry |
//! | `joined` | traces that begin at a client and go on at an upstream |

#[cfg(feature = "otlp")]
mod bridge;
#[cfg(feature = "otlp")]
mod joined;
mod log;
#[cfg(feature = "otlp")]
mod otlp;
mod scrape;

use std::convert::Infallible;
use std::io::Write;
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use oncue_gateway::config;
use oncue_gateway::serve::Gateway;
use oncue_gateway::telemetry::{State, describe};
use tracing_subscriber::EnvFilter;

pub(super) use self::scrape::router;
use crate::args::LogFormat;
use crate::failure::Failure;
use crate::limits::{STATE_TIME, UPKEEP_TIME};

/// What is told to the outside. Lives as long as the command.
pub(super) struct Telemetry {
    /// What `/metrics` reads; absent where it is not served.
    prometheus: Option<PrometheusHandle>,
    #[cfg(feature = "otlp")]
    otlp: Option<otlp::Otlp>,
    state: Arc<State>,
}

impl Telemetry {
    /// Begins to tell what the settings want told; within a runtime and before the gateway starts, which looks its counts up once.
    ///
    /// What cannot be told is said on `err` and costs the gateway nothing else.
    ///
    /// # Errors
    ///
    /// Numbers cannot be counted, or nothing can be written on `err`.
    pub(super) fn start(
        settings: &config::Telemetry,
        is_over_http: bool,
        (filter, format): (EnvFilter, LogFormat),
        err: &mut dyn Write,
    ) -> Result<Self, Failure> {
        let mut recorders = Vec::new();
        let prometheus = match (settings.has_prometheus, is_over_http) {
            (true, true) => {
                let recorder = scrape::recorder().map_err(Failure::input)?;
                let handle = recorder.handle();
                recorders.push(Recorder::Prometheus(recorder));
                Some(handle)
            }
            (true, false) => {
                writeln!(
                    err,
                    "warning: `telemetry.prometheus` tells nothing over standard input and output; it needs `http.bind` or `--http`"
                )?;
                None
            }
            (false, _) => None,
        };
        #[cfg(feature = "otlp")]
        let otlp = match settings.otlp.as_ref().map(open).transpose() {
            Ok(otlp) => otlp,
            Err(why) => {
                writeln!(err, "warning: nothing is sent to `telemetry.otlp`: {why}")?;
                None
            }
        };
        #[cfg(feature = "otlp")]
        recorders.extend(otlp.as_ref().map(|otlp| Recorder::Otlp(otlp.recorder())));
        #[cfg(not(feature = "otlp"))]
        if settings.otlp.is_some() {
            let why = "this program was built without the feature `otlp`";
            writeln!(err, "warning: nothing is sent to `telemetry.otlp`: {why}")?;
        }
        install(recorders);
        #[cfg(feature = "otlp")]
        let spans = otlp.as_ref().map(otlp::Otlp::layer);
        #[cfg(not(feature = "otlp"))]
        let spans = None;
        log::start(filter, format, spans);
        Ok(Self {
            prometheus,
            #[cfg(feature = "otlp")]
            otlp,
            state: Arc::default(),
        })
    }

    /// Returns what `/metrics` is rendered from, where it is served.
    pub(super) fn scraped(&self) -> Option<(PrometheusHandle, Arc<State>)> {
        self.prometheus.clone().map(|handle| (handle, Arc::clone(&self.state)))
    }

    /// Joins the gateway's spans to the traces of clients and upstreams, where spans go anywhere.
    pub(super) fn join(&self, gateway: &Gateway) {
        #[cfg(feature = "otlp")]
        if self.otlp.is_some() {
            gateway.propagate(joined::Joined::default());
        }
        #[cfg(not(feature = "otlp"))]
        let _ = gateway;
    }

    /// Does what recorders need done from time to time, until it is dropped.
    pub(super) async fn keep(&self, gateway: &Gateway) -> Infallible {
        let mut upkeep = tokio::time::interval(UPKEEP_TIME);
        let mut look = tokio::time::interval(STATE_TIME);
        loop {
            tokio::select! {
                _ = upkeep.tick() => {
                    if let Some(handle) = &self.prometheus {
                        handle.run_upkeep();
                    }
                }
                _ = look.tick() => self.look(gateway).await,
            }
        }
    }

    /// Sets the gauges for those who are sent them without asking.
    pub(super) async fn look(&self, gateway: &Gateway) {
        #[cfg(feature = "otlp")]
        if self.otlp.is_some() {
            let (state, gateway) = (Arc::clone(&self.state), gateway.clone());
            // A look that fails is made again.
            let _ = tokio::task::spawn_blocking(move || state.set(&gateway)).await;
        }
        #[cfg(not(feature = "otlp"))]
        let _ = gateway;
    }

    /// Sends what is left, for a bounded time.
    pub(super) async fn end(self) {
        #[cfg(feature = "otlp")]
        if let Some(otlp) = self.otlp {
            otlp.end().await;
        }
    }
}

/// Where numbers go.
enum Recorder {
    Prometheus(metrics_exporter_prometheus::PrometheusRecorder),
    #[cfg(feature = "otlp")]
    Otlp(bridge::Bridge),
}

/// Makes the recorders those of the program.
fn install(recorders: Vec<Recorder>) {
    let mut recorders = recorders.into_iter();
    // A second recorder in one process is that of a test.
    let _ = match (recorders.next(), recorders.next()) {
        (None, _) => return,
        (Some(Recorder::Prometheus(one)), None) => metrics::set_global_recorder(one).is_ok(),
        #[cfg(feature = "otlp")]
        (Some(Recorder::Otlp(one)), _) => metrics::set_global_recorder(one).is_ok(),
        #[cfg(feature = "otlp")]
        (Some(Recorder::Prometheus(one)), Some(Recorder::Otlp(other))) => {
            let both = metrics_util::layers::FanoutBuilder::default();
            let both = both.add_recorder(one).add_recorder(other).build();
            metrics::set_global_recorder(both).is_ok()
        }
        (Some(Recorder::Prometheus(one)), Some(Recorder::Prometheus(_))) => {
            metrics::set_global_recorder(one).is_ok()
        }
    };
    describe();
}

#[cfg(feature = "otlp")]
fn open(address: &config::Template) -> anyhow::Result<otlp::Otlp> {
    let address = address.resolve(&config::Environment::of_process())?;
    otlp::Otlp::start(&address)
}
