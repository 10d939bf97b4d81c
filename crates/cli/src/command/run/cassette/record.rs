//! Writing a recording: around the model and around each tool.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oncue_agent::{Disclosure, Event, Listen, Model, ModelError, Reply, Request};
use oncue_tools::{
    Arguments, BoxFuture, CallContext, Cancellation, Concurrency, Definition, Output, Tool,
    ToolError,
};
use serde::Serialize;

use super::asked::Asked;
use super::line::{CallLine, Came, FailedLine, Line, Start};
use crate::exit::Exit;
use crate::failure::Failure;

/// A recording as it is written. Lives as long as the run.
pub(in crate::command::run) struct Recorder {
    path: PathBuf,
    /// The file, or why it could not be written to.
    file: Mutex<Result<File, io::Error>>,
}

impl Recorder {
    /// Begins a recording; a file of that name is replaced.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(in crate::command::run) fn new(path: &Path, start: Start) -> Result<Self, Failure> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // A conversation is nobody else's business.
            options.mode(0o600);
        }
        let file = options.open(path).map_err(|error| unwritable(path, error))?;
        let recorder = Self { path: path.to_owned(), file: Mutex::new(Ok(file)) };
        recorder.write(&Line::Start(start));
        Ok(recorder)
    }

    /// Writes that a turn begins.
    pub(in crate::command::run) fn turn(&self, task: &str) {
        self.write(&Line::Turn { task: task.to_owned() });
    }

    /// Writes what of an event belongs into a recording.
    pub(in crate::command::run) fn hear(&self, event: &Event) {
        if let Event::Answered { id, answer } = event {
            self.write(&Line::Answer { id: id.clone(), answer: answer.clone() });
        }
    }

    /// Fails where a line could not be written.
    pub(in crate::command::run) fn finish(&self) -> Result<(), Failure> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *file {
            Ok(_) => Ok(()),
            Err(error) => {
                let error = io::Error::new(error.kind(), error.to_string());
                Err(unwritable(&self.path, error))
            }
        }
    }

    /// Writes a line at once, so that what was recorded so far is whole whatever happens.
    fn write(&self, line: &impl Serialize) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(open) = &mut *file else { return };
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut text| {
            text.push(b'\n');
            open.write_all(&text)
        });
        if let Err(error) = written {
            *file = Err(error);
        }
    }
}

fn unwritable(path: &Path, error: io::Error) -> Failure {
    let context = format!("failed to write the recording `{}`", path.display());
    Failure { exit: Exit::Output, error: anyhow::Error::new(error).context(context), hint: None }
}

/// A model whose answers are recorded.
pub(in crate::command::run) struct RecordedModel {
    pub(in crate::command::run) model: Arc<dyn Model>,
    pub(in crate::command::run) recorder: Arc<Recorder>,
}

impl Model for RecordedModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn disclosure(&self) -> Disclosure {
        self.model.disclosure()
    }

    fn can_narrow(&self) -> bool {
        self.model.can_narrow()
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        listener: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let asked = Some(Asked::of(request));
            let answer = self.model.reply(request, listener).await;
            self.recorder.write(&match &answer {
                Ok(reply) => Line::Reply { asked, reply: reply.clone() },
                Err(error) => Line::Failed { asked, error: FailedLine::of(error) },
            });
            answer
        })
    }
}

/// A tool whose calls are recorded.
pub(in crate::command::run) struct RecordedTool {
    pub(in crate::command::run) tool: Arc<dyn Tool>,
    pub(in crate::command::run) recorder: Arc<Recorder>,
}

/// A call that runs; it is recorded as stopped where it is dropped before its end.
struct Running<'a> {
    recorder: &'a Recorder,
    ctx: &'a CallContext<'a>,
    /// The line without what came; taken once that is known.
    line: Option<CallLine>,
}

impl Running<'_> {
    fn end(&mut self, came: Came) {
        if let Some(line) = self.line.take() {
            self.recorder.write(&Line::Call(CallLine { outcome: came, ..line }));
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let is_late = self.ctx.cancel().reason() == Some(Cancellation::Deadline);
        self.end(Came::Stopped { is_late });
    }
}

impl Tool for RecordedTool {
    fn definition(&self) -> &Definition {
        self.tool.definition()
    }

    fn concurrency(&self) -> Concurrency {
        self.tool.concurrency()
    }

    fn objection(&self, arguments: &Arguments) -> Option<ToolError> {
        self.tool.objection(arguments)
    }

    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let line = CallLine {
                id: ctx.id().clone(),
                name: self.definition().name().to_owned(),
                arguments: arguments.raw().get().to_owned(),
                outcome: Came::Stopped { is_late: false },
            };
            let mut running = Running { recorder: &self.recorder, ctx, line: Some(line) };
            let outcome = self.tool.call(ctx, arguments).await;
            running.end(Came::of(&outcome));
            outcome
        })
    }
}
