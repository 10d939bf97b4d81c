use std::fs;
use std::future::{Future, poll_fn};
use std::io;
use std::path::Path;
use std::pin::pin;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::Poll;
use std::time::{Duration, SystemTime};

use oncue_decl::Scope;
use oncue_tools::{Denial, ErrorKind, Principal, PrincipalName};
use serde_json::Value;
use tempfile::TempDir;

use super::files::{CURRENT, HEAD};
use super::log::Log;
use super::*;
use crate::limits::{AUDIT_FILE_BYTES_MAX, AUDIT_TEXT_CHARS_MAX};
use crate::state::fragile::FragileDisk;
use crate::state::{Disk, Lock, OpenFile, Stamp, StateDir, SystemDisk};

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// An entry that is told apart by the size of its arguments.
fn call(number: u64) -> Entry {
    let call = Call {
        upstream: "github".to_owned(),
        tool: "list_issues".to_owned(),
        exposed: "github_list_issues".to_owned(),
        outcome: Outcome::Done,
        duration: Duration::from_micros(1_500),
        bytes_in: number,
        bytes_out: 7,
        arguments: Digest::of(b"{}"),
    };
    Entry { at: at(0), principal: Principal::Local, event: Event::Call(call) }
}

/// The records in a folder, in order.
fn records(folder: &Path) -> Vec<Value> {
    let files = files::all(folder).expect("a folder");
    let texts = files.iter().map(|file| fs::read_to_string(file).expect("UTF-8"));
    let texts: String = texts.collect();
    texts.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The numbers of the calls in a folder, in order.
fn calls(folder: &Path) -> Vec<u64> {
    records(folder).iter().filter_map(|record| record["bytes_in"].as_u64()).collect()
}

fn kinds(report: &Report) -> Vec<FaultKind> {
    report.faults.iter().map(|fault| fault.kind).collect()
}

fn faults(folder: &Path) -> Vec<FaultKind> {
    kinds(&verify_all(&StateDir::at(folder)).expect("readable"))
}

/// A folder with a record of these calls, one a batch, with files of about this size.
fn recorded(numbers: std::ops::RangeInclusive<u64>, file_bytes: u64) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), file_bytes);
    for number in numbers {
        log.append(&[call(number)], 0, at(9)).expect("written");
        log.write_head().expect("written");
    }
    folder
}

/// Returns a folder with the files of a disk.
fn laid_out(disk: &FragileDisk) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (path, bytes) in disk.files() {
        fs::write(folder.path().join(path.file_name().expect("a name")), bytes).expect("written");
    }
    folder
}

#[test]
fn a_record_says_who_did_what_and_what_came_of_it() {
    let folder = TempDir::new().expect("a folder");
    let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), AUDIT_FILE_BYTES_MAX);
    let name = PrincipalName::parse("ci").expect("a name");
    let principal = Principal::External { name, scope: Scope::Stage };
    let Event::Call(base) = call(12).event else { panic!("a call") };
    let denied = Call {
        outcome: Outcome::denied(&Denial::Scope { needed: Scope::Write, held: Scope::Stage }),
        ..base.clone()
    };
    let failed = Call { outcome: Outcome::Failed(ErrorKind::TimedOut), ..base };
    let change = Change {
        kind: ChangeKind::TokenRevoked,
        subject: "0badcafe".to_owned(),
        detail: Some("ci".to_owned()),
    };
    let entries = [
        Entry { at: at(951_782_400), principal, event: Event::Call(denied) },
        Entry { at: at(0), principal: Principal::Local, event: Event::Call(failed) },
        Entry { at: at(0), principal: Principal::Local, event: Event::Change(change) },
    ];
    log.append(&entries, 0, at(0)).expect("written");
    let records = records(folder.path());
    let without_chain = |record: &Value| {
        let mut record = record.clone();
        let fields = record.as_object_mut().expect("an object");
        for key in ["prev", "hash"] {
            let digest = fields.shift_remove(key).expect("chained");
            assert_eq!(digest.as_str().expect("a text").len(), 64);
        }
        record
    };
    let expected = serde_json::json!([
        { "n": 1, "time": "1970-01-01T00:00:00.000Z", "event": "began" },
        {
            "n": 2, "time": "2000-02-29T00:00:00.000Z", "event": "call",
            "principal": "ci", "scope": "stage",
            "upstream": "github", "tool": "list_issues", "exposed": "github_list_issues",
            "outcome": "denied", "why": "scope",
            "us": 1500, "bytes_in": 12, "bytes_out": 7,
            "arguments": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        },
        {
            "n": 3, "time": "1970-01-01T00:00:00.000Z", "event": "call",
            "upstream": "github", "tool": "list_issues", "exposed": "github_list_issues",
            "outcome": "failed", "why": "timed_out",
            "us": 1500, "bytes_in": 12, "bytes_out": 7,
            "arguments": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        },
        {
            "n": 4, "time": "1970-01-01T00:00:00.000Z", "event": "change",
            "change": "token_revoked", "subject": "0badcafe", "detail": "ci",
        },
    ]);
    let shown: Vec<Value> = records.iter().map(without_chain).collect();
    assert_eq!(Value::from(shown), expected);
    for pair in records.windows(2) {
        assert_eq!(pair[0]["hash"], pair[1]["prev"]);
    }
    assert_eq!(records[0]["prev"], "0".repeat(64));
}

