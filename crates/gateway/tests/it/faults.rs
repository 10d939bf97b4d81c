//! The fault matrix over processes: whatever one upstream does, the other answers, the faulty one gives an error in time, and is well again soon after.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::join_all;
use serde_json::json;

use crate::bench::{Bench, Fakes, QUICK, until};

/// A fault, when it happens, and whether a call of the faulty upstream fails by it.
const CELLS: &[(&str, &str, bool)] = &[
    ("exit", "start", true),
    ("hang", "start", true),
    ("noise", "start", false),
    ("not-utf8", "start", false),
    ("stderr", "start", false),
    ("storm", "start", false),
    ("exit", "init", true),
    ("exit-mid-line", "init", true),
    ("hang", "init", true),
    ("slow-bytes", "init", true),
    ("grandchild", "init", true),
    ("stderr", "init", false),
    ("noise", "init", false),
    ("not-utf8", "init", false),
    ("marks", "init", false),
    ("id-as-text", "init", false),
    ("id-of-other-kind", "init", true),
    ("unknown-id", "init", true),
    ("twice", "init", false),
    ("error", "init", true),
    ("exit", "list", false),
    ("hang", "list", false),
    ("circle", "list", false),
    ("deep", "list", false),
    ("stderr", "list", false),
    ("noise", "list", false),
    ("error", "list", false),
    ("storm", "list", false),
    ("exit", "call", true),
    ("exit-after", "call", false),
    ("exit-mid-line", "call", true),
    ("hang", "call", true),
    ("slow-bytes", "call", true),
    ("grandchild", "call", true),
    ("stderr", "call", false),
    ("noise", "call", false),
    ("not-utf8", "call", false),
    ("marks", "call", false),
    ("long-line", "call", true),
    ("deep", "call", true),
    ("id-as-text", "call", false),
    ("id-of-other-kind", "call", true),
    ("unknown-id", "call", true),
    ("twice", "call", false),
    ("late", "call", true),
    ("reordered", "call", true),
    ("storm", "call", false),
    ("error", "call", true),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_process_does_wrong_costs_its_own_calls_alone() {
    let mut failures = Vec::new();
    for cells in CELLS.chunks(6) {
        let running = cells.iter().map(|&cell| AssertUnwindSafe(check(cell)).catch_unwind());
        for (ended, cell) in join_all(running).await.into_iter().zip(cells) {
            if ended.is_err() {
                failures.push(format!("{cell:?}"));
            }
        }
    }
    println!("{} cells, {} failed", CELLS.len(), failures.len());
    assert!(failures.is_empty(), "{failures:#?}");
}

async fn check((fault, phase, fails): (&'static str, &'static str, bool)) {
    let folder = tempfile::tempdir().expect("a folder");
    let (hold, starts) = (folder.path().join("hold"), folder.path().join("starts"));
    let script = json!({ "tools": ["echo"], "fault": fault, "phase": phase, "while": hold, "starts": starts });
    let fakes = Fakes::from([("good", json!({ "tools": ["echo"] })), ("bad", script)]);
    let bench = Bench::new(&fakes, QUICK);
    // Both are known before anything goes wrong.
    bench.gateway.settled().await;
    bench.gateway.stop().await;
    std::fs::write(&hold, "").expect("written");

    let client = bench.client().await;
    let begun = Instant::now();
    let bad = client.call("bad__echo", json!({ "a": 1 }));
    let good = async {
        let begun = Instant::now();
        let answer = client.call("good__echo", json!({ "b": 2 })).await;
        (answer, begun.elapsed())
    };
    let (answer, (good, took)) = tokio::join!(bad, good);
    assert_eq!(good, r#"{"b":2}"#, "{fault} at {phase}");
    assert!(took < Duration::from_secs(2), "{fault} at {phase}: the other took {took:?}");
    // A start and a call, each with its deadline, and some time for a busy machine.
    assert!(begun.elapsed() < Duration::from_secs(8), "{fault} at {phase}: {:?}", begun.elapsed());
    match fails {
        true => assert!(answer.starts_with("error"), "{fault} at {phase}: {answer}"),
        false => assert!(!answer.starts_with("error: The server"), "{fault} at {phase}: {answer}"),
    }

    std::fs::remove_file(&hold).expect("it was there");
    until(&format!("{fault} at {phase} is over"), Duration::from_secs(8), async || {
        client.call("bad__echo", json!({ "c": 3 })).await == r#"{"c":3}"#
    })
    .await;
    bench.gateway.stop().await;
    let groups: Vec<String> = std::fs::read_to_string(&starts)
        .expect("it was started")
        .lines()
        .filter_map(|line| line.strip_prefix("start ").map(str::to_owned))
        .collect();
    until(&format!("nothing is left of {fault} at {phase}"), Duration::from_secs(3), async || {
        !groups.iter().any(|group| is_alive(group))
    })
    .await;
}

/// Says whether anyone lives in a process group.
fn is_alive(group: &str) -> bool {
    let Ok(entries) = std::fs::read_dir("/proc") else { return false };
    entries.flatten().any(|entry| {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { return false };
        let Some((_, rest)) = stat.rsplit_once(')') else { return false };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        fields.first().is_some_and(|state| !matches!(*state, "Z" | "X"))
            && fields.get(2) == Some(&group)
    })
}
