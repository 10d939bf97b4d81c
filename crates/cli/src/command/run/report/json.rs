//! What happens as JSON, one object a line: a first line that says what is run, the events, a last one with the outcome.

use std::io::{self, Write};

use oncue_agent::{Event, TurnEnd};
use serde::Serialize;
use serde_json::json;

use super::Report;
use crate::command::JSON_VERSION;
use crate::command::run::cost::Rates;
use crate::command::run::setup::About;
use crate::exit::Exit;
use crate::failure::Failure;

/// Writes lines of JSON.
pub(in crate::command::run) struct Json<'w> {
    out: &'w mut dyn Write,
    rates: Rates,
}

impl<'w> Json<'w> {
    pub(in crate::command::run) fn new(out: &'w mut dyn Write, rates: Rates) -> Self {
        Self { out, rates }
    }

    /// Writes one line, and lets its reader have it at once.
    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut *self.out, value)?;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }
}

impl Report for Json<'_> {
    fn begin(&mut self, about: &About) -> io::Result<()> {
        #[derive(Serialize)]
        struct Started<'a> {
            event: &'static str,
            version: u32,
            oncue: &'static str,
            #[serde(flatten)]
            about: &'a About,
        }
        let oncue = env!("CARGO_PKG_VERSION");
        self.line(&Started { event: "started", version: JSON_VERSION, oncue, about })
    }

    fn hear(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_value(event)?;
        if let (Event::Ended { usage, took, .. }, Some(line)) = (event, line.as_object_mut()) {
            // In the unit of every other time here.
            line.shift_remove("took");
            let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
            line.insert("took_ms".to_owned(), took.into());
            line.insert("cost".to_owned(), serde_json::to_value(self.rates.cost(*usage))?);
        }
        self.line(&line)
    }

    /// The event that says what is asked has been told.
    fn prompt(&mut self, _: &str, _: &str) -> io::Result<()> {
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
        self.line(&json!({ "event": "warning", "text": text }))
    }

    fn fail(&mut self, failure: &Failure) -> io::Result<()> {
        self.line(&json!({ "event": "warning", "text": format!("{:#}", failure.error) }))
    }

    fn end(&mut self, end: &TurnEnd, exit: Exit) -> io::Result<()> {
        let mut line = match end {
            TurnEnd::Ended(outcome) => serde_json::to_value(outcome)?,
            TurnEnd::Waiting(questions) => {
                json!({ "outcome": "waiting", "questions": questions })
            }
        };
        if let Some(line) = line.as_object_mut() {
            line.shift_insert(0, "event".to_owned(), "finished".into());
            line.insert("exit".to_owned(), exit.code().into());
        }
        self.line(&line)
    }
}
