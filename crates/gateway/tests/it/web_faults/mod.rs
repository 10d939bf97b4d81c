//! The fault matrix over HTTP: whatever one server does, the other answers, the faulty one gives an error in time, is well again soon after, and nothing is left behind.

mod fault;
mod server;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::join_all;
use oncue_gateway::serve::Local;
use oncue_mcp::Era;
use serde_json::json;

use crate::bench::{Bench, QUICK, settings, until};
use fault::Fault;
use server::{Phase, Server};

/// Longest message that is taken, in bytes.
const BYTES_MAX: usize = 100_000;

/// A fault; whether a call fails by it when it happens while the connection is opened, and when it is in the call.
const FAULTS: &[(Fault, bool, bool)] = &[
    (Fault::Refused, true, true),
    (Fault::Closed, true, true),
    (Fault::Reset, true, true),
    (Fault::Page("500 Internal Server Error"), true, true),
    (Fault::Page("502 Bad Gateway"), true, true),
    (Fault::Page("403 Forbidden"), true, true),
    (Fault::Page("410 Gone"), true, true),
    (Fault::Page("200 OK"), true, true),
    (Fault::Later("503 Service Unavailable"), true, true),
    (Fault::Later("429 Too Many Requests"), true, true),
    (Fault::Challenge, true, true),
    (Fault::Hang, true, true),
    (Fault::HangInBody, true, true),
    (Fault::HangInStream, true, true),
    (Fault::SlowBytes, true, true),
    (Fault::Redirect, true, true),
    (Fault::LongBody, true, true),
    (Fault::LongEvent, true, true),
    (Fault::LongHead, true, true),
    (Fault::CutBody, true, true),
    (Fault::CutStream, true, true),
    (Fault::EmptyStream, true, true),
    (Fault::Noise, false, false),
    (Fault::Twice, false, false),
    (Fault::OtherId, true, true),
    (Fault::IdAsText, false, false),
    (Fault::Unasked, false, false),
    (Fault::Garbage, true, true),
    (Fault::Tls, true, true),
    (Fault::Accepted, true, true),
    (Fault::NotJson, true, true),
    (Fault::Batch, true, true),
    (Fault::Deep, true, true),
    (Fault::Error, true, true),
];

