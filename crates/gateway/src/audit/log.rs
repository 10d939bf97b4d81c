//! The files of the record: appending, beginning a new one, going on after a crash.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::event::{Entry, Own};
use super::files::{self, CURRENT, HEAD, LOCK};
use super::line::{self, Head, Link, Said};
use crate::limits::AUDIT_LINE_BYTES_MAX;
use crate::state::{Disk, OpenFile, Stamp, StateDir, replace};

/// For its owner alone.
const MODE: u32 = 0o600;

/// The files, as one writer sees them. Lives as long as the writer; other processes may write too.
pub(super) struct Log {
    disk: Box<dyn Disk>,
    state: StateDir,
    /// Size from which a new file is begun, in bytes.
    file_bytes: u64,
    open: Option<Open>,
    /// The number of the last record that the head tells of.
    head: u64,
}

/// The current file, as it was left.
struct Open {
    file: Box<dyn OpenFile>,
    /// By what it is told that nobody else has written meanwhile.
    stamp: Stamp,
    link: Link,
    /// Where it is empty: the one before was not put away.
    has_vanished: bool,
}

impl Log {
    pub(super) fn new(disk: impl Disk, state: &StateDir, file_bytes: u64) -> Self {
        Self { disk: Box::new(disk), state: state.clone(), file_bytes, open: None, head: 0 }
    }

    /// Returns the file that is appended to.
    pub(super) fn file(&self) -> PathBuf {
        self.state.file(CURRENT)
    }

    /// Goes on where the last writer stopped, so that what is wrong with the files is known before anything is to be recorded.
    pub(super) fn check(&mut self, now: SystemTime) -> io::Result<()> {
        let _turn = self.disk.lock(&self.state.file(LOCK))?;
        self.resume(now)
    }

    /// Appends entries, `lost` being how many could not be written before, and waits until they are on the disk.
    ///
    /// When it fails, what of them is in the file is cut off again, or else set aside the next time as far as it is no whole record.
    pub(super) fn append(
        &mut self,
        entries: &[Entry],
        lost: u64,
        now: SystemTime,
    ) -> io::Result<()> {
        let _turn = self.disk.lock(&self.state.file(LOCK))?;
        self.resume(now)?;
        if self.open.as_ref().is_some_and(|open| open.stamp.bytes >= self.file_bytes) {
            self.rotate(now)?;
        }
        self.write(now, |text, link| {
            if lost > 0 {
                line::push_own(text, link, now, &Own::Lost { records: lost })?;
            }
            entries.iter().try_for_each(|entry| line::push(text, link, entry))
        })
    }

    /// Keeps number and digest of the last record apart. It may lag behind: it finds what is missing up to there.
    pub(super) fn write_head(&mut self) -> io::Result<()> {
        let _turn = self.disk.lock(&self.state.file(LOCK))?;
        match self.open.as_ref().map(|open| open.link) {
            Some(link) => self.put_head(Head { link, is_full: false }),
            None => Ok(()),
        }
    }

    fn put_head(&mut self, head: Head) -> io::Result<()> {
        // Another process may have told of later ones.
        let told = self.read_head()?.map_or(0, |head| head.link.n);
        if head.link.n > told {
            replace(&*self.disk, &self.state.file(HEAD), head.text().as_bytes(), MODE)?;
        }
        self.head = told.max(head.link.n);
        Ok(())
    }

