//! A person's answers to calls: those given already, those of somebody who asks at once, and those still to come.

use std::sync::{Mutex, PoisonError};

use oncue_tools::{Approval, Approver, AskReason, Asking, BoxFuture};

use crate::agent::Consent;
use crate::{Agent, Event, Question, Ready};

use super::clock::Clock;
use super::deadline::Deadlines;

/// Answers for the calls of one step, and keeps the questions that nobody has answered.
pub(super) struct Answers<'a> {
    agent: &'a Agent,
    /// Questions of earlier tries with their answers; each holds for its own tool and arguments alone.
    given: Vec<&'a (Question, Approval)>,
    open: Mutex<Vec<Question>>,
    /// The times that stand still while a person is asked: the turn's and those of its calls.
    clock: &'a Clock,
    deadlines: &'a Deadlines,
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        agent: &'a Agent,
        ready: &[Ready<'a>],
        clock: &'a Clock,
        deadlines: &'a Deadlines,
    ) -> Self {
        let given = ready.iter().flat_map(|call| call.answers).collect();
        Self { agent, given, open: Mutex::default(), clock, deadlines }
    }

    /// Returns the questions that nobody has answered.
    pub(super) fn open(self) -> Vec<Question> {
        self.open.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    async fn answer(&self, question: Question, asking: &Asking) -> Approval {
        let given = self.given.iter().find(|(asked, _)| *asked == question);
        if let Some((_, answer)) = given {
            return answer.clone();
        }
        self.agent.tell(|| Event::Asked { question: question.clone() });
        let answer = match &self.agent.consent {
            Consent::Live(approver) => {
                let _standing_still = self.clock.asks();
                self.deadlines.pause(&question.id);
                let answer = approver.approve(asking).await;
                self.deadlines.go_on(&question.id);
                answer
            }
            Consent::Waiting => Approval::Later,
            // The step is given no approver then, and says so itself.
            Consent::Nobody => Approval::Refused(None),
        };
        if answer == Approval::Later {
            self.open.lock().unwrap_or_else(PoisonError::into_inner).push(question);
        } else {
            let id = question.id.clone();
            self.agent.tell(|| Event::Answered { id, answer: answer.clone() });
        }
        answer
    }
}

impl Approver for Answers<'_> {
    fn approve<'c>(&'c self, asking: &'c Asking) -> BoxFuture<'c, Approval> {
        let call = asking.call();
        let question = Question {
            id: call.id().clone(),
            tool: call.entry().identity().clone(),
            name: call.entry().exposed().to_owned(),
            arguments: call.raw().get().to_owned(),
            reason: match asking.reason() {
                AskReason::Gated => "the tool asks before it acts".to_owned(),
                AskReason::Guard(why) => why.clone(),
            },
            description: call.entry().row().description().to_owned(),
        };
        Box::pin(self.answer(question, asking))
    }
}