/// A fault, when it happens, in which era, and whether a call fails by it.
#[derive(Clone, Copy, Debug)]
struct Cell {
    fault: Fault,
    phase: Phase,
    era: Era,
    fails: bool,
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for &(fault, fails_open, fails_call) in FAULTS {
        for era in [Era::Sessions, Era::Stateless] {
            let cell = |phase, fails| Cell { fault, phase, era, fails };
            // An error, or a status of a client's fault, to the first question of the newer era means that the server is of the older one, and then it is one of neither.
            cells.push(cell(Phase::Open, fails_open));
            cells.push(cell(Phase::Call, fails_call));
            // What is known already is served; a list that cannot be read changes nothing.
            if fault != Fault::Refused {
                cells.push(cell(Phase::List, false));
            }
        }
    }
    let begun = [Fault::Hang, Fault::Closed, Fault::Page("500 Internal Server Error")];
    for fault in begun {
        cells.push(Cell { fault, phase: Phase::Begun, era: Era::Sessions, fails: true });
    }
    for fault in [Fault::Hang, Fault::Closed, Fault::HangInStream, Fault::EmptyStream, Fault::Noise]
    {
        cells.push(Cell { fault, phase: Phase::Listen, era: Era::Sessions, fails: false });
    }
    // What was not done is asked again, once, in a new session.
    cells.push(Cell {
        fault: Fault::Forgotten,
        phase: Phase::Call,
        era: Era::Sessions,
        fails: false,
    });
    cells
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_server_does_wrong_costs_its_own_calls_alone() {
    let cells = cells();
    let begun = Instant::now();
    // A server that does nothing wrong shows what a gateway leaves behind by itself.
    let well = Cell { fault: Fault::Hang, phase: Phase::Other, era: Era::Sessions, fails: false };
    check(well).await;
    let before = left();
    let mut failures = Vec::new();
    for together in cells.chunks(24) {
        let running = together.iter().map(|&cell| AssertUnwindSafe(check(cell)).catch_unwind());
        for (ended, cell) in join_all(running).await.into_iter().zip(together) {
            if ended.is_err() {
                failures.push(format!("{cell:?}"));
            }
        }
    }
    // What works for a gateway ends soon after it.
    until("no task is left", Duration::from_secs(15), async || left().tasks <= before.tasks).await;
    let after = left();
    println!(
        "{} cells over HTTP, {} failed, {:?}; tasks {} -> {}, descriptors {} -> {}",
        cells.len(),
        failures.len(),
        begun.elapsed(),
        before.tasks,
        after.tasks,
        before.descriptors,
        after.descriptors,
    );
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(after.descriptors <= before.descriptors + 4, "{} descriptors", after.descriptors);
}

/// What is there besides memory.
struct Left {
    tasks: usize,
    descriptors: usize,
}

fn left() -> Left {
    let metrics = tokio::runtime::Handle::current().metrics();
    let descriptors = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    Left { tasks: metrics.num_alive_tasks(), descriptors }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_break_off_say_nothing_of_the_others() {
    let server = Server::start(Fault::Reset, Phase::Call, Era::Sessions).await;
    let more = format!("{QUICK}\n[upstream.bad]\nurl = \"http://127.0.0.1:{}/mcp\"\n", server.port);
    let none: BTreeMap<&str, serde_json::Value> = BTreeMap::new();
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let bench = Bench::within(folder, settings(&none, &more), Local::default());
    bench.gateway.settled().await;
    let client = bench.client().await;
    server.break_down().await;
    for _ in 0..8 {
        let answer = client.call("bad__echo", json!({})).await;
        assert!(answer.contains("went away during the call"), "{answer}");
    }
    server.recover().await;
    assert_eq!(client.call("bad__echo", json!({})).await, "{}", "it is not left alone for that");
    bench.gateway.stop().await;
    server.close().await;
}

async fn check(cell: Cell) {
    let bad = Server::start(cell.fault, cell.phase, cell.era).await;
    let good = Server::start(Fault::Hang, Phase::Other, cell.era).await;
    let at = |server: &Server| format!("url = \"http://127.0.0.1:{}/mcp\"", server.port);
    let more = format!(
        "{QUICK}\n[limits]\nupstream_message_bytes = {BYTES_MAX}\n[upstream.bad]\n{}\n[upstream.good]\n{}\n",
        at(&bad),
        at(&good)
    );
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let none: BTreeMap<&str, serde_json::Value> = BTreeMap::new();
    let bench = Bench::within(folder, settings(&none, &more), Local::default());
    // Both are known before anything goes wrong; then either is opened anew, or is open.
    bench.gateway.settled().await;
    let client = bench.client().await;
    match cell.phase {
        Phase::Call => assert_eq!(client.call("bad__echo", json!({})).await, "{}", "{cell:?}"),
        _ => bench.gateway.stop().await,
    }
    bad.break_down().await;

    let begun = Instant::now();
    let calling = client.call("bad__echo", json!({ "a": 1 }));
    let other = async {
        let begun = Instant::now();
        (client.call("good__echo", json!({ "b": 2 })).await, begun.elapsed())
    };
    let (answer, (good_answer, took)) = tokio::join!(calling, other);
    assert_eq!(good_answer, r#"{"b":2}"#, "{cell:?}");
    assert!(took < Duration::from_secs(2), "{cell:?}: the other took {took:?}");
    assert!(begun.elapsed() < Duration::from_secs(8), "{cell:?}: {:?}", begun.elapsed());
    match cell.fails {
        true => {
            assert!(answer.starts_with("error"), "{cell:?}: {answer}");
            if cell.phase == Phase::Call {
                assert!(answer.contains(word(cell.fault)), "{cell:?}: {answer}");
            }
        }
        false => assert_eq!(answer, r#"{"a":1}"#, "{cell:?}"),
    }

    bad.recover().await;
    until(&format!("{cell:?} is over"), Duration::from_secs(8), async || {
        client.call("bad__echo", json!({ "c": 3 })).await == r#"{"c":3}"#
    })
    .await;
    let nothing = format!("{cell:?}: nothing hangs");
    if matches!(cell.phase, Phase::Open | Phase::Begun | Phase::Call) {
        // What nobody waits for any more is given up at once, and not only with the connection.
        until(&nothing, Duration::from_secs(5), async || bad.open() == 0).await;
    }
    client.0.peer().close().await;
    bench.gateway.stop().await;
    until(&nothing, Duration::from_secs(5), async || bad.open() == 0).await;
    bad.close().await;
    good.close().await;
}

/// Returns what a model reads of a fault among other things: which kind it is, and so what to do.
fn word(fault: Fault) -> &'static str {
    match fault {
        Fault::Refused => "cannot be reached",
        Fault::Challenge | Fault::Page("403 Forbidden") => "credentials",
        Fault::Later(_) => "Call again in 7 s",
        Fault::Page("200 OK") | Fault::EmptyStream | Fault::OtherId => "cannot be read",
        Fault::Page(_) => "HTTP status",
        Fault::Hang | Fault::HangInBody | Fault::HangInStream | Fault::SlowBytes => {
            "did not answer within 1 s"
        }
        Fault::Redirect => "another address",
        Fault::LongBody | Fault::LongEvent => "longer than",
        Fault::Error => "it is out of order",
        _ => "",
    }
}
