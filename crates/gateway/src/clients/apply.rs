//! Making a change: the one place of this module that writes.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Change;
use crate::config::Form;

/// What stands in a backup's name between the name of its file and the time.
const BACKUP: &str = ".oncue-";
/// How a backup's name ends.
const ENDING: &str = ".bak";

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The copy of what was there; absent where nothing was, or nothing was done.
    pub backup: Option<PathBuf>,
}

/// Why a change could not be made; the file is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The file is no longer what the change was computed from.
    #[error("`{0}` has changed meanwhile; look at the change again")]
    Changed(String),
    /// Reading or writing failed.
    #[error("cannot write `{file}`")]
    Io {
        /// The file.
        file: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
}

impl Change {
    /// Makes the change: keeps what was there beside the file under a name with `stamp`, then puts the new text in its place at once.
    ///
    /// A symbolic link stays one, permissions stay as they are, and a crash leaves either text whole. Settings are readable by their owner alone.
    ///
    /// # Errors
    ///
    /// The file is no longer what the change was computed from, or cannot be written.
    pub fn apply(&self, stamp: &str) -> Result<Applied, ApplyError> {
        if self.is_empty() {
            return Ok(Applied { backup: None });
        }
        let io = |source| ApplyError::Io { file: self.path.display().to_string(), source };
        let found = match fs::read(&self.path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io(error)),
        };
        if found.as_deref() != self.before.as_deref().map(str::as_bytes) {
            return Err(ApplyError::Changed(self.path.display().to_string()));
        }
        let backup = match &found {
            Some(bytes) => Some(keep(&self.path, bytes, stamp).map_err(io)?),
            None => None,
        };
        match &self.after {
            Some(text) => replace(&self.path, text, self.readers()).map_err(io)?,
            None => fs::remove_file(&self.path).map_err(io)?,
        }
        Ok(Applied { backup })
    }

    const fn readers(&self) -> Readers {
        match self.form {
            Form::Native => Readers::Owner,
            _ => Readers::AsBefore,
        }
    }
}

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    /// Whoever could before; a new file is readable like any other, since it holds no secret.
    AsBefore,
    /// Its owner alone.
    Owner,
}

/// Returns the backups beside a file, newest first, as far as times order them.
#[must_use]
pub fn backups(path: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Vec::new() };
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let beginning = format!("{}{BACKUP}", name.to_string_lossy());
    let Ok(files) = folder.read_dir() else { return Vec::new() };
    let is_backup = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&beginning) && name.ends_with(ENDING)
    };
    let mut found: Vec<PathBuf> =
        files.flatten().map(|file| file.path()).filter(is_backup).collect();
    found.sort_unstable_by(|left, right| right.cmp(left));
    found
}

/// Writes a copy beside the file, with its permissions, and returns where.
fn keep(path: &Path, bytes: &[u8], stamp: &str) -> io::Result<PathBuf> {
    let permissions = fs::metadata(path)?.permissions();
    for again in 0..=u8::MAX {
        let mut name = OsString::from(path.file_name().unwrap_or_default());
        let count = if again == 0 { String::new() } else { format!("-{again}") };
        name.push(format!("{BACKUP}{stamp}{count}{ENDING}"));
        let backup = path.with_file_name(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Nobody may look in while the permissions are not set yet.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&backup) {
            Ok(mut file) => {
                file.write_all(bytes)?;
                file.set_permissions(permissions)?;
                file.sync_all()?;
                return Ok(backup);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Puts a text in the place of a file, at once.
fn replace(path: &Path, text: &str, readers: Readers) -> io::Result<()> {
    // A link stays, and what it leads to is replaced.
    let linked = || fs::read_link(path).map(|to| path.with_file_name("").join(to));
    let target = fs::canonicalize(path).or_else(|_| linked()).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".oncue-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    match (readers, fs::metadata(&target)) {
        // A temporary file is made like that.
        (Readers::Owner, _) => {}
        (Readers::AsBefore, Ok(old)) => file.as_file().set_permissions(old.permissions())?,
        (Readers::AsBefore, Err(_)) => permit_reading(file.as_file())?,
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    // The new name must be on disk too. Where a folder cannot be opened, the system sees to it.
    if let Ok(folder) = File::open(folder) {
        folder.sync_all().ok();
    }
    Ok(())
}

#[cfg(unix)]
fn permit_reading(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn permit_reading(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
