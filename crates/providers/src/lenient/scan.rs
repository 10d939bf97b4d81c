//! Cuts a text into prose, thoughts and JSON that may be calls. Pure; the work is bounded by the length of the text.

use std::ops::Range;

use super::Ending;
use super::json::{self, Close};
use super::shape::{self, Shaped};
use crate::limits::LENIENT_WORK_PER_BYTE_MAX;

/// What some models write around calls: what opens and what closes.
const TAGS: [(&str, &str); 8] = [
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<function_call>", "</function_call>"),
    ("<functioncall>", "</functioncall>"),
    ("<tools>", "</tools>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|python_tag|>", "<|eom_id|>"),
    ("[TOOL_CALLS]", "[/TOOL_CALLS]"),
];

/// What some models write around their thoughts.
const THOUGHTS: (&str, &str) = ("<think>", "</think>");

/// What stands before and behind code.
const FENCE: &str = "```";

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where it stands.
    pub(super) range: Range<usize>,
    /// What it is.
    pub(super) kind: Kind,
}

/// What a piece of a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words, and JSON that is no call.
    Prose,
    /// Thoughts, in which nothing is called.
    Thoughts,
    /// JSON in the shape of calls, bare or fenced.
    Json(Vec<Shaped>),
    /// The same between tags that say so.
    Tagged(Vec<Shaped>),
}

/// Returns the pieces of `text` in order, without gaps.
pub(super) fn pieces(text: &str, ending: Ending) -> Vec<Piece> {
    let mut scan = Scan { text, ending, pieces: Vec::new(), prose_from: 0, work: 0 };
    scan.run();
    scan.pieces
}

/// Returns how many bytes of `text` are read in vain.
#[cfg(test)]
pub(super) fn work(text: &str, ending: Ending) -> usize {
    let mut scan = Scan { text, ending, pieces: Vec::new(), prose_from: 0, work: 0 };
    scan.run();
    scan.work
}

struct Scan<'t> {
    text: &'t str,
    ending: Ending,
    pieces: Vec<Piece>,
    /// Where the prose begins that is not a piece yet.
    prose_from: usize,
    /// How many bytes were read in vain.
    work: usize,
}

impl Scan<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(begin) = self.next_mark(at) {
            if self.work > self.text.len().saturating_mul(LENIENT_WORK_PER_BYTE_MAX) {
                break;
            }
            at = self.mark(begin);
        }
        self.end_prose(self.text.len());
    }

    fn from(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Returns where the next character stands that may begin something other than prose.
    fn next_mark(&self, at: usize) -> Option<usize> {
        self.from(at).find(['{', '[', '<', '`']).map(|found| at + found)
    }

    /// Reads what begins at the mark at `begin` and returns where to go on.
    fn mark(&mut self, begin: usize) -> usize {
        let rest = self.from(begin);
        if rest.starts_with(THOUGHTS.0) {
            let end = self.behind(begin + THOUGHTS.0.len(), THOUGHTS.1);
            return self.piece(begin..end, Kind::Thoughts);
        }
        if rest.starts_with(FENCE) {
            return self.fenced(begin);
        }
        match TAGS.iter().find(|(opener, _)| rest.starts_with(opener)) {
            Some(&(opener, closer)) => self.tagged(begin, opener, closer),
            None if rest.starts_with(['{', '[']) => self.bare(begin),
            None => begin + 1,
        }
    }

    /// Reads a value that stands by itself.
    fn bare(&mut self, begin: usize) -> usize {
        match json::read(self.from(begin), self.close_at_end()) {
            Ok(read) => {
                let calls = shape::calls(&read.json);
                match calls.as_slice() {
                    // What lies within other JSON is data of the model's, not a call.
                    [] => begin + read.bytes,
                    _ => self.piece(begin..begin + read.bytes, Kind::Json(calls)),
                }
            }
            Err(broken) => {
                self.work += broken.bytes;
                begin + 1
            }
        }
    }

    /// Reads code between fences: calls and nothing else, or prose.
    fn fenced(&mut self, begin: usize) -> usize {
        let code = begin + FENCE.len();
        let language = self.from(code).find(|c: char| !c.is_alphanumeric() && c != '_');
        let inside = language.map_or(self.text.len(), |length| code + length);
        match self.values(inside, FENCE) {
            Some((calls, end)) => self.piece(begin..end, Kind::Json(calls)),
            None => self.behind(inside, FENCE),
        }
    }

    /// Reads what stands between tags: calls and nothing else, or prose.
    fn tagged(&mut self, begin: usize, opener: &str, closer: &str) -> usize {
        let inside = begin + opener.len();
        match self.values(inside, closer) {
            Some((calls, end)) => self.piece(begin..end, Kind::Tagged(calls)),
            None => inside,
        }
    }

    /// Reads values in the shape of calls up to `closer` or the end of the text, and returns where they end, the closer included.
    fn values(&mut self, from: usize, closer: &str) -> Option<(Vec<Shaped>, usize)> {
        let at_end = self.ending == Ending::Whole;
        let mut calls = Vec::new();
        let mut at = from;
        loop {
            at = self.behind_separators(at, closer);
            let rest = self.from(at);
            if rest.starts_with(closer) && !calls.is_empty() {
                return Some((calls, at + closer.len()));
            }
            if rest.is_empty() && !calls.is_empty() {
                return Some((calls, at));
            }
            let (bytes, found) = match json::read(rest, Close::Before { closer, at_end }) {
                Ok(read) => (read.bytes, shape::calls(&read.json)),
                Err(broken) => (broken.bytes, Vec::new()),
            };
            at += bytes;
            if found.is_empty() {
                self.work += at - from;
                return None;
            }
            calls.extend(found);
        }
    }

    /// Returns where the next value or `closer` begins: white space, commas, brackets that close nothing, and fences within tags are passed over.
    fn behind_separators(&self, from: usize, closer: &str) -> usize {
        let mut at = from;
        loop {
            let rest = self.from(at);
            let separators = rest.len() - rest.trim_start_matches(is_separator).len();
            at += separators;
            let rest = self.from(at);
            if closer == FENCE || !rest.starts_with(FENCE) {
                return at;
            }
            at += FENCE.len();
            at += self.from(at).bytes().take_while(u8::is_ascii_alphanumeric).count();
        }
    }

    /// Returns where the text goes on behind the next `closer`.
    fn behind(&self, from: usize, closer: &str) -> usize {
        self.from(from).find(closer).map_or(self.text.len(), |at| from + at + closer.len())
    }

    fn close_at_end(&self) -> Close<'static> {
        match self.ending {
            Ending::Whole => Close::AtEnd,
            Ending::CutOff => Close::Never,
        }
    }

    /// Ends the prose before a piece, keeps the piece, and returns where it ends.
    fn piece(&mut self, range: Range<usize>, kind: Kind) -> usize {
        self.end_prose(range.start);
        self.prose_from = range.end;
        let end = range.end;
        self.pieces.push(Piece { range, kind });
        end
    }

    fn end_prose(&mut self, end: usize) {
        if end > self.prose_from {
            self.pieces.push(Piece { range: self.prose_from..end, kind: Kind::Prose });
        }
    }
}

/// Says whether a text that begins so may turn out to be calls.
pub(super) fn may_be_calls(beginning: &str) -> bool {
    let text = beginning.trim_start();
    let openers = TAGS.iter().map(|(opener, _)| *opener).chain([FENCE, "{", "["]);
    openers.into_iter().any(|opener| text.starts_with(opener) || opener.starts_with(text))
}

/// Says whether a character between two calls means nothing.
pub(super) fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '}' | ']')
}
