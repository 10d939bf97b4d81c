//! Text to terms.
//!
//! A term is what an index and a query are compared by: a folded, stemmed word, a part of an identifier, a whole identifier, or a pair of characters of a script without spaces.

mod acts;
mod dense;
mod fold;
mod language;
mod phrases;
mod praise;
mod scan;
mod stems;
mod stop;
#[cfg(test)]
mod tests;
mod verbs;

use std::cell::{Cell, RefCell};

use crate::limits::WORD_BYTES_MAX;
use language::Language;
use scan::{Kind, Piece};
use stop::is_stop_word;

pub(crate) use acts::{Act, Ask, Deed, name_words};
pub(crate) use fold::squashed;
pub(crate) use language::is_other_language;
pub(crate) use phrases::{Phrase, may_have_phrase, phrase};
pub(crate) use praise::is_praise;
pub(crate) use stems::Stems;
pub(crate) use verbs::is_generic;

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A word, or a part of an identifier.
    Word,
    /// A number.
    Number,
    /// A whole identifier of several parts.
    Whole,
    /// One or two characters of a script without spaces.
    Pair,
    /// A group of verbs that are used for one another; it stands beside the verb itself.
    Verbs,
}

/// A term of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The form in which texts are compared.
    pub text: String,
    /// What it is.
    pub sort: Sort,
    /// Which stretch of the text it comes from, counted from 0. The parts of an identifier and its whole share one stretch.
    pub stretch: usize,
}

/// A text, analysed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Its terms in reading order, repeats included.
    pub terms: Vec<Term>,
    /// The words and identifiers as typed (in Unicode normalization form KC); [`Term::stretch`] counts into this.
    pub stretches: Vec<String>,
}

/// Returns the terms of `text`.
///
/// ```
/// use oncue_search::text::analyze;
///
/// let terms = |text| analyze(text).terms.into_iter().map(|term| term.text).collect::<Vec<_>>();
/// assert_eq!(terms("Sorting the red pull-requests"), ["sort", "red", "pull", "request", "pullrequests"]);
/// assert_eq!(terms("nextUserById"), ["next", "user", "id", "nextuserbyid"]);
/// // A verb is accompanied by the groups of verbs that it is used for.
/// assert_eq!(terms("delete"), ["delet", "~delete"]);
/// assert_eq!(terms("파일을 찾습니다"), ["파일", "찾"]);
/// ```
#[must_use]
pub fn analyze(text: &str) -> Analysis {
    let stretches = RefCell::new(Vec::new());
    let mut terms = Vec::new();
    walk(
        text,
        &mut Stems::forgetful(),
        &mut |typed| stretches.borrow_mut().push(typed.to_owned()),
        &mut |text, sort| {
            let stretch = stretches.borrow().len().saturating_sub(1);
            terms.push(Term { text: text.to_owned(), sort, stretch });
        },
    );
    Analysis { terms, stretches: stretches.into_inner() }
}

/// Calls `sink` for each term of `text` with its place among the stretches, in reading order; what [`analyze`] returns, without keeping any of it.
pub(crate) fn each_placed_term(text: &str, sink: &mut dyn FnMut(&str, Sort, usize)) {
    let stretches = Cell::new(0usize);
    walk(
        text,
        &mut Stems::forgetful(),
        &mut |_| stretches.set(stretches.get() + 1),
        &mut |text, sort| sink(text, sort, stretches.get().saturating_sub(1)),
    );
}

/// Returns the words and identifiers of `text` in lower case; [`Term::stretch`] counts into this.
pub(crate) fn lowered_stretches(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    walk(
        text,
        &mut Stems::forgetful(),
        &mut |typed| words.push(typed.to_lowercase()),
        &mut |_, _| {},
    );
    words
}

/// Calls `sink` for each term of `text`, in reading order. `stems` remembers what it has stemmed before.
pub(crate) fn each_term(text: &str, stems: &mut Stems, sink: &mut dyn FnMut(&str, Sort)) {
    walk(text, stems, &mut |_| {}, sink);
}

/// Calls `stretch` for each word or identifier as typed, and after it `sink` for each of its terms.
fn walk(
    text: &str,
    stems: &mut Stems,
    stretch: &mut dyn FnMut(&str),
    sink: &mut dyn FnMut(&str, Sort),
) {
    let text = fold::composed(text);
    let language = Language::of(&text);
    let mut typed_at = std::ptr::null();
    scan::pieces(&text, &mut |piece| {
        if typed_at != piece.typed.as_ptr() {
            typed_at = piece.typed.as_ptr();
            stretch(piece.typed);
        }
        expand(piece, language, stems, sink);
    });
}

fn expand(
    piece: Piece<'_>,
    language: Language,
    stems: &mut Stems,
    sink: &mut dyn FnMut(&str, Sort),
) {
    let folded = piece.folded;
    match piece.kind {
        Kind::Word => word(piece, language, stems, sink),
        Kind::Digits if folded.len() <= WORD_BYTES_MAX => sink(folded, Sort::Number),
        Kind::Digits => {}
        Kind::Whole => sink(folded, Sort::Whole),
        Kind::Hangul => {
            dense::pairs(&dense::korean_stem(folded), &mut |pair| sink(pair, Sort::Pair));
        }
        Kind::Hiragana => dense::hiragana_content(folded, &mut |content| {
            dense::pairs(content, &mut |pair| sink(pair, Sort::Pair));
        }),
        Kind::Han | Kind::Katakana | Kind::Dense => {
            dense::pairs(folded, &mut |pair| sink(pair, Sort::Pair));
        }
    }
}

fn word(piece: Piece<'_>, language: Language, stems: &mut Stems, sink: &mut dyn FnMut(&str, Sort)) {
    let folded = piece.folded;
    // One letter of an identifier (`s3`, `k8s`) says something only within its whole.
    let lone_letter = piece.in_whole && folded.len() == 1;
    if folded.is_empty() || folded.len() > WORD_BYTES_MAX || lone_letter || is_stop_word(folded) {
        return;
    }
    if language == Language::English {
        let stem = stems.english(folded);
        sink(stem, Sort::Word);
        verbs::groups(stem).iter().for_each(|group| sink(group, Sort::Verbs));
        return;
    }
    let stem = language.stem(folded);
    sink(&stem, Sort::Word);
    // Words that languages share (hotel, information) meet in their English stems.
    let english = stems.english(folded);
    if english != stem {
        sink(english, Sort::Word);
    }
}
