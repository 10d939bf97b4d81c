//! The folder in which catalogs, tokens and records are kept.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use secrecy::ExposeSecret;

use super::atomic::ENDING;
use crate::clients::Platform;
use crate::config::Environment;
use crate::limits::LEFTOVER_AGE_MIN;

/// The name of the folder in the usual place of the system.
const NAME: &str = "oncue";

/// Why there is no folder to keep anything in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Neither the command line nor the settings name a folder, and the system has no usual place.
    #[error("there is no place to keep anything in: none of {variables} is set")]
    Nowhere {
        /// The variables that would tell.
        variables: &'static str,
    },
    /// The folder cannot be made or looked at.
    #[error("cannot use the folder `{folder}`")]
    Io {
        /// The folder.
        folder: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// Other users of the machine may change what is in the folder.
    #[error("others may write in the folder `{folder}`")]
    Open {
        /// The folder.
        folder: String,
    },
}

impl StateError {
    /// Returns what to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Nowhere { .. } => "name a folder with `--state-dir DIR`".to_owned(),
            Self::Io { .. } => "make it usable, or name another with `--state-dir DIR`".to_owned(),
            Self::Open { folder } => format!("take the right from them: chmod go-w '{folder}'"),
        }
    }
}

/// The folder in which a gateway keeps what outlives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDir(PathBuf);

impl StateDir {
    /// This very folder.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Returns the folder: the one of the command line, else that of the settings, else the usual one of the system.
    ///
    /// The usual place is `oncue` in `XDG_STATE_HOME` or `~/.local/state` on Linux, in `~/Library/Application Support` on macOS, in `LOCALAPPDATA` on Windows.
    ///
    /// # Errors
    ///
    /// Nobody names one and the environment does not tell the usual one.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use oncue_gateway::config::Environment;
    /// use oncue_gateway::state::StateDir;
    ///
    /// let state = StateDir::choose(Some(Path::new("/srv/oncue")), None, &Environment::default())?;
    /// assert_eq!(state.path(), Path::new("/srv/oncue"));
    /// # Ok::<(), oncue_gateway::state::StateError>(())
    /// ```
    pub fn choose(
        typed: Option<&Path>,
        set: Option<&Path>,
        environment: &Environment,
    ) -> Result<Self, StateError> {
        match typed.or(set) {
            Some(path) => Ok(Self::at(path)),
            None => usual(Platform::current(), environment).map(Self),
        }
    }

    /// Makes the folder, for this user alone, where it is not there yet, and sweeps up what a crash has left.
    ///
    /// # Errors
    ///
    /// It cannot be made, or others may write in it: whoever can replace the tokens is let in with any.
    pub fn create(&self) -> Result<(), StateError> {
        let io = |source| StateError::Io { folder: self.shown(), source };
        make(&self.0).map_err(io)?;
        if is_open(&self.0).map_err(io)? {
            return Err(StateError::Open { folder: self.shown() });
        }
        sweep(&self.0, SystemTime::now());
        Ok(())
    }

    /// Returns the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns where a file in it is.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn shown(&self) -> String {
        self.0.display().to_string()
    }
}

fn usual(platform: Platform, environment: &Environment) -> Result<PathBuf, StateError> {
    let folder = |name: &str| {
        let value = environment.get(name)?.expose_secret();
        // What is relative is to be passed over, says the specification of these variables.
        Path::new(value).has_root().then(|| PathBuf::from(value))
    };
    let (found, variables) = match platform {
        Platform::Linux => {
            let home = || folder("HOME").map(|home| home.join(".local/state"));
            (folder("XDG_STATE_HOME").or_else(home), "`XDG_STATE_HOME`, `HOME`")
        }
        Platform::MacOs => {
            (folder("HOME").map(|home| home.join("Library/Application Support")), "`HOME`")
        }
        Platform::Windows => {
            let profile = || folder("USERPROFILE").map(|home| home.join("AppData").join("Local"));
            (folder("LOCALAPPDATA").or_else(profile), "`LOCALAPPDATA`, `USERPROFILE`")
        }
    };
    found.map(|folder| folder.join(NAME)).ok_or(StateError::Nowhere { variables })
}

