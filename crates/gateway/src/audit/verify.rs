//! What is wrong with a record: a line that was changed, removed, moved or cut, and where.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::Digest;
use super::files::{self, CURRENT, HEAD, LOCK};
use super::line::{self, Head, Link, Parsed, Said};
use crate::limits::AUDIT_LINE_BYTES_MAX;
use crate::state::StateDir;

/// What a record is like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The files that were read, the oldest first.
    pub files: Vec<PathBuf>,
    /// How many records there are.
    pub records: u64,
    /// The number of the first one; 0 where there is none.
    pub first: u64,
    /// The number of the last one; 0 where there is none.
    pub last: u64,
    /// The digest of the last one, to be kept elsewhere.
    pub digest: Option<Digest>,
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// What is not wrong and worth knowing.
    pub notes: Vec<Note>,
}

/// Something that is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong there.
    pub kind: FaultKind,
}

/// What is wrong with a place in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The line is no record: it was cut, or written over.
    NoRecord,
    /// The record is not what was written.
    Changed {
        /// Its number, as it says.
        n: u64,
    },
    /// Records are missing before this line, or at the end of the file.
    Missing {
        /// The number of the first.
        from: u64,
        /// The number of the last.
        to: u64,
    },
    /// The record does not belong here.
    Moved {
        /// Its number.
        n: u64,
        /// The number that belongs here.
        expected: u64,
    },
    /// The record follows another than the one before it, which was replaced.
    Unlinked {
        /// Its number.
        n: u64,
    },
    /// The file with the records before this one was not put away: it was emptied, replaced or removed.
    Vanished {
        /// The number of the record.
        n: u64,
    },
    /// The file does not begin with the record that says so.
    NoBeginning,
    /// The file was full and does not end with the record that says so.
    Cut,
}

/// Something that a record says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The number of the record; 0 where it is about none.
    pub n: u64,
    /// What.
    pub kind: NoteKind,
}

/// What a record says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// A crash left a piece of a line, which was set aside.
    Torn {
        /// Its size, in bytes.
        bytes: u64,
        /// The file that has it.
        aside: String,
    },
    /// So many entries could not be written before this record.
    Lost {
        /// How many.
        records: u64,
    },
    /// Nothing is kept of the last record, so whether the last ones are there cannot be told.
    NoHead,
    /// The oldest files are not here.
    Begins,
}

/// Why a record cannot be examined.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{file}`")]
pub struct VerifyError {
    /// The file.
    pub file: String,
    /// Why not.
    #[source]
    pub source: io::Error,
}

/// Examines one file of a record.
///
/// What is missing at its end is found where the file was full, or where it is the current one and beside its head.
///
/// # Errors
///
/// It cannot be read.
pub fn verify(file: &Path) -> Result<Report, VerifyError> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let is_current = file.file_name().is_some_and(|name| name == CURRENT);
    examine(folder, is_current, |_| Ok(vec![file.to_owned()]))
}

/// Examines all files of the record in a folder, as one chain.
///
/// A gateway may be writing meanwhile: what it appends after the beginning is left out.
///
/// # Errors
///
/// They cannot be read.
pub fn verify_all(state: &StateDir) -> Result<Report, VerifyError> {
    examine(state.path(), true, files::all)
}

