//! What stores ask of a disk, and the real one. The broken one of the tests is beside it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::SystemTime;

/// A disk, as far as stores need one. Lives as long as the store.
pub(crate) trait Disk: Send + Sync + 'static {
    /// Returns what a file holds.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Returns the last bytes of a file, up to `bytes` of them, and the length of the whole.
    fn read_end(&self, path: &Path, bytes: u64) -> io::Result<(Vec<u8>, u64)>;

    /// Returns by what a change of a file is told; `None` where there is no file.
    fn stamp(&self, path: &Path) -> io::Result<Option<Stamp>>;

    /// Creates a file that is not there yet.
    fn create(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>>;

    /// Opens a file to write at its end, and creates it where it is not there.
    fn append(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>>;

    /// Cuts a file, and waits until that would survive a loss of power.
    fn truncate(&self, path: &Path, bytes: u64) -> io::Result<()>;

    /// Gives a file another name; one that had that name is gone at the same moment.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Takes a file away.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until the names in a folder would survive a loss of power.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Waits until nobody else, in this process or another, holds the lock of this file.
    fn lock(&self, path: &Path) -> io::Result<Lock>;
}

/// A file that is written.
pub(crate) trait OpenFile: Send {
    /// Writes all of it.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits until what was written would survive a loss of power.
    fn sync(&mut self) -> io::Result<()>;
}

/// Holds a lock until it is dropped.
pub(crate) struct Lock {
    _file: Option<File>,
}

/// By what a change of a file is told without reading it.
///
/// Where the system numbers files, a file that was replaced has another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Its length, in bytes.
    pub(crate) bytes: u64,
    changed: Option<SystemTime>,
    number: u64,
}

/// The disk of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SystemDisk;

impl Disk for SystemDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn read_end(&self, path: &Path, bytes: u64) -> io::Result<(Vec<u8>, u64)> {
        let mut file = File::open(path)?;
        let all = file.metadata()?.len();
        file.seek(SeekFrom::Start(all.saturating_sub(bytes)))?;
        let mut end = Vec::new();
        file.take(bytes).read_to_end(&mut end)?;
        Ok((end, all))
    }

    fn stamp(&self, path: &Path) -> io::Result<Option<Stamp>> {
        match fs::metadata(path) {
            Ok(found) => Ok(Some(Stamp {
                bytes: found.len(),
                changed: found.modified().ok(),
                number: number(&found),
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn create(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(options(mode).write(true).create_new(true).open(path)?))
    }

    fn append(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(options(mode).append(true).create(true).open(path)?))
    }

    fn truncate(&self, path: &Path, bytes: u64) -> io::Result<()> {
        // Apart from the one that appends, which may not cut on Windows.
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(bytes)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        match cfg!(unix) {
            true => File::open(folder)?.sync_all(),
            // A folder cannot be opened there; the system writes names by itself.
            false => Ok(()),
        }
    }

    fn lock(&self, path: &Path) -> io::Result<Lock> {
        let file = options(0o600).read(true).write(true).create(true).truncate(false).open(path)?;
        file.lock()?;
        Ok(Lock { _file: Some(file) })
    }
}

impl OpenFile for File {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        io::Write::write_all(self, bytes)?;
        self.flush()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

#[cfg(test)]
impl Lock {
    /// A lock of what nobody else can reach.
    pub(crate) const fn none() -> Self {
        Self { _file: None }
    }
}

#[cfg(test)]
impl Stamp {
    /// A stamp of the `number`th change.
    pub(crate) const fn numbered(bytes: u64, number: u64) -> Self {
        Self { bytes, changed: None, number }
    }
}

/// Files are created with `mode`, and so are never readable by others before.
#[cfg(unix)]
fn options(mode: u32) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.mode(mode);
    options
}

#[cfg(not(unix))]
fn options(_: u32) -> OpenOptions {
    OpenOptions::new()
}

#[cfg(unix)]
fn number(found: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> u64 {
    0
}
