//! Whether a run is recorded, plays a recording, or neither.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncue_agent::{Agent, Event, Model};
use oncue_tools::Tool;

use super::line::Start;
use super::play::{Played, PlayedPeople, PlayedTool, Player};
use super::read::Cassette;
use super::record::{RecordedModel, RecordedTool, Recorder};
use crate::command::run::model::Opened;
use crate::failure::Failure;

/// What becomes of a run beside its report. Lives as long as the run.
pub(in crate::command::run) enum Tape {
    /// Nothing.
    None,
    /// It is recorded.
    Record(Arc<Recorder>),
    /// It is a recording.
    Replay {
        player: Arc<Player>,
        /// The file, as messages name it.
        path: PathBuf,
    },
}

impl Tape {
    /// Begins a recording.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(in crate::command::run) fn record(path: &Path, start: Start) -> Result<Self, Failure> {
        Recorder::new(path, start).map(Arc::new).map(Self::Record)
    }

    /// Opens a recording.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(in crate::command::run) fn replay(path: &Path) -> Result<Self, Failure> {
        let player = Arc::new(Player::strict(Cassette::read(path)?));
        Ok(Self::Replay { player, path: path.to_owned() })
    }

    /// Returns what was recorded, if this is a recording.
    pub(in crate::command::run) fn start(&self) -> Option<&Start> {
        match self {
            Self::Replay { player, .. } => Some(player.start()),
            Self::None | Self::Record(_) => None,
        }
    }

    /// Returns the model of the recording, if this is one.
    pub(in crate::command::run) fn opened(&self) -> Option<Opened> {
        match self {
            Self::Replay { player, .. } => {
                let rates = player.start().rates;
                Some(Opened { model: Arc::new(Played::new(Arc::clone(player), None)), rates })
            }
            Self::None | Self::Record(_) => None,
        }
    }

    /// Returns the model as this run asks it.
    pub(in crate::command::run) fn model(&self, model: Arc<dyn Model>) -> Arc<dyn Model> {
        match self {
            Self::Record(recorder) => {
                Arc::new(RecordedModel { model, recorder: Arc::clone(recorder) })
            }
            Self::None | Self::Replay { .. } => model,
        }
    }

    /// Returns the tool as this run calls it.
    pub(in crate::command::run) fn tool(&self, tool: Arc<dyn Tool>) -> Arc<dyn Tool> {
        match self {
            Self::None => tool,
            Self::Record(recorder) => {
                Arc::new(RecordedTool { tool, recorder: Arc::clone(recorder) })
            }
            Self::Replay { player, .. } => {
                Arc::new(PlayedTool { tool, player: Arc::clone(player) })
            }
        }
    }

    /// Returns the agent with the people whom it asked before, if this is a recording.
    pub(in crate::command::run) fn people(&self, agent: Agent) -> Agent {
        match self {
            Self::Replay { player, .. } => {
                agent.with_approver(Arc::new(PlayedPeople(Arc::clone(player))))
            }
            Self::None | Self::Record(_) => agent,
        }
    }

    /// Returns the task of the next turn that was recorded.
    pub(in crate::command::run) fn task(&self) -> Option<String> {
        match self {
            Self::Replay { player, .. } => player.task(),
            Self::None | Self::Record(_) => None,
        }
    }

    /// Takes that a turn begins.
    pub(in crate::command::run) fn turn(&self, task: &str) {
        if let Self::Record(recorder) = self {
            recorder.turn(task);
        }
    }

    /// Takes what happens.
    pub(in crate::command::run) fn hear(&self, event: &Event) {
        if let Self::Record(recorder) = self {
            recorder.hear(event);
        }
    }

    /// Fails where a line could not be written, or the run was not what was recorded.
    pub(in crate::command::run) fn finish(&self) -> Result<(), Failure> {
        match self {
            Self::None => Ok(()),
            Self::Record(recorder) => recorder.finish(),
            Self::Replay { player, path } => match player.difference() {
                None => Ok(()),
                Some(difference) => {
                    let path = path.display();
                    let error = anyhow::anyhow!("{difference}")
                        .context(format!("the run differs from the recording `{path}`"));
                    Err(Failure::input(error).hint(
                        "replay with the tools, the system text and the task of the recording, or record anew",
                    ))
                }
            },
        }
    }
}
