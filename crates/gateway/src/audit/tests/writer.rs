//! The queue and the thread that writes, alone and beside others.

use std::future::{Future, poll_fn};
use std::io;
use std::path::Path;
use std::pin::pin;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::Poll;

use tempfile::TempDir;

use super::*;
use crate::limits::AUDIT_FILE_BYTES_MAX;
use crate::state::{Disk, Lock, OpenFile, Stamp};

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

    fn truncate(&self, path: &Path, bytes: u64) -> io::Result<()> {
        self.disk.truncate(path, bytes)
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