fn make(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(unix)]
fn is_open(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::metadata(path)?.permissions().mode() & 0o022 != 0)
}

/// What is below a user's own folder there is for that user.
#[cfg(not(unix))]
fn is_open(_: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Takes away files that were never put in their place, unless they are so young that somebody may still write them.
fn sweep(folder: &Path, now: SystemTime) {
    let Ok(files) = folder.read_dir() else { return };
    for file in files.flatten() {
        let name = file.file_name();
        let name = name.to_string_lossy();
        let is_leftover = name.starts_with('.') && name.ends_with(ENDING);
        let age = || now.duration_since(file.metadata().ok()?.modified().ok()?).ok();
        if is_leftover && age().is_some_and(|age| age >= LEFTOVER_AGE_MIN) {
            // It is harmless, and tried again next time.
            std::fs::remove_file(file.path()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::SystemTime;

    use super::{StateDir, StateError, sweep, usual};
    use crate::clients::Platform;
    use crate::config::Environment;
    use crate::limits::LEFTOVER_AGE_MIN;

    #[test]
    fn each_system_has_its_usual_place() {
        use Platform::{Linux, MacOs, Windows};
        type Case<'c> = (Platform, &'c [(&'c str, &'c str)], Option<&'c str>);
        let cases: [Case<'_>; 8] = [
            (Linux, &[("HOME", "/h"), ("XDG_STATE_HOME", "/x")], Some("/x/oncue")),
            (Linux, &[("HOME", "/h")], Some("/h/.local/state/oncue")),
            (Linux, &[("HOME", "/h"), ("XDG_STATE_HOME", "")], Some("/h/.local/state/oncue")),
            (Linux, &[("HOME", "/h"), ("XDG_STATE_HOME", "x")], Some("/h/.local/state/oncue")),
            (MacOs, &[("HOME", "/h")], Some("/h/Library/Application Support/oncue")),
            (Windows, &[("LOCALAPPDATA", "/l")], Some("/l/oncue")),
            (Windows, &[("USERPROFILE", "/u")], Some("/u/AppData/Local/oncue")),
            (Linux, &[("LOCALAPPDATA", "/l")], None),
        ];
        for (platform, variables, expected) in cases {
            let environment = Environment::new(variables.iter().copied());
            let found = usual(platform, &environment).ok();
            assert_eq!(found.as_deref(), expected.map(Path::new), "{variables:?}");
        }
    }

    #[test]
    fn the_command_line_goes_before_the_settings() {
        let none = Environment::default();
        let (typed, set) = (Some(Path::new("/t")), Some(Path::new("/s")));
        let chosen = |typed, set| StateDir::choose(typed, set, &none).map(|state| state.0);
        assert_eq!(chosen(typed, set).expect("named"), Path::new("/t"));
        assert_eq!(chosen(None, set).expect("named"), Path::new("/s"));
        assert!(matches!(chosen(None, None), Err(StateError::Nowhere { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_is_for_this_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let state = StateDir::at(folder.path().join("a/b"));
        state.create().expect("made");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(state.path()), 0o700);
        for (mode, is_usable) in [(0o755, true), (0o770, false), (0o702, false), (0o700, true)] {
            fs::set_permissions(state.path(), fs::Permissions::from_mode(mode)).expect("set");
            assert_eq!(state.create().is_ok(), is_usable, "{mode:o}");
        }
    }

    #[test]
    fn leftovers_are_swept_up_when_nobody_can_write_them_any_more() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [".tokens.json-1.tmp", "tokens.json", "kept.tmp", ".kept"] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        let left = || fs::read_dir(folder.path()).expect("read").count();
        sweep(folder.path(), SystemTime::now());
        assert_eq!(left(), 4, "too young");
        sweep(folder.path(), SystemTime::now() + 2 * LEFTOVER_AGE_MIN);
        assert_eq!(left(), 3);
        assert!(!folder.path().join(".tokens.json-1.tmp").exists());
    }
}
