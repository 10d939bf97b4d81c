//! Where the settings are that nobody has named: one rule for every command.

use std::path::{Path, PathBuf};

use secrecy::ExposeSecret;

use super::{Context, Environment};

/// The name of the file of settings.
const FILE: &str = "oncue.toml";

/// The folder of the user's file, within the one for settings.
const FOLDER: &str = "oncue";

impl Context {
    /// What this process is started with: the home of its user, and the folder that it is in.
    #[must_use]
    pub fn of_process() -> Self {
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        Self { home, cwd: std::env::current_dir().ok() }
    }

    /// Returns the file of settings that is read where none is named, and written where none is: `oncue.toml` in the folder that the program was started in if it is there, else the user's.
    ///
    /// The user's is `oncue/oncue.toml` in `XDG_CONFIG_HOME` or `~/.config`, on Windows in `APPDATA`. It need not be there. `None` where nothing is known of the user.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use oncue_gateway::config::{Context, Environment};
    ///
    /// let context = Context { home: Some("/h/ada".into()), cwd: None };
    /// let file = context.usual_file(&Environment::default());
    /// # #[cfg(not(windows))]
    /// assert_eq!(file.as_deref(), Some(Path::new("/h/ada/.config/oncue/oncue.toml")));
    /// ```
    #[must_use]
    pub fn usual_file(&self, environment: &Environment) -> Option<PathBuf> {
        let here = self.cwd.as_deref().map(|cwd| cwd.join(FILE));
        here.filter(|file| file.is_file()).or_else(|| {
            let (variable, within) = match cfg!(windows) {
                true => ("APPDATA", "AppData/Roaming"),
                false => ("XDG_CONFIG_HOME", ".config"),
            };
            let named = environment.get(variable).map(|value| value.expose_secret().to_owned());
            // A relative path means nothing there and is to be passed over.
            let named = named.map(PathBuf::from).filter(|folder| folder.is_absolute());
            let folder = named.or_else(|| Some(self.home.as_deref()?.join(within)))?;
            Some(folder.join(FOLDER).join(FILE))
        })
    }

    /// Returns a path as it is meant here: from the folder that the program was started in.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use oncue_gateway::config::Context;
    ///
    /// let context = Context { home: None, cwd: Some("/p".into()) };
    /// assert_eq!(context.absolute(Path::new("a/b.toml")), Path::new("/p/a/b.toml"));
    /// assert_eq!(context.absolute(Path::new("./b.toml")), Path::new("/p/b.toml"));
    /// assert_eq!(context.absolute(Path::new("/c.toml")), Path::new("/c.toml"));
    /// ```
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        let whole = self.cwd.as_deref().map_or_else(|| path.to_owned(), |cwd| cwd.join(path));
        // `.` says nothing; `..` is left, since a link may stand before it.
        whole.components().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use crate::config::{Context, Environment};

    #[cfg(not(windows))]
    #[test]
    fn the_file_of_the_folder_comes_before_the_users() {
        let folder = tempfile::tempdir().unwrap();
        let (home, cwd) = (folder.path().join("home"), folder.path().join("shop"));
        fs::create_dir_all(&cwd).unwrap();
        let context = Context { home: Some(home.clone()), cwd: Some(cwd.clone()) };
        let found = |variables: &[(&str, &str)]| {
            context.usual_file(&Environment::new(variables.iter().copied()))
        };
        assert_eq!(found(&[]), Some(home.join(".config/oncue/oncue.toml")));
        let named = found(&[("XDG_CONFIG_HOME", "/settings")]);
        assert_eq!(named, Some(PathBuf::from("/settings/oncue/oncue.toml")));
        for passed_over in ["", "settings"] {
            let found = found(&[("XDG_CONFIG_HOME", passed_over)]);
            assert_eq!(found, Some(home.join(".config/oncue/oncue.toml")));
        }
        fs::create_dir(cwd.join("oncue.toml")).unwrap();
        assert_eq!(found(&[]), Some(home.join(".config/oncue/oncue.toml")), "a folder is no file");
        fs::remove_dir(cwd.join("oncue.toml")).unwrap();
        fs::write(cwd.join("oncue.toml"), "").unwrap();
        assert_eq!(found(&[("XDG_CONFIG_HOME", "/settings")]), Some(cwd.join("oncue.toml")));
    }

    #[test]
    fn without_a_home_there_is_no_users_file() {
        let context = Context { home: None, cwd: Some(Path::new("/nowhere").to_owned()) };
        assert_eq!(context.usual_file(&Environment::default()), None);
    }
}
