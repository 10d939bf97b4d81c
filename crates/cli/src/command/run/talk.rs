//! A conversation at a terminal: a line is a task, and the session is kept from turn to turn.

use oncue_agent::Session;

use super::ending;
use super::session::SessionFile;
use super::signals::Heard;
use super::turn::{Watch, Work};
use crate::exit::Exit;
use crate::failure::Failure;

/// Talks until the person has said all (Ctrl-D), or leaves (Ctrl-C twice).
///
/// # Errors
///
/// What happens cannot be written, or the session cannot be stored.
pub(super) async fn talk(
    watch: &mut Watch<'_>,
    session: Session<'_>,
    file: Option<&SessionFile>,
    model: &str,
) -> Result<Exit, Failure> {
    let mut session = session;
    loop {
        watch.report.invite()?;
        let Some(people) = &mut watch.people else { return Ok(Exit::Ok) };
        let line = tokio::select! {
            line = people.typed().next() => line,
            heard = watch.signals.next() => {
                if heard == Heard::Quit {
                    return Ok(Exit::Interrupted);
                }
                watch.report.note("once more Ctrl-C, or Ctrl-D, ends the conversation")?;
                continue;
            }
        };
        let Some(line) = line else {
            watch.report.note("")?;
            return Ok(Exit::Ok);
        };
        watch.report.typed();
        if line.trim().is_empty() {
            continue;
        }
        let rest;
        (session, rest) = watch.work(session, Work::Task(line.trim().to_owned())).await?;
        if let (Some(file), false) = (file, rest.is_dropped) {
            file.save(&session, model)?;
        }
        if rest.quits {
            return Ok(Exit::Interrupted);
        }
        if let Err(failure) = ending::ended(&rest.end, None) {
            watch.report.fail(&failure)?;
        }
    }
}
