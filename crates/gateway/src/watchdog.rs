//! Kills what is left of upstreams when the gateway dies, in whichever way.
//!
//! A process that is killed cannot tidy up after itself, so another one does: it is told of every process group that is started and of every one that is gone, over a pipe, and when the pipe ends it kills those that are left.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// The hidden command of the program that is a watchdog.
pub const COMMAND: &str = "watchdog";

/// Tells a watchdog what there is to kill. Clones tell the same one.
#[derive(Clone, Default)]
pub struct Watchdog {
    pipe: Option<Arc<Mutex<std::process::ChildStdin>>>,
}

impl Watchdog {
    /// None: what is started is killed where the program ends in an orderly way, and otherwise not.
    #[must_use]
    pub const fn none() -> Self {
        Self { pipe: None }
    }

    /// Starts `program` with the one argument that makes it a watchdog.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub fn start(program: &Path) -> std::io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(COMMAND).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // What ends the gateway from its terminal does not end it.
            command.process_group(0);
        }
        let mut child = command.spawn()?;
        let pipe = child.stdin.take().map(|pipe| Arc::new(Mutex::new(pipe)));
        Ok(Self { pipe })
    }

    /// A process group was started.
    pub fn watch(&self, group: u32) {
        self.tell('+', group);
    }

    /// A process group is gone.
    pub fn forget(&self, group: u32) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: u32) {
        let Some(pipe) = &self.pipe else { return };
        let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(pipe, "{sign}{group}").and_then(|()| pipe.flush()) {
            tracing::warn!(%error, "the watchdog does not answer");
        }
    }
}

/// Is a watchdog: reads what there is to kill until its input ends, and then kills what is left.
pub fn watch(input: impl Read) {
    let mut groups: Vec<u32> = Vec::new();
    for line in BufReader::new(input).lines() {
        let Ok(line) = line else { break };
        match line.split_at_checked(1) {
            Some(("+", group)) => groups.extend(group.parse::<u32>().ok()),
            Some(("-", group)) => {
                let gone = group.parse::<u32>().ok();
                groups.retain(|known| Some(*known) != gone);
            }
            _ => {}
        }
    }
    kill(&groups);
}

#[cfg(unix)]
fn kill(groups: &[u32]) {
    use rustix::process::{Pid, Signal, kill_process_group};
    for signal in [Signal::TERM, Signal::KILL] {
        let mut is_any_left = false;
        for group in groups.iter().filter_map(|&group| Pid::from_raw(i32::try_from(group).ok()?)) {
            is_any_left |= kill_process_group(group, signal).is_ok();
        }
        if !is_any_left {
            return;
        }
        std::thread::sleep(crate::limits::WATCHDOG_GRACE_TIME);
    }
}

/// Elsewhere the system ends what belongs to a process that ends.
#[cfg(not(unix))]
fn kill(_: &[u32]) {}