#[test]
fn the_chain_can_be_followed_with_sha_256_alone() {
    let folder = recorded(1..=3, AUDIT_FILE_BYTES_MAX);
    let text = fs::read_to_string(folder.path().join(CURRENT)).expect("there");
    let mut before = "0".repeat(64);
    for line in text.lines() {
        let (body, hash) = line.split_once(",\"hash\":\"").expect("a digest");
        assert!(body.ends_with(&format!("\"prev\":\"{before}\"")), "{line}");
        before = Digest::of(body.as_bytes()).to_string();
        assert_eq!(hash, format!("{before}\"}}"));
    }
    let report = verify_all(&StateDir::at(folder.path())).expect("readable");
    assert_eq!(report.digest.map(|digest| digest.to_string()), Some(before));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_record_of_many_tasks_is_there_once_and_in_order() {
    const TASKS: u64 = 8;
    const EACH: u64 = 1_250;
    let folder = TempDir::new().expect("a folder");
    let state = StateDir::at(folder.path());
    // Files of 200 kB: about 20 of them.
    let audit = Audit::on(SystemDisk, &state, 200_000, 64).expect("opened");
    let tasks = (0..TASKS).map(|task| {
        let audit = audit.clone();
        tokio::spawn(async move {
            for number in 0..EACH {
                audit.record(call(task * EACH + number)).await;
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.expect("ended");
    }
    audit.flush().await;
    let status = audit.status();
    assert_eq!((status.written, status.unwritten, status.waiting), (TASKS * EACH, 0, 0));
    let records = records(folder.path());
    for (at, record) in records.iter().enumerate() {
        assert_eq!(record["n"], at + 1);
    }
    let calls = calls(folder.path());
    for task in 0..TASKS {
        let own = calls.iter().filter(|&&number| number / EACH == task).copied();
        assert!(own.eq(task * EACH..(task + 1) * EACH), "task {task}: each once, in its order");
    }
    let report = verify_all(&state).expect("readable");
    assert!(report.files.len() > 5, "{}", report.files.len());
    assert_eq!((report.faults.len(), report.notes.len()), (0, 0));
    assert_eq!((report.first, report.last), (1, report.records));
    // Each file has a record at its beginning, and each full one at its end.
    let own = 2 * report.files.len() as u64 - 1;
    assert_eq!(report.records, TASKS * EACH + own);
}

/// Three files: two that are full, and the current one.
fn three_files() -> (TempDir, Vec<std::path::PathBuf>) {
    let folder = recorded(1..=5, 1_000);
    let files = files::all(folder.path()).expect("a folder");
    assert_eq!(files.len(), 3, "{files:?}");
    assert_eq!(faults(folder.path()), []);
    for file in &files {
        assert_eq!(kinds(&verify(file).expect("readable")), []);
    }
    (folder, files)
}

#[test]
fn flipped_bits_are_found_at_their_line() {
    let (folder, files) = three_files();
    for file in &files {
        let good = fs::read(file).expect("there");
        // A step by which each bit has its turn.
        for at in (0..good.len()).step_by(5) {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(file, &bytes).expect("written");
            let line = good[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            let report = verify_all(&StateDir::at(folder.path())).expect("readable");
            let found = report.faults.first().unwrap_or_else(|| panic!("byte {at} of {file:?}"));
            assert_eq!((&found.file, found.line), (file, line), "byte {at}");
        }
        fs::write(file, &good).expect("written");
    }
}

#[test]
fn each_removed_and_each_moved_record_is_found() {
    let (folder, files) = three_files();
    for file in &files {
        let good = fs::read_to_string(file).expect("there");
        let lines: Vec<&str> = good.lines().collect();
        let check = |lines: &[&str], near: usize, what: &str| {
            fs::write(file, format!("{}\n", lines.join("\n"))).expect("written");
            let report = verify_all(&StateDir::at(folder.path())).expect("readable");
            let found = report.faults.first().unwrap_or_else(|| panic!("{what} {near} {file:?}"));
            let line = usize::try_from(found.line).expect("small");
            assert!(line == near || line + 1 == near, "{what} {near}: {found}");
            assert_eq!(found.file, *file);
        };
        for at in 0..lines.len() {
            let mut removed = lines.clone();
            removed.remove(at);
            check(&removed, at + 1, "removed");
            if at > 0 {
                let mut moved = lines.clone();
                moved.swap(at - 1, at);
                check(&moved, at, "moved");
            }
            let mut twice = lines.clone();
            twice.insert(at, lines[at]);
            check(&twice, at + 2, "twice");
        }
        fs::write(file, &good).expect("written");
    }
}

#[test]
fn what_is_missing_is_told_by_its_numbers() {
    let folder = recorded(1..=5, AUDIT_FILE_BYTES_MAX);
    let file = folder.path().join(CURRENT);
    let good = fs::read_to_string(&file).expect("there");
    let lines: Vec<&str> = good.lines().collect();
    let found = |kept: &[usize]| {
        let text: String = kept.iter().map(|&n| format!("{}\n", lines[n - 1])).collect();
        fs::write(&file, text).expect("written");
        faults(folder.path())
    };
    use FaultKind::{Missing, Moved, NoBeginning};
    assert_eq!(found(&[1, 2, 3, 4, 5, 6]), []);
    assert_eq!(found(&[1, 2, 5, 6]), [Missing { from: 3, to: 4 }]);
    assert_eq!(found(&[1, 2, 3]), [Missing { from: 4, to: 6 }]);
    assert_eq!(found(&[]), [Missing { from: 1, to: 6 }]);
    assert_eq!(found(&[2, 3, 4, 5, 6]), [NoBeginning]);
    assert_eq!(
        found(&[1, 2, 4, 3, 5, 6]),
        [Missing { from: 3, to: 3 }, Moved { n: 3, expected: 5 }, Missing { from: 4, to: 4 },]
    );
}

#[test]
fn cuts_are_found_wherever_they_are() {
    let (folder, files) = three_files();
    for file in &files {
        let good = fs::read(file).expect("there");
        let line_ends = (0..good.len()).filter(|&at| at > 0 && good[at - 1] == b'\n');
        for bytes in (0..good.len()).step_by(11).chain(line_ends) {
            fs::write(file, &good[..bytes]).expect("written");
            assert_ne!(faults(folder.path()), [], "{bytes} bytes of {file:?}");
            assert_ne!(
                kinds(&verify(file).expect("readable")),
                [],
                "{bytes} bytes of {file:?} alone"
            );
        }
        fs::remove_file(file).expect("removed");
        let is_oldest = file == &files[0];
        // Files that were put away are told of, not complained about.
        assert_eq!(faults(folder.path()).is_empty(), is_oldest, "{file:?}");
        fs::write(file, &good).expect("written");
    }
}

#[test]
fn a_record_made_up_by_somebody_who_can_hash_breaks_the_link() {
    let folder = recorded(1..=4, AUDIT_FILE_BYTES_MAX);
    let file = folder.path().join(CURRENT);
    let good = fs::read_to_string(&file).expect("there");
    let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
    let body = lines[2].split_once(",\"hash\"").expect("a digest").0;
    let body = body.replace("\"bytes_in\":2", "\"bytes_in\":9");
    lines[2] = format!("{body},\"hash\":\"{}\"}}", Digest::of(body.as_bytes()));
    fs::write(&file, format!("{}\n", lines.join("\n"))).expect("written");
    let report = verify_all(&StateDir::at(folder.path())).expect("readable");
    assert_eq!(kinds(&report), [FaultKind::Unlinked { n: 4 }]);
    assert_eq!(report.faults[0].line, 4);
}

#[test]
fn a_torn_end_is_kept_aside_and_noted() {
    let base = recorded(1..=3, AUDIT_FILE_BYTES_MAX);
    let before = fs::read(base.path().join(CURRENT)).expect("there");
    let head = fs::read(base.path().join(HEAD)).expect("there");
    // A fourth call of which the head does not tell yet.
    let mut log = Log::new(SystemDisk, &StateDir::at(base.path()), AUDIT_FILE_BYTES_MAX);
    log.append(&[call(4)], 0, at(9)).expect("written");
    let after = fs::read(base.path().join(CURRENT)).expect("there");
    for cut in before.len()..after.len() {
        let disk = FragileDisk::default();
        disk.overwrite("/state/audit.jsonl", &after[..cut]);
        disk.overwrite("/state/audit.head", &head);
        let mut log = Log::new(disk.clone(), &StateDir::at("/state"), AUDIT_FILE_BYTES_MAX);
        log.append(&[call(5)], 0, at(9)).expect("written");
        let folder = laid_out(&disk);
        let report = verify_all(&StateDir::at(folder.path())).expect("readable");
        assert_eq!(report.faults, [], "{cut}");
        assert_eq!(calls(folder.path()), [1, 2, 3, 5]);
        let torn = &after[before.len()..cut];
        if torn.is_empty() {
            assert_eq!(report.notes, []);
            continue;
        }
        let aside = "audit-torn-000000000005.bin".to_owned();
        assert_eq!(fs::read(folder.path().join(&aside)).expect("kept"), torn);
        let bytes = torn.len() as u64;
        assert_eq!(report.notes, [Note { n: 5, kind: NoteKind::Torn { bytes, aside } }]);
    }
}

#[test]
fn what_was_taken_away_stays_missing_when_somebody_goes_on() {
    for kept in [0, 1, 3] {
        let folder = recorded(1..=3, AUDIT_FILE_BYTES_MAX);
        let file = folder.path().join(CURRENT);
        let good = fs::read_to_string(&file).expect("there");
        let text: String = good.lines().take(kept).map(|line| format!("{line}\n")).collect();
        fs::write(&file, text).expect("written");
        let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), AUDIT_FILE_BYTES_MAX);
        log.append(&[call(4)], 0, at(9)).expect("written");
        log.write_head().expect("written");
        let report = verify_all(&StateDir::at(folder.path())).expect("readable");
        let from = kept as u64 + 1;
        match kept {
            0 => assert_eq!(kinds(&report), [FaultKind::Vanished { n: 5 }]),
            _ => assert_eq!(kinds(&report), [FaultKind::Missing { from, to: 4 }]),
        }
    }
}

#[test]
fn a_file_of_something_else_is_kept_aside_as_a_whole() {
    for garbage in [&b"garbage"[..], b"{}\n{}\n", &[0; 300_000]] {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join(CURRENT), garbage).expect("written");
        let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), AUDIT_FILE_BYTES_MAX);
        log.append(&[call(1)], 0, at(9)).expect("written");
        assert_eq!(calls(folder.path()), [1]);
        let aside = folder.path().join("audit-torn-000000000001.bin");
        assert_eq!(fs::read(aside).expect("kept"), garbage);
        assert_eq!(faults(folder.path()), []);
    }
}

#[test]
fn whatever_fails_no_acknowledged_record_is_lost() {
    let state = StateDir::at("/state");
    let mut runs = 0;
    for dies in [false, true] {
        for step in 0.. {
            runs += 1;
            let disk = FragileDisk::default();
            // Small files, so that some of the steps are those of beginning a new one.
            let mut log = Log::new(disk.clone(), &state, 1_000);
            log.append(&[call(1), call(2)], 0, at(9)).expect("written");
            log.write_head().expect("written");
            if dies {
                disk.die_at(step);
            } else {
                disk.fail_at(step);
            }
            let mut acknowledged = vec![1, 2];
            let mut lost = 0;
            for number in 3..=5 {
                match log.append(&[call(number)], lost, at(9)) {
                    Ok(()) => {
                        acknowledged.push(number);
                        lost = 0;
                    }
                    Err(_) => lost += 1,
                }
                log.write_head().ok();
            }
            let has_failed = disk.has_failed();
            disk.mend();
            for after in disk.power_losses().into_iter().chain([disk.clone()]) {
                let mut log = Log::new(after.clone(), &state, 1_000);
                log.append(&[call(9)], 0, at(9)).expect("it goes on");
                log.write_head().expect("written");
                let folder = laid_out(&after);
                let calls = calls(folder.path());
                let found: Vec<u64> =
                    calls.iter().copied().filter(|call| acknowledged.contains(call)).collect();
                assert_eq!(found, acknowledged, "step {step}, dies: {dies}");
                assert_eq!(calls.last(), Some(&9));
                assert_eq!(faults(folder.path()), [], "step {step}, dies: {dies}");
            }
            if !has_failed {
                break;
            }
        }
    }
    assert!(runs > 40, "every step of three batches, three heads and a new file: {runs}");
}

#[test]
fn what_cannot_be_written_is_counted_and_told() {
    let disk = FragileDisk::default();
    let state = StateDir::at("/state");
    let audit = Audit::on(disk.clone(), &state, AUDIT_FILE_BYTES_MAX, 8).expect("opened");
    audit.record_blocking(call(1));
    audit.flush_blocking();
    disk.die_at(0);
    for number in 2..=4 {
        audit.record_blocking(call(number));
        audit.flush_blocking();
    }
    let status = audit.status();
    assert_eq!((status.written, status.unwritten), (1, 3));
    assert!(status.error.is_some());
    disk.mend();
    audit.record_blocking(call(5));
    audit.flush_blocking();
    let status = audit.status();
    assert_eq!((status.written, status.unwritten, status.error), (2, 3, None));
    let folder = laid_out(&disk);
    assert_eq!(calls(folder.path()), [1, 5]);
    let report = verify_all(&StateDir::at(folder.path())).expect("readable");
    assert_eq!(report.faults, []);
    assert_eq!(report.notes.last(), Some(&Note { n: 3, kind: NoteKind::Lost { records: 3 } }));
}

/// A disk whose writer stops until it is let on.
struct Gated {
    disk: FragileDisk,
    reached: Sender<()>,
    go: Mutex<Receiver<()>>,
}

impl Disk for Gated {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.disk.read(path)
    }

    fn read_end(&self, path: &Path, bytes: u64) -> io::Result<(Vec<u8>, u64)> {
        self.disk.read_end(path, bytes)
    }

    fn stamp(&self, path: &Path) -> io::Result<Option<Stamp>> {
        self.disk.stamp(path)
    }

    fn create(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>> {
        self.disk.create(path, mode)
    }

    fn append(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>> {
        self.disk.append(path, mode)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(path)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.disk.sync_folder(folder)
    }

    fn lock(&self, _: &Path) -> io::Result<Lock> {
        self.reached.send(()).ok();
        // Once whoever lets it on is gone, nothing stops it.
        self.go.lock().expect("whole").recv().ok();
        Ok(Lock::none())
    }
}

#[tokio::test]
async fn who_comes_with_one_more_waits() {
    let (reached, is_reached) = channel();
    let (let_on, go) = channel();
    let disk = Gated { disk: FragileDisk::default(), reached, go: Mutex::new(go) };
    let_on.send(()).expect("to open");
    let state = StateDir::at("/state");
    let audit = Audit::on(disk, &state, AUDIT_FILE_BYTES_MAX, 2).expect("opened");
    is_reached.recv().expect("opened");
    audit.record(call(1)).await;
    is_reached.recv().expect("the writer has the first and stops");
    audit.record(call(2)).await;
    audit.record(call(3)).await;
    assert_eq!(audit.status().waiting, 2);
    let mut fourth = pin!(audit.record(call(4)));
    let is_ready = poll_fn(|context| Poll::Ready(fourth.as_mut().poll(context).is_ready())).await;
    assert!(!is_ready, "two wait, and there may not be more");
    drop(let_on);
    fourth.await;
    audit.flush().await;
    let status = audit.status();
    assert_eq!((status.written, status.unwritten, status.waiting), (4, 0, 0));
}

#[test]
fn several_processes_write_one_chain() {
    let folder = TempDir::new().expect("a folder");
    let state = StateDir::at(folder.path());
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let state = &state;
            scope.spawn(move || {
                let audit = Audit::on(SystemDisk, state, 4_000, 4).expect("opened");
                for number in 0..30 {
                    audit.record_blocking(call(writer * 100 + number));
                }
                audit.flush_blocking();
                assert_eq!(audit.status().unwritten, 0);
            });
        }
    });
    let report = verify_all(&state).expect("readable");
    assert_eq!((report.faults, report.notes), (Vec::new(), Vec::new()));
    let calls = calls(folder.path());
    for writer in 0..3 {
        let own = calls.iter().copied().filter(|number| number / 100 == writer);
        assert!(own.eq(writer * 100..writer * 100 + 30), "writer {writer}");
    }
}

