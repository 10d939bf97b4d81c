//! A server that is a child process: it reads messages on its standard input and writes them on its standard output.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use oncue_tools::BoxFuture;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdout, Command};
use tokio::sync::watch;
use tokio::time::timeout;

use super::lines::{Lines, Noise};
use super::{Received, Transport, TransportError};
use crate::Message;
use crate::limits::{
    STDERR_LINE_CHARS_MAX, STDERR_TAIL_BYTES_MAX, STOP_TIME_MAX, UPSTREAM_MESSAGE_BYTES_MAX,
};

/// How a child is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program, by path or by a name that is looked up.
    pub command: OsString,
    /// What it is given.
    pub args: Vec<OsString>,
    /// Its whole environment: nothing else is inherited.
    pub env: BTreeMap<OsString, OsString>,
    /// Where it runs; where this process runs, if absent.
    pub cwd: Option<PathBuf>,
    /// Longest message that is taken from it, in bytes.
    pub bytes_max: usize,
}

impl Launch {
    /// The program with nothing else.
    #[must_use]
    pub fn new(command: impl Into<OsString>) -> Self {
        Self {
            command: command.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            bytes_max: UPSTREAM_MESSAGE_BYTES_MAX,
        }
    }

    /// Returns the start with these arguments.
    #[must_use]
    pub fn with_args(self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { args: args.into_iter().map(Into::into).collect(), ..self }
    }
}

/// A server in a child process, with all the processes that it starts in turn. Lives until it is stopped; dropping it kills them.
pub struct Child {
    lines: Lines<ChildStdout>,
    group: Group,
    /// How the child ended, once it has.
    ended: watch::Receiver<Option<ExitStatus>>,
    stderr: StderrTail,
}

/// The process group of a child: it and all that it has started.
#[derive(Clone, Copy)]
struct Group(u32);

impl Child {
    /// Starts a child in a process group of its own; to be called within a runtime.
    ///
    /// # Errors
    ///
    /// It cannot be started: no such program, no permission, too many processes.
    pub fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = Command::new(&launch.command);
        command.args(&launch.args).env_clear().envs(&launch.env);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(cwd) = &launch.cwd {
            command.current_dir(cwd);
        }
        let mut wrapped = CommandWrap::from(command);
        wrapped.wrap(KillOnDrop);
        #[cfg(unix)]
        wrapped.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        wrapped.wrap(process_wrap::tokio::JobObject);
        let mut process = wrapped.spawn()?;
        let piped = || io::Error::other("a stream of the child is not piped");
        let group = Group(process.id().ok_or_else(|| io::Error::other("the child has no id"))?);
        let stdin = process.stdin().take().ok_or_else(piped)?;
        let stdout = process.stdout().take().ok_or_else(piped)?;
        let stderr = process.stderr().take().ok_or_else(piped)?;
        let lines = Lines::new(stdout, stdin, launch.bytes_max, Noise::Skip);
        let tail = StderrTail::default();
        // It ends with the last process that holds the stream.
        tokio::spawn(tail.clone().drain(stderr));
        let (told, ended) = watch::channel(None);
        tokio::spawn(reap(process, group, told));
        Ok(Self { lines, group, ended, stderr: tail })
    }

    /// Returns the id of its process group, which is that of the child.
    #[must_use]
    pub const fn group(&self) -> u32 {
        self.group.0
    }

    /// Returns what it last wrote on its standard error.
    #[must_use]
    pub const fn stderr(&self) -> &StderrTail {
        &self.stderr
    }

    /// Returns how many lines of its standard output were no messages.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.lines.skipped()
    }

    /// Returns how it ended, if it has.
    #[must_use]
    pub fn ended(&self) -> Option<ExitStatus> {
        *self.ended.borrow()
    }

    /// Stops the child and all that it has started: its input is closed, then it is asked to end, then killed.
    ///
    /// Whoever waits for that may go away; it is stopped all the same.
    pub async fn stop(&self) {
        self.lines.close().await;
        let (group, mut ended) = (self.group, self.ended.clone());
        let stopping = tokio::spawn(async move {
            if !has_ended(&mut ended).await {
                group.signal(Stop::Ask);
                has_ended(&mut ended).await;
            }
            // What it started may outlive it, in its group, whatever became of itself.
            group.signal(Stop::Kill);
            has_ended(&mut ended).await;
        });
        // It ends by itself.
        let _ = stopping.await;
    }
}

/// Waits for the end of a child, and then for that of all that it has started: nobody answers any more for whom they write.
async fn reap(
    mut process: Box<dyn ChildWrapper>,
    group: Group,
    told: watch::Sender<Option<ExitStatus>>,
) {
    let status = process.inner_mut().wait().await;
    group.signal(Stop::Kill);
    told.send_replace(Some(status.unwrap_or_default()));
}

/// Says whether a child ends within the time that it has for that.
async fn has_ended(ended: &mut watch::Receiver<Option<ExitStatus>>) -> bool {
    timeout(STOP_TIME_MAX, ended.wait_for(Option::is_some)).await.is_ok()
}

impl Group {
    #[cfg(unix)]
    fn signal(self, stop: Stop) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let signal = match stop {
            Stop::Ask => Signal::TERM,
            Stop::Kill => Signal::KILL,
        };
        if let Some(group) = i32::try_from(self.0).ok().and_then(Pid::from_raw) {
            // That there is nobody left to be told is what is wanted.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Elsewhere the job that the child is in ends with its last handle.
    #[cfg(not(unix))]
    fn signal(self, _: Stop) {}
}

/// How a group is told to end.
#[derive(Clone, Copy)]
enum Stop {
    Ask,
    Kill,
}

impl Transport for Child {
    fn send<'a>(&'a self, message: &'a Message) -> BoxFuture<'a, Result<(), TransportError>> {
        self.lines.send(message)
    }

    fn receive(&self) -> BoxFuture<'_, Option<Received>> {
        self.lines.receive()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.stop())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.group.signal(Stop::Kill);
    }
}

/// The newest that a child has written on its standard error. Lives as long as anyone looks at it.
///
/// It is always read, since a child whose error stream is full stands still.
#[derive(Clone, Debug, Default)]
pub struct StderrTail(Arc<Mutex<VecDeque<u8>>>);

impl StderrTail {
    /// Returns the newest lines, at most `lines` of them, of long ones the end.
    #[must_use]
    pub fn lines(&self, lines: usize) -> Vec<String> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, second) = bytes.as_slices();
        let text = String::from_utf8_lossy(&[first, second].concat()).into_owned();
        let mut newest: Vec<String> = text.lines().rev().take(lines).map(end).collect();
        newest.reverse();
        newest
    }

    /// Returns how many bytes are kept.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    async fn drain(self, mut stderr: ChildStderr) {
        let mut piece = [0; 4 << 10];
        while let Ok(count @ 1..) = stderr.read(&mut piece).await {
            let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            bytes.extend(piece.iter().take(count));
            let excess = bytes.len().saturating_sub(STDERR_TAIL_BYTES_MAX);
            bytes.drain(..excess);
        }
    }
}

/// Returns the line, or its end where it is long.
fn end(line: &str) -> String {
    match line.char_indices().rev().nth(STDERR_LINE_CHARS_MAX - 1) {
        Some((at, _)) if at > 0 => format!("…{}", line.get(at..).unwrap_or_default()),
        _ => line.to_owned(),
    }
}
