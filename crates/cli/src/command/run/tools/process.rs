//! Running a program without a shell, and leaving nothing of it behind. A process lives as long as its call.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio::process::{Child, Command};

use super::capture::{Captured, Keep};
use crate::limits::{ERROR_BYTES_MAX, OUTPUT_BYTES_MAX, PIPE_TIME_MAX};

/// A program that is ready to be started.
pub(super) struct Start<'p> {
    pub(super) program: &'p OsString,
    pub(super) arguments: Vec<String>,
    pub(super) cwd: Option<&'p PathBuf>,
    /// All of its environment.
    pub(super) env: &'p [(OsString, OsString)],
    /// What it reads; nothing where it reads nothing.
    pub(super) input: Option<String>,
    /// How long it may take.
    pub(super) time: Duration,
}

/// What came of a program.
pub(super) struct Ended {
    /// How it ended; nothing where its time was over.
    pub(super) status: Option<ExitStatus>,
    pub(super) output: Captured,
    pub(super) error: Captured,
}

impl Start<'_> {
    /// Runs the program to its end. Dropping the future kills it with everything that it has started.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub(super) async fn run(self) -> io::Result<Ended> {
        let mut command = Command::new(self.program);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(if self.input.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if let Some(cwd) = self.cwd {
            command.current_dir(cwd);
        }
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let mut group = Group::of(&child);
        let (mut output, mut error) = (Captured::default(), Captured::default());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdin, stdout, stderr) = pipes;
        let feeding = async {
            if let (Some(mut stdin), Some(input)) = (stdin, self.input) {
                // A program that does not read its input is within its rights.
                let _ = stdin.write_all(input.as_bytes()).await;
            }
        };
        let reading = async {
            tokio::join!(
                feeding,
                read(&mut output, Keep::Head(OUTPUT_BYTES_MAX), stdout),
                read(&mut error, Keep::Tail(ERROR_BYTES_MAX), stderr),
            );
        };
        let status = tokio::time::timeout(self.time, ended(&mut child, &mut group, reading)).await;
        group.kill();
        let status = status.ok().transpose()?;
        Ok(Ended { status, output, error })
    }
}

/// Waits for the end of the program, and for what is still in its pipes.
///
/// What it has started and left behind is killed first, so that nobody holds the pipes open; a process that has left the group may, and then what came is all there is.
async fn ended(
    child: &mut Child,
    group: &mut Group,
    reading: impl Future<Output = ()>,
) -> io::Result<ExitStatus> {
    let mut reading = std::pin::pin!(reading);
    let mut is_read = false;
    let status = loop {
        tokio::select! {
            () = &mut reading, if !is_read => is_read = true,
            status = child.wait() => break status?,
        }
    };
    group.kill();
    if !is_read {
        let _ = tokio::time::timeout(PIPE_TIME_MAX, reading).await;
    }
    Ok(status)
}

async fn read(into: &mut Captured, keep: Keep, from: Option<impl AsyncRead + Unpin>) {
    if let Some(mut from) = from {
        into.read(keep, &mut from).await;
    }
}

/// The process group of a program; killed at its end, and when it is dropped before.
struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

impl Group {
    fn of(child: &Child) -> Self {
        #[cfg(unix)]
        {
            let id = child.id().and_then(|id| i32::try_from(id).ok());
            Self { leader: id.and_then(rustix::process::Pid::from_raw) }
        }
        #[cfg(not(unix))]
        {
            let _ = child;
            Self {}
        }
    }

    /// Kills whatever is left of the group, once: after that its number may be another's.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader.take() {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
