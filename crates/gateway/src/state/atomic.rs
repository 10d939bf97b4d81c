//! A file that is replaced as a whole: a reader, and whoever comes after a crash, finds the old one or the new one.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::{Disk, SystemDisk};

/// How the name of a file that is not in its place yet ends.
pub(super) const ENDING: &str = ".tmp";

/// Puts `bytes` in the place of the file at `path`, or creates it, with the permissions `mode`.
///
/// When it returns, the new file would survive a loss of power.
/// When it fails, or the process dies within it, the old file is whole and in its place, or the new one is.
///
/// Several writers do not disturb each other, but the last one wins: who changes what it has read holds a lock meanwhile.
///
/// # Errors
///
/// The file could not be written; its folder must exist.
///
/// ```
/// use oncue_gateway::state::write_atomically;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("catalog.json");
/// write_atomically(&path, b"one", 0o600)?;
/// write_atomically(&path, b"two", 0o600)?;
/// assert_eq!(std::fs::read(&path)?, b"two");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_atomically(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    replace(&SystemDisk, path, bytes, mode)
}

/// The same on any disk.
pub(crate) fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let folder = folder_of(path);
    let beside = beside(path)?;
    let written = (|| {
        let mut file = disk.create(&beside, mode)?;
        file.write_all(bytes)?;
        // Before the rename: a name must never lead to what is not on the disk yet.
        file.sync()?;
        disk.rename(&beside, path)
    })();
    if let Err(error) = written {
        // What is left is swept up later if this fails too.
        disk.remove(&beside).ok();
        return Err(error);
    }
    disk.sync_folder(folder)
}

/// Returns the folder that a file lies in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Returns a name beside the file that nobody else uses.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!("-{:016x}{ENDING}", fastrand::u64(..)));
    Ok(path.with_file_name(beside))
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::{replace, write_atomically};
    use crate::state::fragile::FragileDisk;

    const PATH: &str = "/state/file";

    #[test]
    fn whatever_fails_the_old_file_or_the_new_one_is_whole() {
        let path = Path::new(PATH);
        let mut steps = 0;
        for fail_at in 0.. {
            let disk = FragileDisk::default();
            replace(&disk, path, b"the old one", 0o600).expect("nothing fails yet");
            disk.fail_at(fail_at);
            let written = replace(&disk, path, b"something new", 0o600);
            let is_done = !disk.has_failed();
            assert_eq!(written.is_ok(), is_done, "a failure is never swallowed: step {fail_at}");
            // Whatever the loss of power leaves: each file name and each content that was not made lasting may be lost.
            for found in disk.after_power_loss(path) {
                let found = found.expect("there is always a file");
                let allowed: &[&[u8]] = match is_done {
                    true => &[b"something new"],
                    false => &[b"the old one", b"something new"],
                };
                assert!(allowed.contains(&&*found), "step {fail_at}: {found:?}");
            }
            if is_done {
                break;
            }
            steps += 1;
        }
        // Creating, two halves of writing, syncing, renaming, syncing the folder.
        assert_eq!(steps, 6);
    }

    #[test]
    fn what_could_not_be_written_leaves_nothing_beside() {
        for fail_at in 0..5 {
            let disk = FragileDisk::default();
            disk.fail_at(fail_at);
            assert!(replace(&disk, Path::new(PATH), b"x", 0o600).is_err());
            assert_eq!(disk.names(), [""; 0], "step {fail_at}");
        }
    }

    #[test]
    fn a_file_is_for_its_owner_alone_where_that_is_asked() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("secret");
        write_atomically(&path, b"x", 0o600)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path)?.permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }

    #[test]
    fn a_writer_without_a_folder_fails() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = write_atomically(&folder.path().join("none/file"), b"", 0o600);
        assert_eq!(error.map_err(|error| error.kind()), Err(io::ErrorKind::NotFound));
    }
}
