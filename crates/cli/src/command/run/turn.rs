//! One turn: it works, what happens is reported, and signals call it off.

use std::pin::pin;

use oncue_agent::TurnEnd;
use oncue_tools::{Cancel, Cancellation, CatalogError};

use super::cassette::Tape;
use super::channel::Told;
use super::report::Report;
use super::signals::Signals;
use crate::failure::Failure;

/// How a turn came to rest.
pub(super) enum Rest {
    /// By itself, or called off in order.
    End(TurnEnd),
    /// Dropped in the middle, after the second signal.
    Dropped,
}

/// Works until the turn has come to rest.
///
/// # Errors
///
/// What happens cannot be written, or the tools do not go together; the turn is dropped then.
pub(super) async fn work(
    turn: impl Future<Output = Result<TurnEnd, CatalogError>>,
    cancel: &Cancel,
    told: &mut Told,
    signals: &mut Signals,
    tape: &Tape,
    report: &mut dyn Report,
) -> Result<Rest, Failure> {
    let end = {
        let mut turn = pin!(turn);
        loop {
            tokio::select! {
                biased;
                Some(event) = told.recv() => {
                    tape.hear(&event);
                    report.hear(&event)?;
                }
                () = signals.next() => {
                    if cancel.reason().is_some() {
                        return Ok(Rest::Dropped);
                    }
                    cancel.fire(Cancellation::Withdrawn);
                }
                end = &mut turn => break end,
            }
        }
    };
    while let Ok(event) = told.try_recv() {
        tape.hear(&event);
        report.hear(&event)?;
    }
    Ok(Rest::End(end.map_err(Failure::input)?))
}
