//! What calls a run off from outside: Ctrl-C, and the end of the session or of the machine.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Hears signals for as long as it lives; they do not end the process any more.
pub(super) struct Signals {
    #[cfg(unix)]
    all: [Signal; 3],
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// The system does not let it.
    pub(super) fn new() -> io::Result<Self> {
        #[cfg(unix)]
        {
            let all = [
                signal(SignalKind::interrupt())?,
                signal(SignalKind::terminate())?,
                signal(SignalKind::hangup())?,
            ];
            Ok(Self { all })
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        #[cfg(unix)]
        {
            let [interrupt, terminate, hangup] = &mut self.all;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
        }
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
