//! Killed at any moment, again and again, it loses nothing that it has acknowledged, and stands up at once.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Place;
use super::serve::{Client, place};

/// How often it is killed.
const KILLS: usize = 25;

/// How long behind its answer a call may still be on its way into the record: as long as the records of other calls are gathered, and a slow disk.
const RECORD_TIME: Duration = Duration::from_millis(700);

/// How long what the gateway has started may outlive it.
const GONE_TIME: Duration = Duration::from_secs(3);

/// Pauses that are the same in every run and lie anywhere below `below`.
struct Pauses(u64);

impl Pauses {
    fn next(&mut self, below: Duration) -> Duration {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        below.mul_f64((self.0 >> 33) as f64 / f64::from(1_u32 << 31))
    }
}

/// What somebody was told is so.
#[derive(Default)]
struct Acknowledged {
    calls: usize,
    valid: BTreeSet<String>,
    revoked: BTreeSet<String>,
}

impl Acknowledged {
    /// Makes and revokes a token, and kills who does it after `pause`, if that is before the end.
    fn tokens(&mut self, place: &Place, pause: Duration) {
        let id = |text: &str| {
            let told: Value = serde_json::from_str(text).ok()?;
            Some(told["id"].as_str()?.to_owned())
        };
        let state = place.path("state");
        let made =
            killed(place, &["token", "create", "ada", "--json", "--state-dir", &state], pause);
        self.valid.extend(made.and_then(|told| id(&told)));
        // Whoever is not told whether it is revoked does not know.
        if self.valid.len() > 3
            && let Some(first) = self.valid.pop_first()
            && killed(place, &["token", "revoke", &first, "--state-dir", &state], pause).is_some()
        {
            self.revoked.insert(first);
        }
    }

    fn check(&self, place: &Place) {
        let state = place.path("state");
        let listed = place.oncue(&["token", "list", "--json", "--state-dir", &state]);
        let listed: Value = serde_json::from_str(&listed.out).expect("the tokens can be read");
        let of = |state: &str| -> BTreeSet<String> {
            let tokens = listed["tokens"].as_array().expect("a list").iter();
            let tokens = tokens.filter(|token| token["state"] == state);
            tokens.map(|token| token["id"].as_str().expect("an id").to_owned()).collect()
        };
        assert!(self.valid.is_subset(&of("valid")), "{listed}");
        assert!(self.revoked.is_subset(&of("revoked")), "{listed}");
        let verified = place.oncue(&["audit", "verify", "--json", "--state-dir", &state]);
        let verified: Value = serde_json::from_str(&verified.out).expect("the record can be read");
        assert_eq!(verified["whole"], true, "{verified}");
        let records = verified["records"].as_u64().expect("a number");
        assert!(records >= self.calls as u64, "{records} of {}", self.calls);
    }
}

/// Runs a command and kills it after `pause`; returns what it has printed, where it was done by then.
fn killed(place: &Place, words: &[&str], pause: Duration) -> Option<String> {
    let mut command = place.command(words);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command.spawn().expect("started");
    let end = Instant::now() + pause;
    while Instant::now() < end && process.try_wait().expect("asked").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    // It may have ended.
    let _ = process.kill();
    let output = process.wait_with_output().expect("it has ended");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    output.status.success().then_some(text)
}

/// Returns the processes that run with the home of this place, watchdogs left out: those end by themselves.
fn processes(place: &Place) -> Vec<String> {
    let home = format!("HOME={}", place.path("ada"));
    let entries = std::fs::read_dir("/proc").expect("it is there").flatten();
    let is_watchdog = |pid: &String| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.split(|&byte| byte == 0).any(|word| word == b"watchdog")
    };
    let is_here = |pid: &String| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|it| it == home.as_bytes()) && !is_watchdog(pid)
    };
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_here).collect()
}

/// Calls until the gateway is gone, and returns when each answer came.
fn load(client: &mut Client, is_over: &AtomicBool) -> Vec<Instant> {
    let mut answers = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        let params = json!({ "name": "sh__tell_pid", "arguments": {} });
        if client.try_ask("tools/call", &params).is_none() {
            break;
        }
        answers.push(Instant::now());
    }
    answers
}

#[test]
fn killed_at_any_moment_it_loses_nothing_that_it_has_acknowledged() {
    let place = place();
    let mut pauses = Pauses(2_026);
    let mut acknowledged = Acknowledged::default();
    {
        // What the server offers is learnt once.
        let mut client = Client::start(&place);
        client.pid();
        client.gateway.kill().expect("killed");
        client.gateway.wait().expect("it ends");
    }
    let mut slowest = Duration::ZERO;
    for kill in 0..KILLS {
        let begun = Instant::now();
        let mut client = Client::start(&place);
        let found = client.ask(
            "tools/call",
            &json!({ "name": "search_tools", "arguments": { "query": "select:sh__tell_pid" } }),
        );
        let text = found["content"][0]["text"].as_str().expect("an answer");
        assert!(text.contains("\"sh__tell_pid\""), "kill {kill}: what is kept is there: {text}");
        slowest = slowest.max(begun.elapsed());
        // A piece of a line that was being written is put aside by whoever writes next.
        acknowledged.check(&place);
        let id = client.gateway.id();
        let is_over = AtomicBool::new(false);
        let pause = pauses.next(Duration::from_millis(1_500));
        let (answers, killed_at) = thread::scope(|scope| {
            let calling = scope.spawn(|| load(&mut client, &is_over));
            for _ in 0..3 {
                acknowledged.tokens(&place, pauses.next(Duration::from_millis(50)));
            }
            thread::sleep(pause);
            let killed_at = Instant::now();
            // The child belongs to the thread that calls.
            let killed = std::process::Command::new("kill").args(["-9", &id.to_string()]).status();
            assert!(killed.expect("`kill` is there").success());
            is_over.store(true, Ordering::Relaxed);
            (calling.join().expect("no panic"), killed_at)
        });
        client.gateway.wait().expect("it ends");
        let is_recorded = |at: &&Instant| **at + RECORD_TIME < killed_at;
        acknowledged.calls += answers.iter().filter(is_recorded).count();
        let begun = Instant::now();
        while !processes(&place).is_empty() {
            assert!(begun.elapsed() < GONE_TIME, "kill {kill}: {:?} are left", processes(&place));
            thread::sleep(Duration::from_millis(20));
        }
    }
    let mut last = Client::start(&place);
    acknowledged.check(&place);
    last.gateway.kill().expect("killed");
    last.gateway.wait().expect("it ends");
    println!(
        "{KILLS} kills: {} calls, {} tokens and {} revocations acknowledged, none lost; up within {slowest:?}",
        acknowledged.calls,
        acknowledged.valid.len(),
        acknowledged.revoked.len()
    );
    assert!(acknowledged.calls > KILLS && acknowledged.revoked.len() > 3);
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
}
