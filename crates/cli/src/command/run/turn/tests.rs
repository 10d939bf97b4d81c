use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use oncue_agent::conversation::Item;
use oncue_agent::{Agent, Event, Model, Outcome, TurnEnd};
use oncue_decl::Row;
use oncue_tools::{Content, Grants, NoArguments, PlainTools, Tool, tool};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use super::{Rest, Watch, Work};
use crate::command::run::cassette::{Cassette, Played, Player, Tape};
use crate::command::run::channel::channel;
use crate::command::run::people::{People, Speaks};
use crate::command::run::report::Report;
use crate::command::run::setup::About;
use crate::command::run::signals::Signals;
use crate::command::run::typed::Typed;
use crate::exit::Exit;
use crate::failure::Failure;

/// What was shown, in short.
type Shown = Arc<Mutex<Vec<String>>>;

/// Writes down what is shown, and types an answer when it is asked.
struct Notes {
    shown: Shown,
    /// What is typed when a prompt or a question is shown, one after the other.
    answers: Vec<&'static str>,
    typing: Option<tokio::sync::mpsc::UnboundedSender<String>>,
    /// Types at prompts, else at questions.
    at_prompts: bool,
}

impl Notes {
    fn show(&self, text: String) {
        self.shown.lock().unwrap().push(text);
    }

    fn type_next(&mut self) {
        match self.answers.is_empty() {
            true => self.typing = None,
            false => {
                let line = self.answers.remove(0).to_owned();
                let _ = self.typing.as_ref().unwrap().send(line);
            }
        }
    }
}

impl Report for Notes {
    fn begin(&mut self, _: &About) -> io::Result<()> {
        Ok(())
    }

    fn hear(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Asked { question } => {
                self.show(format!("asked {}", question.name));
                if !self.at_prompts {
                    self.type_next();
                }
            }
            Event::Answered { id, answer } => self.show(format!("{id}: {answer:?}")),
            _ => {}
        }
        Ok(())
    }

    fn prompt(&mut self, name: &str, arguments: &str) -> io::Result<()> {
        self.show(format!("prompt {name} {arguments}"));
        if self.at_prompts {
            self.type_next();
        }
        Ok(())
    }

    fn typed(&mut self) {}

    fn invite(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn note(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn warn(&mut self, text: &str) -> io::Result<()> {
        self.show(format!("warning: {text}"));
        if !self.at_prompts {
            self.type_next();
        }
        Ok(())
    }

    fn fail(&mut self, _: &Failure) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, _: &TurnEnd, _: Exit) -> io::Result<()> {
        Ok(())
    }
}

