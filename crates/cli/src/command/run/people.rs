//! Who answers when a call needs consent, and what the answers look like.

use std::collections::VecDeque;
use std::io;

use oncue_tools::{Approval, CallId};
use serde::Deserialize;

use super::channel::Ask;
use super::report::Report;
use super::typed::Typed;

/// Who answers while a run works. Lives as long as the run.
pub(super) struct People {
    speaks: Speaks,
    typed: Typed,
    /// Questions without an answer, in the order in which they came; a person is asked one after the other.
    open: VecDeque<Ask>,
}

/// How answers are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaks {
    /// As a person at a terminal does.
    Words,
    /// As a program does: lines of JSON that name the call.
    Json,
}

/// An answer as a program types it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Typing {
    id: CallId,
    answer: Word,
    why: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Yes,
    No,
    Later,
}

impl People {
    pub(super) fn new(speaks: Speaks, typed: Typed) -> Self {
        Self { speaks, typed, open: VecDeque::new() }
    }

    /// Returns what is typed, for a conversation.
    pub(super) fn typed(&mut self) -> &mut Typed {
        &mut self.typed
    }

    /// Says whether nobody will answer any more.
    pub(super) const fn are_gone(&self) -> bool {
        self.typed.is_over()
    }

    /// Says whether a question is open.
    pub(super) fn are_asked(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes a question.
    pub(super) fn ask(&mut self, ask: Ask, report: &mut dyn Report) -> io::Result<()> {
        if self.typed.is_over() {
            let _ = ask.answer.send(Approval::Later);
            return Ok(());
        }
        self.open.push_back(ask);
        if self.open.len() == 1 { self.prompt(report) } else { Ok(()) }
    }

    /// Waits for the next line, as long as there is a question; without one it never comes.
    pub(super) async fn next(&mut self) -> Option<String> {
        // A call that was called off waits for no answer.
        while self.open.front().is_some_and(|ask| ask.answer.is_closed()) {
            self.open.pop_front();
        }
        match self.open.is_empty() {
            true => std::future::pending().await,
            false => self.typed.next().await,
        }
    }

    /// Takes a line as the answer to what is asked; without one everything waits.
    pub(super) fn hear(&mut self, line: Option<&str>, report: &mut dyn Report) -> io::Result<()> {
        let Some(line) = line else {
            for ask in self.open.drain(..) {
                let _ = ask.answer.send(Approval::Later);
            }
            return Ok(());
        };
        report.typed();
        let (at, answer) = match self.speaks {
            Speaks::Words => (0, words(line)),
            Speaks::Json => match serde_json::from_str::<Typing>(line) {
                Ok(typing) => match self.open.iter().position(|ask| ask.id == typing.id) {
                    Some(at) => (at, approval(typing.answer, typing.why)),
                    None => {
                        let id = typing.id;
                        return report.warn(&format!("nothing is asked about the call `{id}`"));
                    }
                },
                Err(error) => return report.warn(&format!("a line is no answer: {error}")),
            },
        };
        if let Some(ask) = self.open.remove(at) {
            let _ = ask.answer.send(answer);
        }
        self.prompt(report)
    }

    /// Puts the first open question to a person; what was typed before it is no answer to it.
    fn prompt(&mut self, report: &mut dyn Report) -> io::Result<()> {
        match (self.speaks, self.open.front()) {
            (Speaks::Words, Some(ask)) => {
                self.typed.forget();
                report.prompt(&ask.name, &ask.arguments)
            }
            _ => Ok(()),
        }
    }
}

/// Reads what a person types: agreement must be said, and what is no word of the two is why not.
pub(super) fn words(line: &str) -> Approval {
    let line = line.trim();
    match line.to_lowercase().as_str() {
        "y" | "yes" => Approval::Agreed,
        "" | "n" | "no" => Approval::Refused(None),
        _ => Approval::Refused(Some(line.to_owned())),
    }
}

fn approval(word: Word, why: Option<String>) -> Approval {
    match word {
        Word::Yes => Approval::Agreed,
        Word::No => Approval::Refused(why.filter(|why| !why.trim().is_empty())),
        Word::Later => Approval::Later,
    }
}

/// An answer to a question of a stored session, as it is typed: `ID=yes`, `ID=no` or `ID=no:why`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(super) id: CallId,
    pub(super) approval: Approval,
}

impl std::str::FromStr for Answer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no answer: write ID=yes, ID=no or ID=no:WHY");
        let (id, answer) = text.split_once('=').ok_or_else(wrong)?;
        let (word, why) = answer
            .split_once(':')
            .map_or((answer, None), |(word, why)| (word, Some(why.trim().to_owned())));
        let approval = match (word.trim().to_lowercase().as_str(), why) {
            ("y" | "yes", None) => Approval::Agreed,
            ("n" | "no", why) => Approval::Refused(why.filter(|why| !why.is_empty())),
            _ => return Err(wrong()),
        };
        match id.trim() {
            "" => Err(wrong()),
            id => Ok(Self { id: CallId::new(id), approval }),
        }
    }
}

#[cfg(test)]
mod tests {
    use oncue_tools::{Approval, CallId};

    use super::{Answer, words};

    fn refused(why: &str) -> Approval {
        Approval::Refused(Some(why.to_owned()))
    }

    #[test]
    fn agreement_must_be_said() {
        for line in ["y", " Yes ", "YES"] {
            assert_eq!(words(line), Approval::Agreed);
        }
        for line in ["", " ", "n", "No"] {
            assert_eq!(words(line), Approval::Refused(None));
        }
        assert_eq!(words("yes, but smaller"), refused("yes, but smaller"));
        assert_eq!(words("ok"), refused("ok"));
    }

    #[test]
    fn an_answer_names_its_call() {
        let read = |text: &str| text.parse::<Answer>();
        let answer = |approval| Ok(Answer { id: CallId::new("c5"), approval });
        assert_eq!(read("c5=yes"), answer(Approval::Agreed));
        assert_eq!(read(" c5 = NO "), answer(Approval::Refused(None)));
        assert_eq!(read("c5=no: too much = too much"), answer(refused("too much = too much")));
        assert_eq!(read("c5=no:"), answer(Approval::Refused(None)));
        for text in ["c5", "c5=maybe", "=yes", "c5=yes:why", ""] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
