//! Many clients over HTTP that call one tool again and again, and what came of it. For benchmarks.
//!
//! Standard input is one JSON object ([`Task`]), standard output another ([`Outcome`]).
//! Every client has a connection and a session of its own; all begin to call at the same moment.

mod wire;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use wire::Wire;

/// What is to be done.
#[derive(Deserialize)]
struct Task {
    /// Where the server listens, such as `127.0.0.1:8850`.
    address: String,
    /// What lets clients in; they take turns in them.
    tokens: Vec<String>,
    /// How many clients there are.
    clients: usize,
    /// How long they call.
    seconds: f64,
    /// What is posted: the parameters of `tools/call`.
    call: Value,
    /// What an answer must contain.
    expect: String,
    /// Processes whose use of the processor is measured, by name.
    pids: BTreeMap<String, u32>,
}

/// What came of it.
#[derive(Default, Serialize)]
struct Outcome {
    clients: usize,
    principals: usize,
    calls: usize,
    calls_a_second: f64,
    errors: usize,
    /// How often each error was met.
    kinds: BTreeMap<String, usize>,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    /// Seconds of processor time in a second, by name.
    processors: BTreeMap<String, f64>,
}

/// What one client met.
#[derive(Default)]
struct Met {
    micros: Vec<u32>,
    errors: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let text = io::read_to_string(io::stdin().lock())?;
    if text.trim().is_empty() {
        println!("a task as JSON is read from standard input; `bench/gateway/run.py` writes one");
        return Ok(());
    }
    let mut task: Task = serde_json::from_str(&text)?;
    task.pids.insert("clients".to_owned(), std::process::id());
    let task = Arc::new(task);
    let ready = Arc::new(Barrier::new(task.clients + 1));
    let clients: Vec<_> = (0..task.clients)
        .map(|n| tokio::spawn(client(n, Arc::clone(&task), Arc::clone(&ready))))
        .collect();
    ready.wait().await;
    let (begun, before) = (Instant::now(), processors(&task.pids));
    tokio::time::sleep(Duration::from_secs_f64(task.seconds)).await;
    let (took, after) = (begun.elapsed().as_secs_f64(), processors(&task.pids));
    let mut outcome = Outcome {
        clients: task.clients,
        principals: task.tokens.len(),
        processors: after
            .into_iter()
            .map(|(name, seconds)| {
                let used = seconds - before.get(&name).copied().unwrap_or_default();
                (name, used / took)
            })
            .collect(),
        ..Outcome::default()
    };
    let mut micros = Vec::new();
    for client in clients {
        let met = client.await.map_err(io::Error::other)?;
        micros.extend(met.micros);
        for error in met.errors {
            outcome.errors += 1;
            *outcome.kinds.entry(error).or_default() += 1;
        }
    }
    micros.sort_unstable();
    let at = |q: f64| {
        let place = (micros.len() as f64 * q) as usize;
        micros.get(place.min(micros.len().saturating_sub(1))).map_or(0.0, |&it| it as f64 / 1e3)
    };
    (outcome.p50_ms, outcome.p99_ms, outcome.max_ms) = (at(0.5), at(0.99), at(1.0));
    outcome.calls = micros.len();
    // What was still on its way at the end was waited for.
    outcome.calls_a_second = micros.len() as f64 / begun.elapsed().as_secs_f64();
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(())
}

async fn client(n: usize, task: Arc<Task>, ready: Arc<Barrier>) -> Met {
    let token = task.tokens.get(n % task.tokens.len()).map_or("", |token| token);
    let opened = open(&task.address, token).await;
    ready.wait().await;
    let mut met = Met::default();
    let mut wire = match opened {
        Ok(wire) => wire,
        Err(error) => {
            met.errors.push(format!("opening: {error}"));
            return met;
        }
    };
    let end = Instant::now() + Duration::from_secs_f64(task.seconds);
    let mut id = 10_u64;
    while Instant::now() < end {
        id += 1;
        let call =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": task.call });
        let begun = Instant::now();
        match wire.post(&call).await {
            Ok(answer) if answer.contains(&task.expect) => {
                met.micros.push(u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX));
            }
            Ok(answer) => met.errors.push(answer.chars().take(200).collect()),
            Err(error) => {
                met.errors.push(error.to_string());
                return met;
            }
        }
    }
    met
}

/// Connects and begins a session.
async fn open(address: &str, token: &str) -> io::Result<Wire> {
    let mut wire = Wire::connect(address, token).await?;
    let about = json!({ "name": "load", "version": "1" });
    let params =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about });
    let begin = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    wire.post(&begin).await?;
    wire.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
    Ok(wire)
}

/// Returns the seconds that each process has used so far.
fn processors(pids: &BTreeMap<String, u32>) -> BTreeMap<String, f64> {
    const TICKS_A_SECOND: f64 = 100.0;
    let used = |pid: &u32| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: f64 = fields.skip(11).take(2).filter_map(|it| it.parse::<f64>().ok()).sum();
        ticks / TICKS_A_SECOND
    };
    pids.iter().map(|(name, pid)| (name.clone(), used(pid))).collect()
}
