//! Lines that a person or a program types while a run works.

use std::io::BufRead;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Lines as they come. Lives as long as the run.
pub(super) struct Typed {
    /// Absent until the first line is wanted: what is typed before belongs to whoever reads the terminal next.
    lines: Option<UnboundedReceiver<String>>,
    is_over: bool,
}

impl Typed {
    /// The lines of standard input.
    pub(super) const fn stdin() -> Self {
        Self { lines: None, is_over: false }
    }

    /// These lines.
    #[cfg(test)]
    pub(super) fn of(lines: UnboundedReceiver<String>) -> Self {
        Self { lines: Some(lines), is_over: false }
    }

    /// Waits for the next line; nothing comes any more once it is `None`.
    pub(super) async fn next(&mut self) -> Option<String> {
        let line = self.lines.get_or_insert_with(reader).recv().await;
        self.is_over |= line.is_none();
        line
    }

    /// Forgets what was typed already.
    pub(super) fn forget(&mut self) {
        #[cfg(unix)]
        if self.lines.is_none() {
            use rustix::termios::{QueueSelector, tcflush};
            // Nothing but a terminal has such a queue.
            let _ = tcflush(std::io::stdin(), QueueSelector::IFlush);
        }
        if let Some(lines) = &mut self.lines {
            while lines.try_recv().is_ok() {}
        }
    }

    /// Says whether no line will come any more.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }
}

/// Reads standard input beside the run: whoever waits for a line can be called off, and reading cannot.
fn reader() -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    // It ends with the process.
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
