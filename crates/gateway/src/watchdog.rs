//! Kills what is left of upstreams when the gateway dies, in whichever way.
//!
//! A process that is killed cannot tidy up after itself, so another one does: it is told of every process group that is started and of every one that is gone, over a pipe, and when the pipe ends it kills those that are left.
//! The gateway may die in the moment between the start of a process and the telling of it, and a process may leave its group: so each also carries a mark in its environment, by which it is found where the system shows that (Linux).

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
    mark: Option<Arc<str>>,
}

/// The variable that marks what a gateway has started.
pub const MARK: &str = "ONCUE_GATEWAY";

impl Watchdog {
    /// None: what is started is killed where the program ends in an orderly way, and otherwise not.
    #[must_use]
    pub const fn none() -> Self {
        Self { pipe: None, mark: None }
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
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| std::io::Error::other(error.to_string()))?;
        let mark = random.iter().fold(String::new(), |mark, byte| mark + &format!("{byte:02x}"));
        let watchdog = Self { pipe, mark: Some(mark.as_str().into()) };
        watchdog.tell('=', &mark);
        Ok(watchdog)
    }

    /// Returns what marks a process that is started from now on: a variable of its environment, and its value.
    #[must_use]
    pub fn mark(&self) -> Option<(&'static str, &str)> {
        self.mark.as_deref().map(|mark| (MARK, mark))
    }

    /// A process group was started.
    pub fn watch(&self, group: u32) {
        self.tell('+', &group.to_string());
    }

    /// A process group is gone.
    pub fn forget(&self, group: u32) {
        self.tell('-', &group.to_string());
    }

    fn tell(&self, sign: char, what: &str) {
        let Some(pipe) = &self.pipe else { return };
        let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(pipe, "{sign}{what}").and_then(|()| pipe.flush()) {
            tracing::warn!(%error, "the watchdog does not answer");
        }
    }
}

/// Is a watchdog: reads what there is to kill until its input ends, and then kills what is left.
pub fn watch(input: impl Read) {
    let mut left = Left::default();
    for line in BufReader::new(input).lines() {
        let Ok(line) = line else { break };
        match line.split_at_checked(1) {
            Some(("=", mark)) => left.mark = Some(format!("{MARK}={mark}").into_bytes()),
            Some(("+", group)) => left.groups.extend(group.parse::<u32>().ok()),
            Some(("-", group)) => {
                let gone = group.parse::<u32>().ok();
                left.groups.retain(|known| Some(*known) != gone);
            }
            _ => {}
        }
    }
    left.kill();
}

/// What may be left.
#[derive(Default)]
struct Left {
    groups: Vec<u32>,
    mark: Option<Vec<u8>>,
}

impl Left {
    #[cfg(unix)]
    fn kill(&self) {
        use rustix::process::{Pid, Signal, kill_process, kill_process_group};
        let pid = |number: u32| Pid::from_raw(i32::try_from(number).ok()?);
        // A process may just be coming into being when the gateway dies, so one look is not enough.
        for signal in [Signal::TERM, Signal::KILL, Signal::KILL] {
            for group in self.groups.iter().filter_map(|&group| pid(group)) {
                // It may be gone.
                let _ = kill_process_group(group, signal);
            }
            for process in self.marked().filter_map(pid) {
                let _ = kill_process(process, signal);
            }
            std::thread::sleep(crate::limits::WATCHDOG_GRACE_TIME);
        }
    }

    /// Elsewhere the system ends what belongs to a process that ends.
    #[cfg(not(unix))]
    fn kill(&self) {}

    /// Returns the processes that carry the mark.
    #[cfg(unix)]
    fn marked(&self) -> impl Iterator<Item = u32> {
        let is_marked = |number: &u32| {
            let environment = std::fs::read(format!("/proc/{number}/environ"));
            let environment = environment.unwrap_or_default();
            self.mark
                .as_ref()
                .is_some_and(|mark| environment.split(|&byte| byte == 0).any(|it| it == mark))
        };
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter(is_marked)
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    fn start(mark: &str) -> std::process::Child {
        let mut command = Command::new("sleep");
        command.arg("60").env(MARK, mark).spawn().expect("started")
    }

    #[test]
    fn what_was_never_told_of_is_found_by_its_mark_and_nothing_else_is_touched() {
        let (mut ours, mut others) = (start("0123"), start("01234"));
        watch("=0123\n+4194303\nnonsense\n".as_bytes());
        assert!(ours.wait().expect("it is gone").code().is_none(), "by a signal");
        assert!(others.try_wait().expect("asked").is_none(), "it goes on");
        others.kill().expect("killed");
        others.wait().expect("it is gone");
    }
}
