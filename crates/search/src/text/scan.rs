//! Text cut into pieces: words and the parts of identifiers, and runs of scripts that write no spaces.

use super::fold::push_folded;
use crate::limits::WHOLE_BYTES_MAX;

/// What a piece is, and so how it becomes terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word, or one part of an identifier, in a script that separates words.
    Word,
    /// A number, or the digits of an identifier.
    Digits,
    /// An identifier of several parts, without its separators.
    Whole,
    /// Korean: a run of Hangul syllables.
    Hangul,
    /// Chinese characters.
    Han,
    /// Japanese hiragana.
    Hiragana,
    /// Japanese katakana.
    Katakana,
    /// A run of another script without spaces (Thai, Lao, Khmer, Burmese).
    Dense,
}

/// One piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    /// The piece, folded.
    pub(crate) folded: &'t str,
    /// What it is.
    pub(crate) kind: Kind,
    /// The stretch of the text that it was cut from, as typed; for parts of an identifier the whole identifier.
    pub(crate) typed: &'t str,
    /// Whether its identifier is also kept whole.
    pub(crate) in_whole: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Script(Kind),
    /// Stands between parts of an identifier that is kept whole: `_ - .`
    Joiner,
    /// Disappears inside a word: `'`
    Apostrophe,
    Other,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        '_' | '-' | '.' => Class::Joiner,
        '\'' | '\u{2019}' => Class::Apostrophe,
        '\0'..='\x7f' => Class::Other,
        '\u{3041}'..='\u{309f}' => Class::Script(Kind::Hiragana),
        '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' => Class::Script(Kind::Katakana),
        '\u{ac00}'..='\u{d7a3}' => Class::Script(Kind::Hangul),
        '\u{3005}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{20000}'..='\u{3ffff}' => Class::Script(Kind::Han),
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => {
            Class::Script(Kind::Dense)
        }
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_numeric() => Class::Digit,
        _ if c.is_alphabetic() || is_mark(c) => Class::Lower,
        _ => Class::Other,
    }
}

/// Marks that belong to the letter before them: combining accents, Hebrew and Arabic points, Indic signs.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{980}'..='\u{d7f}')
}

/// Cuts `text` (in normalization form KC) into pieces, in reading order; an identifier's parts come before its whole.
pub(crate) fn pieces(text: &str, sink: &mut dyn FnMut(Piece<'_>)) {
    let mut scan = Scan { text, parts: Vec::new(), start: 0, folded: String::new(), sink };
    scan.run();
}

struct Scan<'t, 's> {
    text: &'t str,
    /// The parts of the identifier at hand, as byte ranges.
    parts: Vec<(usize, usize, Kind)>,
    /// Where the part at hand begins.
    start: usize,
    folded: String,
    sink: &'s mut dyn FnMut(Piece<'_>),
}

impl<'t> Scan<'t, '_> {
    fn run(&mut self) {
        let mut previous = Class::Other;
        let mut chars = self.text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let mut now = class(c);
            if now == Class::Apostrophe || now == Class::Joiner {
                now = self.between(now, previous, chars.peek().map(|&(_, next)| class(next)));
            }
            if now == Class::Apostrophe {
                continue;
            }
            match (previous, now) {
                (Class::Other, Class::Other) => {}
                (_, Class::Other) => {
                    self.end_part(previous, at);
                    self.end_identifier();
                }
                (Class::Other | Class::Joiner, _) => self.start = at,
                (_, Class::Joiner) => self.end_part(previous, at),
                (Class::Upper, Class::Lower) => self.split_acronym(at),
                (left, right) if left == right => {}
                (left, right) => {
                    self.end_part(left, at);
                    if is_script(left) != is_script(right) || is_script(right) {
                        self.end_identifier();
                    }
                    self.start = at;
                }
            }
            previous = now;
        }
        self.end_part(previous, self.text.len());
        self.end_identifier();
    }

    /// A joiner or an apostrophe counts only between letters or digits of words; scripts without spaces do not use them.
    fn between(&self, mark: Class, previous: Class, next: Option<Class>) -> Class {
        let joins = |class| matches!(class, Class::Lower | Class::Upper | Class::Digit);
        let continues = joins(previous) || previous == Class::Joiner;
        if continues && next.is_some_and(|next| joins(next) || next == mark) {
            mark
        } else {
            Class::Other
        }
    }

    /// `HTTPServer` is `HTTP` and `Server`; the plural of an acronym (`URLs`) stays one part.
    fn split_acronym(&mut self, lower_at: usize) {
        let run = self.text.get(self.start..lower_at).unwrap_or_default();
        let Some((last, _)) = run.char_indices().next_back() else { return };
        let rest = self.text.get(lower_at..).unwrap_or_default();
        let mut rest = rest.chars();
        let plural =
            rest.next() == Some('s') && rest.next().is_none_or(|c| class(c) != Class::Lower);
        if last > 0 && !plural {
            let split = self.start + last;
            self.push_part(split, Kind::Word);
            self.start = split;
        }
    }

    fn end_part(&mut self, class: Class, end: usize) {
        match class {
            Class::Lower | Class::Upper => self.push_part(end, Kind::Word),
            Class::Digit => self.push_part(end, Kind::Digits),
            Class::Script(kind) => self.push_part(end, kind),
            Class::Joiner | Class::Apostrophe | Class::Other => {}
        }
    }

    fn push_part(&mut self, end: usize, kind: Kind) {
        self.parts.push((self.start, end, kind));
    }

    fn end_identifier(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        let (Some(&(first, ..)), Some(&(_, last, _))) = (parts.first(), parts.last()) else {
            return;
        };
        let text = self.text;
        let slice = |start, end| -> &'t str { text.get(start..end).unwrap_or_default() };
        let typed = slice(first, last);
        let whole = parts.len() > 1 && typed.len() <= WHOLE_BYTES_MAX;
        for &(start, end, kind) in &parts {
            self.folded.clear();
            push_folded(without_possessive(slice(start, end)), &mut self.folded);
            self.folded.retain(|c| c != '\'' && c != '\u{2019}');
            (self.sink)(Piece { folded: &self.folded, kind, typed, in_whole: whole });
        }
        if whole {
            self.folded.clear();
            for &(start, end, _) in &parts {
                push_folded(slice(start, end), &mut self.folded);
            }
            (self.sink)(Piece { folded: &self.folded, kind: Kind::Whole, typed, in_whole: true });
        }
        self.parts = parts;
        self.parts.clear();
    }
}

fn is_script(class: Class) -> bool {
    matches!(class, Class::Script(_))
}

fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")).unwrap_or(word)
}
