//! The queue and the thread that writes.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::SystemTime;

use tokio::runtime;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

use super::Entry;
use super::log::Log;
use crate::limits::{
    AUDIT_BATCH_MAX, AUDIT_FILE_BYTES_MAX, AUDIT_GATHER_TIME, AUDIT_HEAD_LAG_MAX, AUDIT_HEAD_TIME,
    AUDIT_WAITING_MAX,
};
use crate::state::{Disk, StateDir, SystemDisk};

/// The record of what is done. Lives as long as the process; clones write to the same record.
///
/// ```
/// use std::time::SystemTime;
///
/// use oncue_gateway::audit::{Audit, Change, ChangeKind, Entry, Event, verify_all};
/// use oncue_gateway::state::StateDir;
/// use oncue_tools::Principal;
///
/// # let folder = tempfile::tempdir()?;
/// let state = StateDir::at(folder.path());
/// let audit = Audit::open(&state)?;
/// let change = Change { kind: ChangeKind::Started, subject: "gateway".to_owned(), detail: None };
/// let (at, principal) = (SystemTime::now(), Principal::Local);
/// audit.record_blocking(Entry { at, principal, event: Event::Change(change) });
/// audit.flush_blocking();
/// assert_eq!(audit.status().written, 1);
/// assert!(verify_all(&state)?.faults.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Audit(Option<Handle>);

#[derive(Clone, Debug)]
struct Handle {
    queue: mpsc::Sender<Job>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    file: PathBuf,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    written: u64,
    unwritten: u64,
    error: Option<String>,
}

#[derive(Debug)]
enum Job {
    Record(Entry),
    Flush(oneshot::Sender<()>),
}

/// How the record is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditStatus {
    /// The file that is appended to; absent where nothing is recorded.
    pub file: Option<PathBuf>,
    /// Entries that this process has written, and that are on the disk.
    pub written: u64,
    /// Entries of this process that could not be written.
    pub unwritten: u64,
    /// Entries that wait.
    pub waiting: usize,
    /// What went wrong last; absent where the last batch was written.
    pub error: Option<String>,
}

/// Why nothing can be recorded.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the record `{file}`")]
pub struct AuditError {
    /// The file.
    pub file: String,
    /// Why not.
    #[source]
    pub source: io::Error,
}

impl Audit {
    /// A record that keeps nothing.
    #[must_use]
    pub const fn off() -> Self {
        Self(None)
    }

    /// Opens the record in this folder, and goes on where the last writer stopped.
    ///
    /// # Errors
    ///
    /// It cannot be read or written.
    pub fn open(state: &StateDir) -> Result<Self, AuditError> {
        Self::on(SystemDisk, state, AUDIT_FILE_BYTES_MAX, AUDIT_WAITING_MAX)
    }

    /// The same on any disk, with files and a queue of any size.
    pub(super) fn on(
        disk: impl Disk,
        state: &StateDir,
        file_bytes: u64,
        waiting: usize,
    ) -> Result<Self, AuditError> {
        let mut log = Log::new(disk, state, file_bytes);
        let file = log.file();
        let error = |source| AuditError { file: file.display().to_string(), source };
        log.check(SystemTime::now()).map_err(error)?;
        let (queue, jobs) = mpsc::channel(waiting);
        let shared = Arc::new(Shared { file: file.clone(), counts: Mutex::default() });
        let writer = Writer { log, jobs, shared: Arc::clone(&shared), lost: 0 };
        let thread = thread::Builder::new().name("oncue-audit".to_owned());
        thread.spawn(move || writer.run()).map_err(error)?;
        Ok(Self(Some(Handle { queue, shared })))
    }

    /// Records an entry. It waits only while too many others wait.
    pub async fn record(&self, entry: Entry) {
        if let Some(handle) = &self.0
            && handle.queue.send(Job::Record(entry)).await.is_err()
        {
            handle.shared.lose();
        }
    }

    /// Records an entry, outside of any asynchronous task.
    pub fn record_blocking(&self, entry: Entry) {
        if let Some(handle) = &self.0
            && handle.queue.blocking_send(Job::Record(entry)).is_err()
        {
            handle.shared.lose();
        }
    }

    /// Waits until everything that was recorded before is on the disk, or counted as unwritten.
    pub async fn flush(&self) {
        let Some(handle) = &self.0 else { return };
        let (done, wait) = oneshot::channel();
        if handle.queue.send(Job::Flush(done)).await.is_ok() {
            // A writer that is gone has nothing left to write.
            wait.await.ok();
        }
    }

