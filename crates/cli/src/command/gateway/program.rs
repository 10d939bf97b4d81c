//! By which path a client starts this program.

use std::io;
use std::path::{Path, PathBuf};

/// Returns a path that leads to this program: the one on `PATH` where that is this program too, since it stays when a package manager puts a newer one there.
///
/// # Errors
///
/// The system does not tell where the program is.
pub(super) fn own_path() -> io::Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(stable(&std::env::current_exe()?, std::env::split_paths(&path)))
}

fn stable(own: &Path, folders: impl Iterator<Item = PathBuf>) -> PathBuf {
    let Some(name) = own.file_name() else { return own.to_owned() };
    let real = |path: &Path| path.canonicalize().ok();
    let found = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(name));
    // The first one alone counts: it is what the name starts.
    let first = found.into_iter().find(|path| path.is_file());
    first.filter(|path| real(path).is_some() && real(path) == real(own)).unwrap_or(own.to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::stable;

    #[test]
    fn the_path_that_outlives_an_update_is_preferred() {
        let folder = tempfile::tempdir().expect("a folder");
        let [cellar, bin, other] = ["cellar-1.0", "bin", "other"].map(|name| {
            let path = folder.path().join(name);
            fs::create_dir(&path).expect("made");
            path
        });
        let own = cellar.join("oncue");
        fs::write(&own, "").expect("written");
        assert_eq!(stable(&own, [bin.clone()].into_iter()), own, "it is not on PATH");
        symlink(&own, bin.join("oncue")).expect("linked");
        assert_eq!(stable(&own, [bin.clone()].into_iter()), bin.join("oncue"));
        fs::write(other.join("oncue"), "").expect("written");
        assert_eq!(stable(&own, [other, bin].into_iter()), own, "the name starts another program");
    }
}
