//! Where a gateway keeps what outlives it, for the commands that look at it or change it.

use oncue_gateway::config::{Context, Environment, Loaded, Settings};
use oncue_gateway::state::{StateDir, StateError};

use crate::args::StateArgs;
use crate::failure::Failure;

/// The folder, and what the settings say about it.
pub(super) struct Kept {
    pub(super) state: StateDir,
    /// Changes are recorded.
    pub(super) has_audit: bool,
}

impl Kept {
    /// The folder that was named, or that of the settings, or the usual one.
    ///
    /// # Errors
    ///
    /// The settings cannot be read, or there is no such folder.
    pub(super) fn find(args: &StateArgs) -> Result<Self, Failure> {
        let context = Context::of_process();
        let usual = || context.usual_file(&Environment::of_process()).filter(|file| file.is_file());
        let settings = match args.config.clone().or_else(usual) {
            Some(file) => Loaded::read(&file, &context).map_err(Failure::input)?.settings,
            None => Settings::default(),
        };
        let (typed, set) = (args.state_dir.as_deref(), settings.state_dir.as_deref());
        let state = StateDir::choose(typed, set, &Environment::of_process()).map_err(failure)?;
        Ok(Self { state, has_audit: settings.has_audit })
    }

    /// The same, and the folder is there.
    ///
    /// # Errors
    ///
    /// It cannot be made, or others may write in it.
    pub(super) fn open(args: &StateArgs) -> Result<Self, Failure> {
        let kept = Self::find(args)?;
        kept.state.create().map_err(failure)?;
        Ok(kept)
    }
}

fn failure(error: StateError) -> Failure {
    let hint = error.hint();
    Failure::input(error).hint(hint)
}