    /// Does the same outside of any asynchronous task.
    pub fn flush_blocking(&self) {
        let Some(handle) = &self.0 else { return };
        let (done, wait) = oneshot::channel();
        if handle.queue.blocking_send(Job::Flush(done)).is_ok() {
            wait.blocking_recv().ok();
        }
    }

    /// Returns how the record is.
    #[must_use]
    pub fn status(&self) -> AuditStatus {
        let Some(handle) = &self.0 else { return AuditStatus::default() };
        let counts = handle.shared.counts();
        AuditStatus {
            file: Some(handle.shared.file.clone()),
            written: counts.written,
            unwritten: counts.unwritten,
            waiting: handle.queue.max_capacity() - handle.queue.capacity(),
            error: counts.error.clone(),
        }
    }
}

impl Shared {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an entry for which there is no writer any more.
    fn lose(&self) {
        let mut counts = self.counts();
        counts.unwritten += 1;
        counts.error.get_or_insert_with(|| "the writer has ended".to_owned());
    }
}

/// The thread that writes. Lives until the last handle is gone and everything is written.
struct Writer {
    log: Log,
    jobs: mpsc::Receiver<Job>,
    shared: Arc<Shared>,
    /// Entries that could not be written and that the record does not tell of yet.
    lost: u64,
}

impl Writer {
    fn run(mut self) {
        let clock = runtime::Builder::new_current_thread().enable_time().build();
        while let Some(batch) = self.next(clock.as_ref().ok()) {
            if !batch.entries.is_empty() {
                self.write(&batch.entries);
            }
            if batch.is_pause || !batch.waiting.is_empty() {
                self.tell_head();
            }
            for done in batch.waiting {
                // Whoever asked may have gone.
                done.send(()).ok();
            }
        }
        self.tell_head();
    }

    /// Returns what is written next, and nothing once nothing can come any more. Without a clock everything is written at once.
    fn next(&mut self, clock: Option<&runtime::Runtime>) -> Option<Batch> {
        match clock {
            Some(clock) => clock.block_on(self.gathered()),
            None => self.jobs.blocking_recv().map(|job| {
                let mut batch = Batch { is_pause: true, ..Batch::default() };
                batch.take(job);
                batch
            }),
        }
    }

    /// Waits for a first job, and a little longer for others: making something lasting costs as much for many records as for one.
    async fn gathered(&mut self) -> Option<Batch> {
        let mut batch = Batch::default();
        let first = match self.log.beyond_head() {
            0 => self.jobs.recv().await,
            _ => match timeout(AUDIT_HEAD_TIME, self.jobs.recv()).await {
                Ok(first) => first,
                Err(_) => return Some(Batch { is_pause: true, ..batch }),
            },
        };
        batch.take(first?);
        let end = Instant::now() + AUDIT_GATHER_TIME;
        while batch.waiting.is_empty() && batch.entries.len() < AUDIT_BATCH_MAX {
            match timeout_at(end, self.jobs.recv()).await {
                Ok(Some(job)) => batch.take(job),
                Ok(None) | Err(_) => break,
            }
        }
        Some(batch)
    }

    fn write(&mut self, entries: &[Entry]) {
        let count = entries.len() as u64;
        let written = self.log.append(entries, self.lost, SystemTime::now());
        let mut counts = self.shared.counts();
        match written.is_ok() {
            true => {
                counts.written += count;
                self.lost = 0;
            }
            false => {
                counts.unwritten += count;
                self.lost += count;
            }
        }
        drop(counts);
        self.tell(written.err());
        // While many come, the head is left behind a little.
        if self.log.beyond_head() >= AUDIT_HEAD_LAG_MAX {
            self.tell_head();
        }
    }

    fn tell_head(&mut self) {
        if self.log.beyond_head() > 0
            && let Err(error) = self.log.write_head()
        {
            self.tell(Some(error));
        }
    }

    fn tell(&self, error: Option<io::Error>) {
        let mut counts = self.shared.counts();
        if let Some(error) = &error
            && counts.error.is_none()
        {
            tracing::error!("cannot write the record `{}`: {error}", self.shared.file.display());
        }
        counts.error = error.map(|error| error.to_string());
    }
}

/// What is written at once.
#[derive(Default)]
struct Batch {
    entries: Vec<Entry>,
    /// Who waits until all that came before is written.
    waiting: Vec<oneshot::Sender<()>>,
    /// Whether nothing came for a while.
    is_pause: bool,
}

impl Batch {
    fn take(&mut self, job: Job) {
        match job {
            Job::Record(entry) => self.entries.push(entry),
            Job::Flush(done) => self.waiting.push(done),
        }
    }
}
