//! One method for each kind of event.

use std::io;

use oncue_agent::conversation::Author;
use oncue_agent::{Loss, Outcome, Question, Usage};
use oncue_tools::{Approval, CallId, Content, ErrorKind};

use super::super::lines::{self, first_line, found, line, query, time};
use super::{ASK, BAD, CALL, DIM, GOOD, PLAIN, SEARCH, Trace};
use crate::limits::PROGRESS_STEP_MIN;
use crate::text::{counted, grouped, printable};

impl Trace<'_> {
    pub(super) fn is_search(&self, name: &str) -> bool {
        self.search.as_deref() == Some(name)
    }

    pub(super) fn streamed(&mut self, text: &str) -> io::Result<()> {
        if !self.view.is_live || text.is_empty() {
            return Ok(());
        }
        self.is_streamed = true;
        self.print(text)
    }

    pub(super) fn replied(&mut self, text: &str, calls: usize, usage: Usage) -> io::Result<()> {
        self.tell_thoughts()?;
        self.end_line()?;
        if calls > 0 && !self.is_streamed && !text.trim().is_empty() {
            match self.view.is_verbose {
                true => {
                    self.say(PLAIN, "say", "")?;
                    self.under(text);
                }
                false => self.say(PLAIN, "say", &first_line(text))?,
            }
        }
        if calls > 0 {
            self.is_streamed = false;
        }
        if self.view.is_verbose {
            self.say(DIM, "tokens", &tokens(usage))?;
        }
        Ok(())
    }

    pub(super) fn tell_thoughts(&mut self) -> io::Result<()> {
        let thoughts = std::mem::take(&mut self.thoughts);
        if self.view.is_verbose && !thoughts.trim().is_empty() {
            self.say(DIM, "think", "")?;
            self.under(&thoughts);
        }
        Ok(())
    }

    pub(super) fn lost(&mut self, losses: &[Loss]) -> io::Result<()> {
        let told = |loss: &Loss| printable(&format!("{}: {}", loss.place, loss.what));
        if self.view.is_verbose {
            return losses.iter().try_for_each(|loss| self.say(DIM, "lost", &told(loss)));
        }
        match losses {
            [] => Ok(()),
            [loss] => self.say(DIM, "lost", &told(loss)),
            [loss, rest @ ..] => {
                let text = format!("{}  (+{} with `--verbose`)", told(loss), rest.len());
                self.say(DIM, "lost", &text)
            }
        }
    }

    pub(super) fn calling(
        &mut self,
        id: &CallId,
        name: &str,
        arguments: &str,
        by: Author,
    ) -> io::Result<()> {
        if self.running.is_empty() {
            self.beside = 0;
        }
        self.running.insert(id.clone(), (arguments.to_owned(), by));
        if self.is_search(name) {
            self.searches += 1;
            return Ok(());
        }
        (self.calls, self.beside) = (self.calls + 1, self.beside + 1);
        self.say(CALL, "call", &printable(&format!("{name} {arguments}")))
    }

    pub(super) fn progress(
        &mut self,
        id: &CallId,
        done: f64,
        total: Option<f64>,
        message: &str,
    ) -> io::Result<()> {
        let share = total.filter(|total| *total > 0.0).map(|total| 100.0 * done / total);
        let before = self.shown.get(id).copied();
        let is_news = match (share, before) {
            (Some(share), Some(before)) => share >= before + PROGRESS_STEP_MIN || share >= 100.0,
            _ => true,
        };
        if !is_news {
            return Ok(());
        }
        self.shown.insert(id.clone(), share.unwrap_or_default());
        let text = match share {
            Some(share) => format!("{share:>3.0} %  {}", printable(message)),
            None => format!("{done}  {}", printable(message)),
        };
        self.say(DIM, "  …", &text)
    }

    pub(super) fn called(
        &mut self,
        id: &CallId,
        name: &str,
        content: &[Content],
        error: Option<ErrorKind>,
        took_ms: Option<u64>,
    ) -> io::Result<()> {
        let is_alone = self.beside <= 1;
        let running = self.running.remove(id);
        self.shown.remove(id);
        if self.is_search(name) {
            let (arguments, by) = running.unwrap_or((String::new(), Author::Model));
            let by = if by == Author::Loop { "  (made by the loop)" } else { "" };
            let text = format!("\"{}\" → {}{by}", query(&arguments), found(content, error));
            return self.say(SEARCH, "search", &text);
        }
        let text = lines::text(content);
        let (style, verb) = if error.is_some() { (BAD, "  fail") } else { (GOOD, "  ok") };
        let took = took_ms.map(|ms| format!("{}  ", time(ms))).unwrap_or_default();
        let name = if is_alone { String::new() } else { format!("{}  ", printable(name)) };
        let more = text.trim().lines().count().saturating_sub(1);
        if self.view.is_verbose {
            self.say(style, verb, &format!("{name}{took}"))?;
            self.under(&text);
            return Ok(());
        }
        let more = if more > 0 { format!("  (+{})", counted(more, "line")) } else { String::new() };
        let room = self.view.columns.saturating_sub(more.len());
        let line = line("", &format!("{name}{took}{}", first_line(&text)), room);
        self.say(style, verb, &format!("{}{more}", line.trim_start()))
    }

    pub(super) fn asked(&mut self, question: &Question) -> io::Result<()> {
        let (name, arguments) = (&question.name, &question.arguments);
        // Who agrees must see to what, to the last word.
        self.say_whole(ASK, "ask", &printable(&format!("{name} {arguments}")))?;
        if self.view.is_verbose {
            self.under(&question.reason);
        }
        Ok(())
    }

    pub(super) fn answered(&mut self, answer: &Approval) -> io::Result<()> {
        match answer {
            Approval::Agreed => self.say(GOOD, "  yes", ""),
            Approval::Refused(None) => self.say(BAD, "  no", ""),
            Approval::Refused(Some(why)) => self.say(BAD, "  no", &printable(why)),
            Approval::Later => self.say(DIM, "  later", ""),
        }
    }

    pub(super) fn outcome(
        &mut self,
        outcome: &Outcome,
        steps: u32,
        usage: Usage,
        took_ms: u64,
    ) -> io::Result<()> {
        let text = match outcome {
            Outcome::Answered { text }
            | Outcome::Truncated { text }
            | Outcome::Refused { text } => text,
            _ => "",
        };
        if !self.is_streamed && !text.is_empty() {
            self.print(text)?;
        }
        self.is_streamed = false;
        self.end_line()?;
        let (style, verb) = match outcome {
            Outcome::Answered { .. } => (GOOD, "done"),
            Outcome::EmptyFinish => (BAD, "empty"),
            Outcome::Truncated { .. } => (BAD, "cut"),
            Outcome::Refused { .. } => (BAD, "refused"),
            Outcome::Limit { .. } => (BAD, "limit"),
            Outcome::ContextFull => (BAD, "full"),
            Outcome::Failed { .. } => (BAD, "failed"),
            Outcome::Cancelled => (BAD, "off"),
            _ => (BAD, "stopped"),
        };
        let searches = match self.searches {
            1 => "1 search".to_owned(),
            searches => format!("{} searches", grouped(searches)),
        };
        let mut counts = vec![
            time(took_ms),
            counted(usize::try_from(steps).unwrap_or(usize::MAX), "step"),
            counted(self.calls, "call"),
            searches,
        ];
        if usage.total() > 0 {
            counts.extend([self.rates.cost(usage).to_string(), tokens(usage)]);
        }
        (self.calls, self.searches) = (0, 0);
        // The sums are worth a line that is broken.
        self.say_whole(style, verb, &counts.join("  "))
    }
}

fn tokens(usage: Usage) -> String {
    let [uncached, read, written, out] =
        [usage.uncached, usage.cache_read, usage.cache_write, usage.output]
            .map(|tokens| grouped(usize::try_from(tokens).unwrap_or(usize::MAX)));
    format!("{uncached} uncached + {read} read + {written} written + {out} out")
}
