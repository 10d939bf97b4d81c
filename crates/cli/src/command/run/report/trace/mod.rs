//! What happens, for people: the answer on standard output, everything else on standard error.

mod events;

use std::collections::HashMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use oncue_agent::conversation::Author;
use oncue_agent::{Event, TurnEnd};
use oncue_tools::CallId;

use super::Report;
use super::lines::{VERB, indented, line, time};
use crate::command::run::cost::Rates;
use crate::command::run::setup::About;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::{counted, printable, without_steering};

const SEARCH: Style = AnsiColor::Cyan.on_default().bold();
const CALL: Style = AnsiColor::Blue.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const ASK: Style = AnsiColor::Yellow.on_default().bold();
const DIM: Style = Style::new().dimmed();
const PLAIN: Style = Style::new();

/// How much is shown, and where.
#[derive(Clone, Copy, Debug)]
pub(in crate::command::run) struct View {
    /// Nothing but the answer.
    pub(in crate::command::run) is_quiet: bool,
    /// Everything.
    pub(in crate::command::run) is_verbose: bool,
    /// Text is shown as it is streamed: only at a terminal, where it may be followed by calls.
    pub(in crate::command::run) is_live: bool,
    /// Standard output is a terminal, which foreign text must not steer.
    pub(in crate::command::run) is_terminal: bool,
    /// Columns of standard error.
    pub(in crate::command::run) columns: usize,
}

/// Writes lines for people.
pub(in crate::command::run) struct Trace<'w> {
    out: &'w mut dyn Write,
    err: &'w mut dyn Write,
    view: View,
    rates: Rates,
    /// The name of the search tool.
    search: Option<String>,
    /// Calls that run, with the text of their arguments and who makes them.
    running: HashMap<CallId, (String, Author)>,
    /// How many calls of tools run or ran beside each other.
    beside: usize,
    /// How far running calls have come, in percent, as it was shown last.
    shown: HashMap<CallId, f64>,
    searches: usize,
    calls: usize,
    /// Text of the reply that comes is on the terminal already.
    is_streamed: bool,
    /// Standard output stands in the middle of a line.
    is_mid_line: bool,
    /// Standard error stands behind a prompt to which nobody has typed anything.
    is_prompting: bool,
    thoughts: String,
}

impl<'w> Trace<'w> {
    pub(in crate::command::run) fn new(
        out: &'w mut dyn Write,
        err: &'w mut dyn Write,
        view: View,
        rates: Rates,
        search: Option<String>,
    ) -> Self {
        Self {
            out,
            err,
            view,
            rates,
            search,
            running: HashMap::new(),
            beside: 0,
            shown: HashMap::new(),
            searches: 0,
            calls: 0,
            is_streamed: false,
            is_mid_line: false,
            is_prompting: false,
            thoughts: String::new(),
        }
    }

    /// Writes a line that begins with a word in its colour. What cannot be written to standard error is nobody's loss.
    fn say(&mut self, style: Style, verb: &str, text: &str) -> io::Result<()> {
        if self.view.is_quiet {
            return Ok(());
        }
        self.end_line()?;
        let line = line(verb, text, self.view.columns);
        let (verb, rest) = line.split_at_checked(verb.len()).unwrap_or((&line, ""));
        let _ = writeln!(self.err, "{style}{verb}{style:#}{rest}");
        Ok(())
    }

    /// Writes a text under the line before, dimmed.
    fn under(&mut self, text: &str) {
        if !self.view.is_quiet {
            for line in indented(text).lines() {
                let _ = writeln!(self.err, "{DIM}{line}{DIM:#}");
            }
        }
    }

    /// Writes text of the model to standard output.
    fn print(&mut self, text: &str) -> io::Result<()> {
        let shown = if self.view.is_terminal { without_steering(text) } else { text.to_owned() };
        self.out.write_all(shown.as_bytes())?;
        if let Some(last) = shown.chars().next_back() {
            self.is_mid_line = last != '\n';
        }
        self.out.flush()
    }

    /// A prompt waits for what a person types.
    fn prompted(&mut self) -> io::Result<()> {
        self.is_prompting = true;
        let _ = self.err.flush();
        Ok(())
    }

    /// Ends what stands in the middle of a line.
    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_prompting) {
            let _ = writeln!(self.err);
        }
        if self.is_mid_line {
            self.print("\n")?;
        }
        Ok(())
    }

    /// Writes a line that is not cut, though it may be broken.
    fn say_whole(&mut self, style: Style, verb: &str, text: &str) -> io::Result<()> {
        let columns = std::mem::replace(&mut self.view.columns, usize::MAX);
        let said = self.say(style, verb, text);
        self.view.columns = columns;
        said
    }
}