fn examine(
    folder: &Path,
    to_head: bool,
    files: impl FnOnce(&Path) -> io::Result<Vec<PathBuf>>,
) -> Result<Report, VerifyError> {
    let error = |path: &Path, source| VerifyError { file: path.display().to_string(), source };
    let (opened, head) = {
        // So that nothing is written while the ends are taken. Where nobody ever wrote there is nobody to wait for.
        let turn = File::open(folder.join(LOCK)).ok();
        if let Some(turn) = &turn {
            turn.lock_shared().map_err(|source| error(folder, source))?;
        }
        let mut opened = Vec::new();
        for path in files(folder).map_err(|source| error(folder, source))? {
            let open = File::open(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
            let (bytes, file) = open.map_err(|source| error(&path, source))?;
            opened.push((path, file.take(bytes)));
        }
        let head = std::fs::read(folder.join(HEAD)).ok().filter(|_| to_head);
        (opened, head.and_then(|bytes| Head::parse(&bytes)).map(|head| head.link))
    };
    let mut examiner = Examiner { head, ..Examiner::default() };
    let count = opened.len();
    for (at, (path, file)) in opened.into_iter().enumerate() {
        let must_be_full = files::is_full(&path) || at + 1 < count;
        examiner.read(&path, file, must_be_full).map_err(|source| error(&path, source))?;
    }
    Ok(examiner.finish(to_head))
}

/// Goes along a chain. Lives as long as one examination.
#[derive(Default)]
struct Examiner {
    report: Report,
    /// The record before, as far as it is known; absent before the first.
    before: Option<Before>,
    head: Option<Link>,
    /// Where the last line is.
    place: (PathBuf, u64),
}

struct Before {
    n: u64,
    /// Absent where the line before was no record.
    hash: Option<Digest>,
}

impl Examiner {
    fn read(&mut self, path: &Path, file: impl Read, must_be_full: bool) -> io::Result<()> {
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        let mut is_full = false;
        self.report.files.push(path.to_owned());
        self.place = (path.to_owned(), 0);
        loop {
            line.clear();
            // No record is longer; what follows is examined as another line, which is no record either.
            let mut bounded = (&mut reader).take(AUDIT_LINE_BYTES_MAX as u64);
            if bounded.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            self.place.1 += 1;
            let record = line.strip_suffix(b"\n").and_then(line::parse);
            is_full = record.as_ref().is_some_and(|record| record.said == Said::Rotated);
            match record {
                Some(record) => {
                    if self.place.1 == 1 && !matches!(record.said, Said::Began { .. }) {
                        self.fault(FaultKind::NoBeginning);
                    }
                    self.record(record);
                }
                None => self.no_record(),
            }
        }
        if must_be_full && !is_full {
            self.fault(FaultKind::Cut);
        }
        Ok(())
    }

    fn record(&mut self, record: Parsed) {
        let n = record.link.n;
        match &self.before {
            None if n == 1 && record.prev != Digest::NONE => self.fault(FaultKind::Unlinked { n }),
            None if n > 1 => {
                self.report.notes.push(Note { n, kind: NoteKind::Begins });
            }
            None => {}
            Some(before) if n <= before.n => {
                let expected = before.n + 1;
                self.fault(FaultKind::Moved { n, expected });
            }
            Some(before) if n > before.n + 1 => {
                let (from, to) = (before.n + 1, n - 1);
                self.fault(FaultKind::Missing { from, to });
            }
            Some(before) if before.hash.is_some_and(|hash| hash != record.prev) => {
                self.fault(FaultKind::Unlinked { n });
            }
            Some(_) => {}
        }
        let is_told = self.head.is_none_or(|head| head.n != n || head.hash == record.link.hash);
        if !record.is_whole || !is_told {
            self.fault(FaultKind::Changed { n });
        }
        match record.said {
            Said::Torn { bytes, aside } => {
                self.report.notes.push(Note { n, kind: NoteKind::Torn { bytes, aside } });
            }
            Said::Lost { records } => {
                self.report.notes.push(Note { n, kind: NoteKind::Lost { records } });
            }
            Said::Began { has_vanished: true } => self.fault(FaultKind::Vanished { n }),
            Said::Began { has_vanished: false } | Said::Rotated | Said::Other => {}
        }
        if self.report.records == 0 {
            self.report.first = n;
        }
        self.report.records += 1;
        self.report.last = n;
        self.report.digest = Some(record.link.hash);
        self.before = Some(Before { n, hash: Some(record.link.hash) });
    }

    fn no_record(&mut self) {
        self.fault(FaultKind::NoRecord);
        // It stands in the place of one.
        let n = self.before.as_ref().map_or(1, |before| before.n + 1);
        self.before = Some(Before { n, hash: None });
    }

    fn finish(mut self, to_head: bool) -> Report {
        let last = self.before.as_ref().map_or(0, |before| before.n);
        match self.head {
            Some(head) if head.n > last => {
                self.place.1 += 1;
                self.fault(FaultKind::Missing { from: last + 1, to: head.n });
            }
            None if to_head && self.report.records > 0 => {
                self.report.notes.push(Note { n: 0, kind: NoteKind::NoHead });
            }
            _ => {}
        }
        self.report
    }

    fn fault(&mut self, kind: FaultKind) {
        let (file, line) = self.place.clone();
        self.report.faults.push(Fault { file, line, kind });
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.kind)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRecord => write!(f, "this is no record; it was cut or written over"),
            Self::Changed { n } => write!(f, "record {n} is not what was written"),
            Self::Missing { from, to } if from == to => write!(f, "record {from} is missing"),
            Self::Missing { from, to } => write!(f, "records {from} to {to} are missing"),
            Self::Moved { n, expected } => {
                write!(f, "record {n} stands in the place of record {expected}")
            }
            Self::Unlinked { n } => {
                write!(f, "record {n} does not follow the record before it, which was replaced")
            }
            Self::Vanished { n } => write!(f, "the file with the records before {n} has vanished"),
            Self::NoBeginning => write!(f, "the beginning of this file is missing"),
            Self::Cut => write!(f, "the end of this file is missing"),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.n;
        match &self.kind {
            NoteKind::Torn { bytes, aside } => {
                write!(f, "record {n}: a crash left {bytes} bytes of a line, kept in `{aside}`")
            }
            NoteKind::Lost { records } => {
                write!(f, "record {n}: {records} entries before it could not be written")
            }
            NoteKind::NoHead => write!(
                f,
                "`{HEAD}` is missing or damaged, so whether the last records are there cannot be told"
            ),
            NoteKind::Begins => write!(f, "the records before {n} are not here"),
        }
    }
}
