//! Numbers as instruments of OpenTelemetry: the same names, kinds, labels and buckets as over Prometheus.
//!
//! A record costs a look-up of its labels in the table of its metric, under a lock for reading.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata,
    SharedString, Unit,
};
use oncue_gateway::telemetry::{Kind, METRICS, Metric};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{self as otel, Meter};

/// A recorder that makes instruments of the metrics of the gateway, and of no others.
pub(super) struct Bridge(pub(super) Meter);

impl metrics::Recorder for Bridge {
    // What a metric means stands in the table.
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        let Some(metric) = known(key) else { return Counter::noop() };
        let builder = self.0.u64_counter(metric.name).with_description(metric.about);
        let counter = Count {
            counter: builder.with_unit(unit(metric)).build(),
            labels: labels(key),
            last: AtomicU64::new(0),
        };
        Counter::from_arc(Arc::new(counter))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        let Some(metric) = known(key) else { return Gauge::noop() };
        let builder = self.0.f64_gauge(metric.name).with_description(metric.about);
        let gauge = Level { gauge: builder.with_unit(unit(metric)).build(), labels: labels(key) };
        Gauge::from_arc(Arc::new(gauge))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        let Some(metric) = known(key) else { return Histogram::noop() };
        let builder = self.0.f64_histogram(metric.name).with_description(metric.about);
        let builder = match metric.kind {
            Kind::Histogram { buckets } => builder.with_boundaries(buckets.to_vec()),
            Kind::Counter | Kind::Gauge => builder,
        };
        let histogram =
            Spread { histogram: builder.with_unit(unit(metric)).build(), labels: labels(key) };
        Histogram::from_arc(Arc::new(histogram))
    }
}

fn known(key: &Key) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.name == key.name())
}

fn unit(metric: &Metric) -> &'static str {
    match metric.unit {
        // The convention for what is counted.
        Unit::Count => "1",
        unit => unit.as_canonical_label(),
    }
}

fn labels(key: &Key) -> Vec<KeyValue> {
    key.labels()
        .map(|label| KeyValue::new(label.key().to_owned(), label.value().to_owned()))
        .collect()
}

struct Count {
    counter: otel::Counter<u64>,
    labels: Vec<KeyValue>,
    last: AtomicU64,
}

impl CounterFn for Count {
    fn increment(&self, value: u64) {
        self.counter.add(value, &self.labels);
    }

    fn absolute(&self, value: u64) {
        let last = self.last.fetch_max(value, Ordering::Relaxed);
        self.counter.add(value.saturating_sub(last), &self.labels);
    }
}

struct Level {
    gauge: otel::Gauge<f64>,
    labels: Vec<KeyValue>,
}

impl GaugeFn for Level {
    // Gauges of the gateway are looked up and set, never moved.
    fn increment(&self, _: f64) {}

    fn decrement(&self, _: f64) {}

    fn set(&self, value: f64) {
        self.gauge.record(value, &self.labels);
    }
}

struct Spread {
    histogram: otel::Histogram<f64>,
    labels: Vec<KeyValue>,
}

impl HistogramFn for Spread {
    fn record(&self, value: f64) {
        self.histogram.record(value, &self.labels);
    }
}