    /// Returns how many records the head does not tell of yet.
    pub(super) fn beyond_head(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| open.link.n.saturating_sub(self.head))
    }

    /// Appends lines to the current file and makes them lasting.
    fn write(
        &mut self,
        now: SystemTime,
        lines: impl FnOnce(&mut String, &mut Link) -> serde_json::Result<()>,
    ) -> io::Result<()> {
        // Whatever fails, the file is looked at afresh the next time.
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let is_new = open.stamp.bytes == 0;
        let mut text = String::new();
        if is_new {
            let began = Own::Began { has_vanished: open.has_vanished };
            line::push_own(&mut text, &mut open.link, now, &began)?;
        }
        lines(&mut text, &mut open.link)?;
        let written = open.file.write_all(text.as_bytes()).and_then(|()| open.file.sync());
        if let Err(error) = written {
            self.disk.truncate(&self.file(), open.stamp.bytes).ok();
            return Err(error);
        }
        if is_new {
            self.disk.sync_folder(self.state.path())?;
        }
        open.stamp = self.stamp()?.ok_or(io::ErrorKind::NotFound)?;
        self.open = Some(open);
        Ok(())
    }

    /// Closes the current file with a record that says so, and begins another.
    fn rotate(&mut self, now: SystemTime) -> io::Result<()> {
        self.write(now, |text, link| line::push_own(text, link, now, &Own::Rotated))?;
        self.put_away()
    }

    /// Gives the current file, which is full, its lasting name, and opens a new one.
    fn put_away(&mut self) -> io::Result<()> {
        let Some(Open { link, .. }) = self.open.take() else { return Ok(()) };
        // Before the file has gone: without it nothing but the head tells where to go on.
        self.put_head(Head { link, is_full: true })?;
        let name = self.free(|again| files::full(link.n, again))?;
        self.disk.rename(&self.file(), &self.state.file(&name))?;
        self.disk.sync_folder(self.state.path())?;
        self.open = Some(self.begin(link, false)?);
        Ok(())
    }

    /// Makes sure that the current file is open and ends with a record.
    fn resume(&mut self, now: SystemTime) -> io::Result<()> {
        let stamp = self.stamp()?;
        if self.open.as_ref().is_some_and(|open| Some(open.stamp) == stamp) {
            return Ok(());
        }
        self.open = None;
        let head = self.read_head()?.unwrap_or(Head { link: Link::START, is_full: true });
        self.head = head.link.n;
        let found = match stamp {
            Some(stamp) if stamp.bytes > 0 => Some(self.find_end()?),
            _ => None,
        };
        let Some(end) = found else {
            self.open = Some(self.begin(head.link, !head.is_full)?);
            return Ok(());
        };
        let link = later(head.link, end.link);
        let torn = self.set_aside(&end, link)?;
        self.open = Some(self.begin(link, !head.is_full)?);
        if end.is_full {
            self.put_away()?;
        }
        match torn {
            Some(torn) => self.write(now, |text, link| line::push_own(text, link, now, &torn)),
            None => Ok(()),
        }
    }

    /// Moves what is no record from the end of the current file to one of its own.
    fn set_aside(&self, end: &End, link: Link) -> io::Result<Option<Own>> {
        if end.torn.is_empty() {
            return Ok(None);
        }
        let name = self.free(|again| files::aside(link.n + 1, again))?;
        let (aside, file) = (self.state.file(&name), self.file());
        if end.bytes == 0 {
            // Nothing of the file is a record as far as was looked.
            self.disk.rename(&file, &aside)?;
            self.disk.sync_folder(self.state.path())?;
        } else {
            replace(&*self.disk, &aside, &end.torn, MODE)?;
            self.disk.truncate(&file, end.bytes)?;
        }
        Ok(Some(Own::Torn { bytes: end.torn_bytes, aside: name }))
    }

    /// Opens the current file to append behind `link`. Where it is empty, `has_vanished` says whether the one before was not put away.
    fn begin(&self, link: Link, has_vanished: bool) -> io::Result<Open> {
        let file = self.disk.append(&self.file(), MODE)?;
        let stamp = self.stamp()?.ok_or(io::ErrorKind::NotFound)?;
        Ok(Open { file, stamp, link, has_vanished })
    }

    /// Finds the last record of the current file, and what follows it.
    fn find_end(&self) -> io::Result<End> {
        let (tail, all) = self.disk.read_end(&self.file(), 2 * AUDIT_LINE_BYTES_MAX as u64)?;
        let before = all - tail.len() as u64;
        let mut end = tail.len();
        while end > 0 {
            let line_end = tail.get(..end).unwrap_or_default();
            let Some(at) = line_end.iter().rposition(|&byte| byte == b'\n') else { break };
            let line = line_end.get(..at).unwrap_or_default();
            let start = line.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let parsed = line::parse(line.get(start..).unwrap_or_default());
            if let Some(record) = parsed.filter(|record| record.is_whole) {
                let torn = tail.get(at + 1..).unwrap_or_default().to_vec();
                return Ok(End {
                    link: record.link,
                    bytes: before + at as u64 + 1,
                    torn_bytes: torn.len() as u64,
                    torn,
                    is_full: record.said == Said::Rotated,
                });
            }
            end = at;
        }
        Ok(End { link: Link::START, bytes: 0, torn_bytes: all, torn: tail, is_full: false })
    }

    /// Returns a name that no file has.
    fn free(&self, name: impl Fn(u32) -> String) -> io::Result<String> {
        for again in 0.. {
            let name = name(again);
            if self.disk.stamp(&self.state.file(&name))?.is_none() {
                return Ok(name);
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn read_head(&self) -> io::Result<Option<Head>> {
        match self.disk.read(&self.state.file(HEAD)) {
            Ok(bytes) => Ok(Head::parse(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn stamp(&self) -> io::Result<Option<Stamp>> {
        self.disk.stamp(Path::new(&self.file()))
    }
}

/// The end of the current file.
struct End {
    link: Link,
    /// Where the last record ends, in bytes from the start of the file; 0 where there is none.
    bytes: u64,
    /// What follows it.
    torn: Vec<u8>,
    torn_bytes: u64,
    is_full: bool,
}

/// Returns where to go on. The head goes before what the file ends with, so that a missing or changed last record is never smoothed over.
fn later(head: Link, found: Link) -> Link {
    if found.n > head.n { found } else { head }
}
