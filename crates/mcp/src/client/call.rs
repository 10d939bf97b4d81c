//! Requests with a deadline that progress moves.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::Connection;
use crate::{CallError, Listener, Members, Notification, Raw};

/// How long an answer is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Without a sign of life.
    pub quiet: Duration,
    /// In all, however much progress is told.
    pub total: Duration,
}

impl Connection {
    /// Asks in the form of the era, as long as `patience` lasts; `listener` hears of progress.
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
        let lives = Arc::new(Notify::new());
        let sign = Arc::clone(&lives);
        let heard: Listener = Box::new(move |told: Notification| {
            sign.notify_one();
            listener(told);
        });
        let begin = Instant::now();
        let mut asking = std::pin::pin!(self.request_heard(method, params, Some(heard)));
        let mut end = begin + patience.quiet.min(patience.total);
        loop {
            tokio::select! {
                answer = &mut asking => return answer,
                () = lives.notified() => {
                    end = (Instant::now() + patience.quiet).min(begin + patience.total);
                }
                () = sleep_until(end) => {
                    let seconds = begin.elapsed().as_secs();
                    return Err(CallError::TimedOut { seconds });
                }
            }
        }
    }
}