impl Report for Trace<'_> {
    fn begin(&mut self, about: &About) -> io::Result<()> {
        let model = printable(about.model.as_deref().unwrap_or_default());
        let tools = &about.tools;
        let count = match tools.discoverable.len() {
            0 => counted(tools.inline.len(), "tool"),
            hidden => format!("{}, {hidden} to be found", counted(tools.inline.len(), "tool")),
        };
        self.say(PLAIN, "start", &format!("{model}  {count}  {}", tools.sources.join(", ")))
    }

    fn hear(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::StepStarted { step, tools, narrowed } if self.view.is_verbose => {
                let among = match narrowed.as_slice() {
                    [] => String::new(),
                    names => format!(", held to {}", names.join(", ")),
                };
                self.say(DIM, "step", &format!("{step}  {}{among}", counted(*tools, "tool")))
            }
            Event::Text { text } => self.streamed(text),
            Event::Reasoning { text } => {
                self.thoughts.push_str(text);
                Ok(())
            }
            Event::Retrying { kind, message, pause_ms, .. } => {
                self.is_streamed = false;
                self.thoughts.clear();
                let text = format!("in {}: {kind}: {}", time(*pause_ms), printable(message));
                self.say(ASK, "retry", &text)
            }
            Event::Replied { text, calls, usage, cache_miss } => {
                self.replied(text, *calls, *usage)?;
                match cache_miss {
                    None => Ok(()),
                    Some(why) => {
                        let why = serde_json::to_value(why)?;
                        let why = why.as_str().unwrap_or_default().to_owned();
                        self.say(ASK, "cache", &format!("miss: {why}"))
                    }
                }
            }
            Event::Lost { losses } => self.lost(losses),
            Event::Calling { id, name, arguments, by } => self.calling(id, name, arguments, *by),
            Event::Progress { id, done, total, message } => {
                self.progress(id, *done, *total, message)
            }
            Event::Called { id, name, content, error, operator, took_ms } => {
                self.called(id, name, content, *error, *took_ms)?;
                if let (Some(operator), true) = (operator, self.view.is_verbose) {
                    self.under(&format!("({operator})"));
                }
                Ok(())
            }
            Event::Asked { question } => self.asked(question),
            Event::Answered { answer, .. } => self.answered(answer),
            Event::Chip { chip } => self.say(ASK, "chip", &printable(&format!("[{}]", chip.label))),
            Event::Nudged => {
                self.say(ASK, "nudge", "the reply was empty, the model is asked once more")
            }
            Event::Ended { outcome, steps, usage, took } => {
                let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
                self.outcome(outcome, *steps, *usage, took)
            }
            _ => Ok(()),
        }
    }

    fn prompt(&mut self, name: &str, arguments: &str) -> io::Result<()> {
        self.end_line()?;
        let name = printable(name);
        let indent = " ".repeat(VERB);
        let _ = match self.view.is_quiet {
            // A run that shows nothing has not shown what is asked either.
            true => write!(self.err, "{ASK}ask{ASK:#} {name} {}", printable(arguments)),
            false => write!(self.err, "{indent}{name}?"),
        };
        let _ = write!(self.err, " [y/N/why] ");
        self.prompted()
    }

    fn typed(&mut self) {
        self.is_prompting = false;
    }

    fn invite(&mut self) -> io::Result<()> {
        self.end_line()?;
        let _ = write!(self.err, "{GOOD}>{GOOD:#} ");
        self.prompted()
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        if !text.is_empty() {
            let _ = writeln!(self.err, "{DIM}{text}{DIM:#}");
        }
        Ok(())
    }

    fn warn(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        let _ = writeln!(self.err, "warning: {}", printable(text));
        Ok(())
    }

    fn fail(&mut self, failure: &Failure) -> io::Result<()> {
        self.end_line()?;
        failure.report(self.err);
        Ok(())
    }

    fn end(&mut self, end: &TurnEnd, _: Exit) -> io::Result<()> {
        self.end_line()?;
        if let TurnEnd::Waiting(questions) = end {
            for question in questions {
                let (id, name) = (question.id.as_str(), &question.name);
                self.say(ASK, "waits", &format!("{}  {}", printable(id), printable(name)))?;
            }
        }
        Ok(())
    }
}