/// A model that calls `drop` and `pay` in one step and then answers.
fn model(folder: &Path) -> Arc<dyn Model> {
    let call = |name: &str| json!({"part": "call", "id": name, "name": name, "arguments": "{}"});
    let reply = |parts: Value| json!({"line": "reply", "reply": {"parts": parts, "finish": "done", "usage": {}}});
    let lines = [
        json!({"line": "start", "version": 1, "model": "m"}),
        reply(json!([call("drop"), call("pay")])),
        reply(json!([{"part": "text", "text": "Done."}])),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let path = folder.join("model.jsonl");
    std::fs::write(&path, text).unwrap();
    Arc::new(Played::new(Arc::new(Player::lenient(Cassette::read(&path).unwrap())), None))
}

/// Runs one turn whose calls ask beside each other; `before` was typed before anything was asked.
fn turn(
    speaks: Speaks,
    before: &[&str],
    answers: Vec<&'static str>,
) -> (Vec<String>, TurnEnd, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let gated = |name: &'static str| -> Arc<dyn Tool> {
        let row = Row::inline(name, name);
        Arc::new(tool(row, async move |_, _: NoArguments| Ok(format!("{name} ran"))).parallel())
    };
    let tools = PlainTools::new(vec![gated("drop"), gated("pay")], &Grants::local());
    let (teller, told) = channel();
    let agent = Agent::plain(model(folder.path()), tools)
        .with_approver(Arc::new(teller.clone()))
        .with_listener(Arc::new(teller));
    let (typing, typed) = unbounded_channel();
    before.iter().for_each(|line| typing.send((*line).to_owned()).unwrap());
    let shown = Shown::default();
    let notes = Notes {
        shown: Arc::clone(&shown),
        answers,
        typing: Some(typing),
        at_prompts: speaks == Speaks::Words,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (end, results) = runtime.block_on(async {
        let mut watch = Watch {
            told,
            signals: Signals::new().unwrap(),
            people: Some(People::new(speaks, Typed::of(typed))),
            tape: &Tape::None,
            report: Box::new(notes),
        };
        let work = Work::Task("go".to_owned());
        let (session, rest) = watch.work(agent.session(), work).await.unwrap();
        let Rest { end, is_dropped, quits } = rest;
        assert!(!is_dropped && !quits);
        (end, results(&session.conversation().items))
    });
    let shown = std::mem::take(&mut *shown.lock().unwrap());
    (shown, end, results)
}

/// The texts of the results, each to its first sentence.
fn results(items: &[Item]) -> Vec<String> {
    let results = items.iter().find_map(|item| match item {
        Item::Results { results } => Some(results),
        _ => None,
    });
    let text = |content: &[Content]| match content {
        [Content::Text(text)] => text.split(". ").next().unwrap_or_default().to_owned(),
        other => format!("{other:?}"),
    };
    results.into_iter().flatten().map(|result| text(&result.content)).collect()
}

fn done() -> TurnEnd {
    TurnEnd::Ended(Outcome::Answered { text: "Done.".to_owned() })
}

#[test]
fn a_person_is_asked_one_after_the_other_and_what_was_typed_before_is_no_answer() {
    let (shown, end, results) = turn(Speaks::Words, &["y", "y"], vec!["yes", "not today"]);
    assert_eq!(end, done());
    assert_eq!(
        shown,
        [
            "asked drop",
            "prompt drop {}",
            "asked pay",
            "prompt pay {}",
            "drop: Agreed",
            "pay: Refused(Some(\"not today\"))",
        ]
    );
    assert_eq!(results, ["drop ran", "The user did not agree to the call of 'pay': not today"]);
}

#[test]
fn a_person_who_has_gone_lets_the_turn_wait() {
    let (shown, end, _) = turn(Speaks::Words, &[], vec!["y"]);
    let TurnEnd::Waiting(questions) = end else { panic!("{end:?}") };
    assert_eq!(questions.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["pay"]);
    assert!(shown.contains(&"drop: Agreed".to_owned()), "{shown:?}");
}

#[test]
fn a_program_answers_by_the_id_of_the_call() {
    let lines = vec![
        "",
        r#"{"id":"pay","answer":"no","why":"too much"}"#,
        r#"{"id":"other","answer":"yes"}"#,
        r#"{"id":"drop","answer":"perhaps"}"#,
        r#"{"id":"drop","answer":"yes"}"#,
    ];
    // The first two are typed at the questions, each next at the warning before it.
    let (shown, end, results) = turn(Speaks::Json, &[], lines);
    assert_eq!(end, done(), "{shown:?}");
    assert_eq!(results, ["drop ran", "The user did not agree to the call of 'pay': too much"]);
    let warnings: Vec<&String> = shown.iter().filter(|it| it.starts_with("warning")).collect();
    assert_eq!(warnings.len(), 3, "{shown:?}");
    assert_eq!(warnings[1], "warning: nothing is asked about the call `other`");
    assert!(warnings[2].starts_with("warning: a line is no answer: unknown variant `perhaps`"));
}

#[test]
fn a_program_may_let_a_call_wait() {
    let lines = vec![r#"{"id":"drop","answer":"later"}"#, r#"{"id":"pay","answer":"yes"}"#];
    let (_, end, _) = turn(Speaks::Json, &[], lines);
    let TurnEnd::Waiting(questions) = end else { panic!("{end:?}") };
    assert_eq!(questions.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["drop"]);
}
