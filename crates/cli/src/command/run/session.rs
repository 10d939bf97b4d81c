//! A conversation that is kept in a file from run to run.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use oncue_agent::{Agent, Next, Run, Session, SessionRecord};
use oncue_tools::CallId;
use serde::{Deserialize, Serialize};

use super::model::shown;
use super::people::Answer;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::printable;

/// The version of session files that this program reads and writes.
const VERSION: u32 = 1;

/// The file of a session. Lives as long as the run.
pub(super) struct SessionFile {
    pub(super) path: PathBuf,
    /// What was in it.
    stored: Option<SessionRecord>,
}

/// A session as it is stored.
#[derive(Deserialize, Serialize)]
struct Stored<R> {
    version: u32,
    /// The model that it was last held with.
    model: String,
    session: R,
}

impl SessionFile {
    /// Opens the file; one that is not there is an empty session.
    ///
    /// # Errors
    ///
    /// It is there and cannot be read.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let stored = match fs::read(path) {
            Ok(bytes) => Some(read(path, &bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unreadable(path, error)),
        };
        Ok(Self { path: path.to_owned(), stored })
    }

    /// Says whether a turn of it is not over.
    pub(super) fn is_waiting(&self) -> bool {
        self.stored.as_ref().is_some_and(|record| record.run.is_some())
    }

    /// Returns the session, and says on `err` which found tools it has lost.
    pub(super) fn restore<'a>(&mut self, agent: &'a Agent, err: &mut dyn Write) -> Session<'a> {
        let Some(record) = self.stored.take() else { return fresh(agent) };
        let (session, dropped) = agent.restore(record);
        if !dropped.is_empty() {
            let names: Vec<&str> = dropped.iter().map(|(tool, _)| tool.name()).collect();
            let names = printable(&names.join(", "));
            // A warning that cannot be written is no reason to stop.
            let _ = writeln!(err, "warning: tools that were found before are gone: {names}");
        }
        session
    }

    /// Stores a session: the file is the one before or the one after, whatever happens.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(super) fn save(&self, session: &Session<'_>, model: &str) -> Result<(), Failure> {
        let stored = Stored { version: VERSION, model: shown(model), session: session.record() };
        let written = serde_json::to_vec(&stored).map_err(io::Error::from).and_then(|mut text| {
            text.push(b'\n');
            let folder = match self.path.parent() {
                Some(folder) if folder != Path::new("") => folder,
                _ => Path::new("."),
            };
            // It is made for its owner alone: a conversation is nobody else's business.
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&text)?;
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        });
        written.map_err(|error| {
            let context = format!("failed to store the session `{}`", self.path.display());
            let error = anyhow::Error::new(error).context(context);
            Failure { exit: Exit::Output, error, hint: None }
        })
    }
}

/// Returns a session with a key of its own for caches that are told apart by one.
pub(super) fn fresh(agent: &Agent) -> Session<'_> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    agent.session().with_key(format!("oncue-{:x}-{:x}", std::process::id(), now.as_nanos()))
}

/// Gives a session the answers to what it waits for.
///
/// # Errors
///
/// It waits for something else; nothing is answered then.
pub(super) fn answer(session: &mut Session<'_>, answers: Vec<Answer>) -> Result<(), Failure> {
    let run = session.record().run;
    let waiting: Vec<CallId> = match run.as_ref().map(Run::next) {
        Some(Next::Person(questions)) => questions.iter().map(|it| it.id.clone()).collect(),
        _ => Vec::new(),
    };
    if let Some(unknown) = answers.iter().find(|answer| !waiting.contains(&answer.id)) {
        let id = printable(unknown.id.as_str());
        let error = anyhow::anyhow!("the session does not wait for an answer about `{id}`");
        let ids: Vec<String> =
            waiting.iter().map(|id| format!("`{}`", printable(id.as_str()))).collect();
        let hint = match ids.as_slice() {
            [] => "it waits for nothing: say what is to be done".to_owned(),
            ids => format!("it waits for {}", ids.join(", ")),
        };
        return Err(Failure { exit: Exit::Usage, error, hint: Some(hint) });
    }
    for Answer { id, approval } in answers {
        session.answer(&id, approval);
    }
    Ok(())
}

fn read(path: &Path, bytes: &[u8]) -> Result<SessionRecord, Failure> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let stored: Version = serde_json::from_slice(bytes).map_err(|error| unreadable(path, error))?;
    if stored.version != VERSION {
        let error =
            anyhow::anyhow!("it has version {}, and {VERSION} is read here", stored.version);
        return Err(Failure::input(error.context(context(path))).hint("begin another session"));
    }
    let stored: Result<Stored<SessionRecord>, _> = serde_json::from_slice(bytes);
    stored.map(|stored| stored.session).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, error: impl Into<anyhow::Error>) -> Failure {
    Failure::input(error.into().context(context(path))).hint(
        "name a file that `oncue run --session FILE` has written, or one that is not there yet",
    )
}

fn context(path: &Path) -> String {
    format!("failed to read the session `{}`", path.display())
}
