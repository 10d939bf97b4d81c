//! What is looked up when it is asked for: how the gateway is at this moment.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use metrics::gauge;

use super::table::{CALLS_PARKED, CALLS_RUNNING, LIST_TOKENS, SESSIONS, TOOLS, UPSTREAMS};
use crate::serve::Gateway;
use crate::upstream::Phase;

/// Sets the gauges, whenever somebody wants to read them. Lives as long as whoever reads.
#[derive(Debug, Default)]
pub struct State {
    /// Upstreams whose gauges were set; one that the settings no longer have is set to nothing.
    told: Mutex<BTreeSet<String>>,
}

/// What an upstream can be doing.
const PHASES: [&str; 6] = ["down", "starting", "up", "backing_off", "broken", "disabled"];

impl State {
    /// Sets every gauge to how `gateway` is now.
    ///
    /// It walks the upstreams; where the catalog has changed since it was last asked it also adds up the lengths of all tools, so it is for a thread that may be held up.
    pub fn set(&self, gateway: &Gateway) {
        let status = gateway.status();
        let phase_of = |phase: &Option<Phase>| match phase {
            None => "disabled",
            Some(Phase::Down) => "down",
            Some(Phase::Starting) => "starting",
            Some(Phase::Up) => "up",
            Some(Phase::BackingOff { .. }) => "backing_off",
            Some(Phase::Broken { .. }) => "broken",
        };
        for phase in PHASES {
            let count = status.iter().filter(|it| phase_of(&it.phase) == phase).count();
            gauge!(UPSTREAMS.name, "phase" => phase).set(count as f64);
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let now: BTreeSet<String> = status.iter().map(|it| it.id.to_string()).collect();
        for gone in told.difference(&now) {
            gauge!(TOOLS.name, "upstream" => gone.clone()).set(0.0);
        }
        for upstream in &status {
            let id = upstream.id.to_string();
            gauge!(TOOLS.name, "upstream" => id).set(upstream.tools as f64);
        }
        // Those that are gone stay known: a recorder forgets no series.
        told.extend(now);
        drop(told);
        gauge!(SESSIONS.name).set(gateway.session_count() as f64);
        gauge!(CALLS_RUNNING.name).set(gateway.running() as f64);
        gauge!(CALLS_PARKED.name).set(gateway.parked() as f64);
        let tokens = gateway.list_tokens();
        gauge!(LIST_TOKENS.name, "list" => "whole").set(tokens.whole as f64);
        gauge!(LIST_TOKENS.name, "list" => "shown").set(tokens.shown as f64);
    }
}
