//! What calls a run off from outside: Ctrl-C, and the end of the session or of the machine.

use std::io;

use tokio::time::Instant;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::limits::QUIT_TIME;

/// What was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// What runs is to end.
    Stop,
    /// The process is to end: Ctrl-C came twice quickly, or the process is told to go.
    Quit,
}

/// Hears signals for as long as it lives; they do not end the process any more.
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    quit: [Signal; 2],
    /// When Ctrl-C came last.
    last: Option<Instant>,
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// The system does not let it.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            quit: [signal(SignalKind::terminate())?, signal(SignalKind::hangup())?],
            last: None,
        })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) -> Heard {
        #[cfg(unix)]
        {
            let [terminate, hangup] = &mut self.quit;
            tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = terminate.recv() => return Heard::Quit,
                _ = hangup.recv() => return Heard::Quit,
            }
        }
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        let now = Instant::now();
        let before = self.last.replace(now);
        match before.is_some_and(|before| now - before < QUIT_TIME) {
            true => Heard::Quit,
            false => Heard::Stop,
        }
    }
}
