//! Requests with a deadline that progress moves.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::Connection;
use crate::{CallError, Listener, Members, Raw};

/// How long an answer is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Without a sign of life.
    pub quiet: Duration,
    /// In all, however much progress is told.
    pub total: Duration,
}

impl Connection {
    /// Asks in the form of the era, as long as `patience` lasts; `listener` hears of progress, which is a sign of life. While somebody [thinks over](Listener::thinking) a question about the request, no time passes.
    ///
    /// What is given up, by time or because the future is dropped, is taken back from the server.
    ///
    /// # Errors
    ///
    /// The server answers with an error, cannot be asked, or does not answer in time.
    pub async fn call(
        &self,
        method: &str,
        params: Members,
        patience: Patience,
        listener: Option<Listener>,
    ) -> Result<Raw, CallError> {
        let Some(listener) = listener else {
            let asking = self.request(method, params);
            let answer = tokio::time::timeout(patience.quiet, asking).await;
            return answer
                .unwrap_or(Err(CallError::TimedOut { seconds: patience.quiet.as_secs() }));
        };
        let begin = Instant::now();
        let mut asking = std::pin::pin!(self.request_heard(method, params, Some(listener.clone())));
        let mut asked = listener.asked();
        let mut heard = begin;
        loop {
            let end = asked.borrow_and_update().end(begin, heard, patience);
            tokio::select! {
                // Whoever is not polled for a while learns first what has happened, and then that it is late.
                biased;
                answer = &mut asking => return answer,
                () = listener.lives() => heard = Instant::now(),
                Ok(()) = asked.changed() => {}
                () = sleep_until(end.unwrap_or(begin)), if end.is_some() => {
                    let seconds = begin.elapsed().as_secs();
                    return Err(CallError::TimedOut { seconds });
                }
            }
        }
    }
}