#[test]
fn neither_arguments_nor_what_a_guard_says_are_recorded() {
    const CANARY: &str = "canary-5f1c";
    let folder = TempDir::new().expect("a folder");
    let state = StateDir::at(folder.path());
    let audit = Audit::open(&state).expect("opened");
    let Event::Call(base) = call(1).event else { panic!("a call") };
    let outcomes = [
        Outcome::denied(&Denial::Guard(CANARY.to_owned())),
        Outcome::denied(&Denial::GuardFailed(CANARY.into())),
        Outcome::Done,
    ];
    for outcome in outcomes {
        let arguments = Digest::of(format!(r#"{{"password":"{CANARY}"}}"#).as_bytes());
        let call = Call { outcome, arguments, ..base.clone() };
        let (at, principal) = (at(0), Principal::Local);
        audit.record_blocking(Entry { at, principal, event: Event::Call(call) });
    }
    audit.flush_blocking();
    assert_eq!(audit.status().written, 3);
    for file in fs::read_dir(folder.path()).expect("a folder") {
        let bytes = fs::read(file.expect("a file").path()).expect("readable");
        assert!(!String::from_utf8_lossy(&bytes).contains(CANARY));
    }
}

#[test]
fn long_texts_are_cut_and_say_so() {
    for (chars, is_cut) in [
        (AUDIT_TEXT_CHARS_MAX - 1, false),
        (AUDIT_TEXT_CHARS_MAX, false),
        (AUDIT_TEXT_CHARS_MAX + 1, true),
    ] {
        let folder = TempDir::new().expect("a folder");
        let mut log = Log::new(SystemDisk, &StateDir::at(folder.path()), AUDIT_FILE_BYTES_MAX);
        let Event::Call(base) = call(1).event else { panic!("a call") };
        // A control character is the longest to write, in six bytes.
        let [upstream, tool, exposed] = [(); 3].map(|()| "\u{1}".repeat(chars));
        let event = Event::Call(Call { upstream, tool, exposed, ..base });
        let entry = Entry { at: at(0), principal: Principal::Local, event };
        log.append(&[entry], 0, at(0)).expect("written");
        let records = records(folder.path());
        let tool = records[1]["tool"].as_str().expect("a text");
        assert_eq!(tool.ends_with('…'), is_cut, "{chars}");
        assert_eq!(tool.chars().count(), chars);
        assert_eq!(faults(folder.path()), [], "{chars}");
    }
}

#[test]
fn a_record_that_is_off_keeps_nothing() {
    let audit = Audit::off();
    audit.record_blocking(call(1));
    audit.flush_blocking();
    assert_eq!(audit.status(), AuditStatus::default());
}

#[cfg(unix)]
#[test]
fn the_files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = recorded(1..=9, 1_500);
    let files = fs::read_dir(folder.path()).expect("a folder");
    let mut count = 0;
    for file in files {
        let file = file.expect("a file");
        let mode = file.metadata().expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file:?}");
        count += 1;
    }
    assert!(count > 3);
}
