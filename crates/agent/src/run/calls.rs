//! The calls of one step, each in its own state.

use oncue_tools::{Approval, CallId, Content, ErrorKind, Identity};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::conversation::{Author, Call, CallResult, Item, Part, Said};

/// The calls of one step in call order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Calls {
    calls: Vec<(Call, State)>,
    /// Whether those that are ready have begun to run, and nobody knows yet what came of them.
    #[serde(default)]
    is_running: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// It may be tried, with what a person has said about it so far.
    Ready(Vec<(Question, Approval)>),
    /// A person is asked, after what was said before.
    Asked(Question, Vec<(Question, Approval)>),
    /// It came to its end.
    Done(CallResult),
}

/// What a person is asked about one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Which call.
    pub id: CallId,
    /// Which tool.
    pub tool: Identity,
    /// The name by which the model called it.
    pub name: String,
    /// The text of the arguments, as a hook may have left them.
    pub arguments: String,
    /// Why a person is asked.
    pub reason: String,
    /// What the tool says of itself; where that changes before the call is made, the person is asked again.
    pub description: String,
}

/// A call that may be tried now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ready<'r> {
    /// The call.
    pub call: &'r Call,
    /// What a person was asked and has said, each for that tool and those arguments alone; several where a hook changes the arguments.
    pub answers: &'r [(Question, Approval)],
}

/// How far a call has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// To its end.
    Result(CallResult),
    /// A person must be asked first.
    Question(Question),
}

impl Calls {
    /// Calls that may be tried, and those that are answered already.
    pub(super) fn new(calls: impl IntoIterator<Item = (Call, Option<CallResult>)>) -> Self {
        let state = |done: Option<CallResult>| done.map(State::Done);
        let calls = calls.into_iter().map(|(call, done)| {
            let state = state(done).unwrap_or_else(|| State::Ready(Vec::new()));
            (call, state)
        });
        Self { calls: calls.collect(), is_running: false }
    }

    pub(super) fn ready(&self) -> Vec<Ready<'_>> {
        let ready = self.calls.iter().filter_map(|(call, state)| match state {
            State::Ready(answers) => Some(Ready { call, answers }),
            State::Asked(..) | State::Done(_) => None,
        });
        ready.collect()
    }

    pub(super) fn questions(&self) -> Vec<&Question> {
        let questions = self.calls.iter().filter_map(|(_, state)| match state {
            State::Asked(question, _) => Some(question),
            _ => None,
        });
        questions.collect()
    }

    /// Takes a person's answer; false where nothing was asked about the call.
    pub(super) fn answer(&mut self, id: &CallId, answer: Approval) -> bool {
        for (call, state) in &mut self.calls {
            if let State::Asked(question, answers) = state
                && call.id == *id
            {
                if answer != Approval::Later {
                    let mut answers = std::mem::take(answers);
                    answers.push((question.clone(), answer));
                    *state = State::Ready(answers);
                }
                return true;
            }
        }
        false
    }

    /// Those that are ready begin to run.
    pub(super) fn begin(&mut self) {
        self.is_running = true;
    }

    /// Answers the calls that were running when whoever ran them went away: what they did is not known, so they are not run again.
    pub(super) fn interrupt(&mut self) {
        if !std::mem::take(&mut self.is_running) {
            return;
        }
        for (call, state) in &mut self.calls {
            if let State::Ready(_) = state {
                *state = State::Done(interrupted(call));
            }
        }
    }

    /// Takes how far calls have come; those that are done stay as they are.
    pub(super) fn take(&mut self, ended: Vec<Ended>) {
        self.is_running = false;
        for ended in ended {
            let id = match &ended {
                Ended::Result(result) => &result.id,
                Ended::Question(question) => &question.id,
            };
            let open = |(call, state): &&mut (Call, State)| {
                call.id == *id && !matches!(state, State::Done(_))
            };
            if let Some((_, state)) = self.calls.iter_mut().find(open) {
                let answers = match state {
                    State::Ready(answers) | State::Asked(_, answers) => std::mem::take(answers),
                    State::Done(_) => Vec::new(),
                };
                *state = match ended {
                    Ended::Result(result) => State::Done(result),
                    Ended::Question(question) => State::Asked(question, answers),
                };
            }
        }
    }

    /// Returns the calls that have a result.
    pub(super) fn done(&self) -> Vec<(&Call, &CallResult)> {
        let done = self.calls.iter().filter_map(|(call, state)| match state {
            State::Done(result) => Some((call, result)),
            _ => None,
        });
        done.collect()
    }

    /// Returns the calls with their results, once all have one.
    pub(super) fn finished(&self) -> Option<Vec<(&Call, &CallResult)>> {
        let done = self.calls.iter().map(|(call, state)| match state {
            State::Done(result) => Some((call, result)),
            _ => None,
        });
        done.collect()
    }

    /// Returns a result for every call; those without one were called off.
    pub(super) fn called_off(mut self) -> Vec<CallResult> {
        self.interrupt();
        let results = self.calls.into_iter().map(|(call, state)| match state {
            State::Done(result) => result,
            State::Ready(_) | State::Asked(..) => {
                let text = format!("The call of '{}' was called off and was not run.", call.name);
                error(&call, ErrorKind::Cancelled, text)
            }
        });
        results.collect()
    }
}

fn interrupted(call: &Call) -> CallResult {
    let name = &call.name;
    let text = format!(
        "The call of '{name}' was interrupted; it may have done part of its work. Check what it did before you call {name} again."
    );
    error(call, ErrorKind::Cancelled, text)
}

/// Returns the result of a call that was answered without being run.
pub(super) fn error(call: &Call, kind: ErrorKind, text: String) -> CallResult {
    CallResult {
        id: call.id.clone(),
        name: call.name.clone(),
        content: vec![Content::Text(text)],
        error: Some(kind),
        loaded: Vec::new(),
    }
}

/// A search that the loop makes in the model's place: a recorded call of the search tool like any other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Search {
    call: Call,
}

impl Search {
    /// A search for the words of a user.
    pub(super) fn preload(id: CallId, tool: &str, words: &str, max: usize) -> Self {
        Self::new(id, tool, json!({ "query": words, "max_results": max }).to_string())
    }

    /// A search for tools by their exact names.
    pub(super) fn select(id: CallId, tool: &str, names: &[&str]) -> Self {
        Self::new(id, tool, json!({ "query": format!("select:{}", names.join(",")) }).to_string())
    }

    fn new(id: CallId, tool: &str, arguments: String) -> Self {
        Self { call: Call { id, name: tool.to_owned(), arguments } }
    }

    pub(super) fn ready(&self) -> Ready<'_> {
        Ready { call: &self.call, answers: &[] }
    }

    /// Returns the pair that stands in the conversation.
    pub(super) fn recorded(self, result: CallResult) -> [Item; 2] {
        let parts = vec![Part::Call(self.call)];
        let said = Said { by: Author::Loop, parts, raw: None };
        [Item::Reply(said), Item::Results { results: vec![result] }]
    }
}
