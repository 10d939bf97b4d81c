//! Where a command of the gateway runs, and the files that this makes it mean.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use oncue_gateway::clients::{Client, ClientFile, ClientScope, Platform, discover};
use oncue_gateway::config::{ConfigError, Context, Environment, Loaded};

use crate::failure::Failure;
use crate::text::shell_word;

/// The user's home and the folder of the project. Lives as long as the command.
pub(super) struct Here {
    pub(super) context: Context,
    home: PathBuf,
    project: PathBuf,
}

impl Here {
    /// Looks at this process.
    ///
    /// # Errors
    ///
    /// Nothing is known of the user's home, or the folder is gone.
    pub(super) fn of_process() -> Result<Self, Failure> {
        let context = Context::of_process();
        let missing = |what: &str| Failure::input(anyhow!("{what}"));
        let home = context.home.clone().ok_or_else(|| {
            missing("nothing is known of your home").hint("set HOME to your folder")
        })?;
        let project = context.cwd.clone().ok_or_else(|| missing("this folder is gone"))?;
        Ok(Self { context, home, project })
    }

    /// Returns the file of settings that is meant: the named one, or the one that a gateway started here would read.
    ///
    /// # Errors
    ///
    /// There is no usual place for it.
    pub(super) fn settings_file(&self, named: Option<&Path>) -> Result<PathBuf, Failure> {
        if let Some(named) = named {
            return Ok(self.context.absolute(named));
        }
        let usual = self.context.usual_file(&Environment::of_process());
        usual.ok_or_else(|| Failure::input(anyhow!("there is no usual place for settings here")))
    }

    /// Reads settings.
    ///
    /// # Errors
    ///
    /// They cannot be read, or are wrong.
    pub(super) fn settings(&self, file: &Path) -> Result<Loaded, Failure> {
        Loaded::read(file, &self.context).map_err(|error| match error {
            ConfigError::Wrong(_) => {
                let check = format!("oncue check {}", shell_word(&file.to_string_lossy()));
                let error = anyhow::Error::new(error);
                Failure::input(error.context("the gateway would not start with these settings"))
                    .hint(format!("see all that is wrong: {check}"))
            }
            error => unreadable(error),
        })
    }

    /// Returns the files of clients that there are; of these clients, or of all.
    pub(super) fn client_files(&self, only: &[Client]) -> Vec<ClientFile> {
        let mut found = discover(Platform::current(), &self.home, &self.project);
        found.retain(|file| only.is_empty() || only.contains(&file.client));
        found
    }

    /// Returns where the file of a client is, or would be.
    ///
    /// # Errors
    ///
    /// The client has none of that scope.
    pub(super) fn client_file(
        &self,
        client: Client,
        scope: ClientScope,
    ) -> Result<PathBuf, Failure> {
        client.file(scope, Platform::current(), &self.home, &self.project).ok_or_else(|| {
            Failure::input(anyhow!("`{client}` has no file of a project"))
                .hint("name the user's: `--scope user`")
        })
    }
}

/// A failure to read settings, with what makes some.
pub(super) fn unreadable(error: ConfigError) -> Failure {
    let hint = "name another file, or make settings from your clients' files: oncue import";
    Failure::input(error).hint(hint)
}
