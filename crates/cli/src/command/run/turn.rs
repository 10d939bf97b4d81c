//! One turn while it works: what happens is reported, people are asked, and signals call it off.

use std::pin::pin;

use oncue_agent::{Event, Outcome, Question, Session, TurnEnd};
use oncue_tools::{Approval, CallId, Cancel, Cancellation, CatalogError};
use tokio::sync::oneshot;

use super::cassette::Tape;
use super::channel::{Ask, Message, Told};
use super::people::People;
use super::report::Report;
use super::signals::{Heard, Signals};
use crate::failure::Failure;

/// Who is around a turn. Lives as long as the run.
pub(super) struct Watch<'w> {
    pub(super) told: Told,
    pub(super) signals: Signals,
    /// Who answers at once; absent where nobody does.
    pub(super) people: Option<People>,
    pub(super) tape: &'w Tape,
    pub(super) report: Box<dyn Report + 'w>,
}

/// What is to be done with a session.
pub(super) enum Work {
    /// A new turn.
    Task(String),
    /// The turn that waits.
    Resume,
}

/// How a turn came to rest.
pub(super) struct Rest {
    pub(super) end: TurnEnd,
    /// It was dropped in the middle, and the session is not to be kept.
    pub(super) is_dropped: bool,
    /// The process is to end.
    pub(super) quits: bool,
}

impl Watch<'_> {
    /// Works until the turn has come to rest.
    ///
    /// # Errors
    ///
    /// What happens cannot be written, or the tools do not go together; the turn is dropped then.
    pub(super) async fn work<'a>(
        &mut self,
        session: Session<'a>,
        work: Work,
    ) -> Result<(Session<'a>, Rest), Failure> {
        let cancel = Cancel::default();
        let mut session = session.with_cancel(cancel.clone());
        let rest = match work {
            Work::Task(task) => {
                self.tape.turn(&task);
                self.watch(session.turn(task), &cancel).await?
            }
            Work::Resume => {
                let rest = self.watch(resumed(&mut session), &cancel).await?;
                match self.answered(&mut session, &rest).await? {
                    true => self.watch(resumed(&mut session), &cancel).await?,
                    false => rest,
                }
            }
        };
        Ok((session, rest))
    }

    /// Asks whoever is there about what a stored turn waits for, and says whether it may go on.
    ///
    /// What comes up later in the turn is asked at once.
    async fn answered(&mut self, session: &mut Session<'_>, rest: &Rest) -> Result<bool, Failure> {
        let (TurnEnd::Waiting(questions), false) = (&rest.end, rest.quits) else {
            return Ok(false);
        };
        let mut goes_on = false;
        for (id, answer) in self.answers(questions).await? {
            goes_on |= answer != Approval::Later && session.answer(&id, answer);
        }
        Ok(goes_on)
    }

    /// Works until the turn has come to rest.
    async fn watch(
        &mut self,
        turn: impl Future<Output = Result<TurnEnd, CatalogError>>,
        cancel: &Cancel,
    ) -> Result<Rest, Failure> {
        let mut quits = false;
        let end = {
            let mut turn = pin!(turn);
            loop {
                tokio::select! {
                    biased;
                    Some(message) = self.told.recv() => self.take(message)?,
                    heard = self.signals.next() => {
                        quits |= heard == Heard::Quit;
                        if cancel.reason().is_some() {
                            let end = TurnEnd::Ended(Outcome::Cancelled);
                            return Ok(Rest { end, is_dropped: true, quits });
                        }
                        cancel.fire(Cancellation::Withdrawn);
                    }
                    line = line(&mut self.people) => self.answer(line.as_deref())?,
                    end = &mut turn => break end,
                }
            }
        };
        while let Ok(message) = self.told.try_recv() {
            self.take(message)?;
        }
        Ok(Rest { end: end.map_err(Failure::input)?, is_dropped: false, quits })
    }

    fn take(&mut self, message: Message) -> Result<(), Failure> {
        match (message, &mut self.people) {
            (Message::Event(event), _) => {
                self.tape.hear(&event);
                self.report.hear(&event)?;
            }
            (Message::Ask(ask), Some(people)) => people.ask(ask, &mut *self.report)?,
            (Message::Ask(ask), None) => drop(ask.answer.send(Approval::Later)),
        }
        Ok(())
    }

    fn answer(&mut self, line: Option<&str>) -> Result<(), Failure> {
        if let Some(people) = &mut self.people {
            people.hear(line, &mut *self.report)?;
        }
        Ok(())
    }

    /// Puts the questions of a turn that waits to whoever is there, and returns the answers.
    async fn answers(
        &mut self,
        questions: &[Question],
    ) -> Result<Vec<(CallId, Approval)>, Failure> {
        let Some(people) = self.people.as_mut().filter(|people| !people.are_gone()) else {
            return Ok(Vec::new());
        };
        let mut answers = Vec::new();
        for question in questions {
            self.report.hear(&Event::Asked { question: question.clone() })?;
            let (answer, answered) = oneshot::channel();
            let ask = Ask {
                id: question.id.clone(),
                name: question.name.clone(),
                arguments: question.arguments.clone(),
                answer,
            };
            people.ask(ask, &mut *self.report)?;
            answers.push((question.id.clone(), answered));
        }
        while people.are_asked() {
            tokio::select! {
                _ = self.signals.next() => break,
                line = people.next() => people.hear(line.as_deref(), &mut *self.report)?,
            }
        }
        let mut given = Vec::new();
        for (id, mut answered) in answers {
            let answer = answered.try_recv().unwrap_or(Approval::Later);
            self.report.hear(&Event::Answered { id: id.clone(), answer: answer.clone() })?;
            given.push((id, answer));
        }
        Ok(given)
    }
}

async fn resumed(session: &mut Session<'_>) -> Result<TurnEnd, CatalogError> {
    // Without a turn there is nothing to go on with.
    Ok(session.resume().await.unwrap_or(TurnEnd::Ended(Outcome::Cancelled)))
}

/// Waits for an answer; where nobody is, none ever comes.
async fn line(people: &mut Option<People>) -> Option<String> {
    match people {
        Some(people) => people.next().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;
