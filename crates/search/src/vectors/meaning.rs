//! The vectors of a query.

use std::sync::Arc;

use super::{Row, Vectors, hash_of};
use crate::limits::{QUERY_BYTES_MAX, QUERY_SENTENCES_MAX, head};

/// Shortest part of a query that counts as a sentence, in bytes.
const SENTENCE_BYTES_MIN: usize = 8;

/// Words behind which a sentence goes on with something else.
const JOINTS: [&str; 6] = [", and ", ", then ", ", also ", ", but ", " and then ", " and also "];

/// A vector to hold many others against.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// Widened, so that products need not be.
    pub(super) numbers: Box<[i16]>,
    pub(super) scale: f32,
}

impl Side {
    pub(super) fn of(row: &Row) -> Self {
        Self { numbers: row.bytes.iter().map(|&byte| byte.into()).collect(), scale: row.scale }
    }

    pub(super) fn width(&self) -> usize {
        self.numbers.len()
    }
}

/// What a query means: the vector of the whole and, where it says several things, one for each.
///
/// One vector of a long request lies between all that it asks for and close to none of it; with its sentences beside it each of them finds its own.
///
/// ```
/// use oncue_search::Meaning;
///
/// let texts = Meaning::texts("Find a flight to Oslo. Then book a hotel near the airport.");
/// assert_eq!(texts.len(), 3);
/// assert_eq!(texts[1], "Find a flight to Oslo.");
/// assert_eq!(Meaning::texts("book a hotel"), ["book a hotel"]);
/// ```
#[derive(Clone, Debug)]
pub struct Meaning {
    /// Stands for the model.
    model_hash: u64,
    sides: Vec<Side>,
    /// What each side is the vector of.
    texts: Vec<Box<str>>,
}

impl Meaning {
    /// Returns the texts whose vectors make up the meaning of `text`: the whole, then its sentences if there are several.
    #[must_use]
    pub fn texts(text: &str) -> Vec<&str> {
        let text = head(text, QUERY_BYTES_MAX).trim();
        let mut sentences = sentences(text);
        sentences.truncate(QUERY_SENTENCES_MAX);
        if sentences.len() < 2 {
            sentences.clear();
        }
        sentences.insert(0, text);
        sentences
    }

    /// The meaning that `model` gives in `vectors`, one for each of `texts`, which are those of [`Meaning::texts`].
    #[must_use]
    pub fn new(model: impl Into<Arc<str>>, texts: &[&str], vectors: &[Vec<f32>]) -> Self {
        let sides = vectors.iter().map(|vector| Side::of(&Row::of(vector))).collect();
        let texts = texts.iter().map(|&text| text.into()).collect();
        Self { model_hash: hash_of(&model.into()), sides, texts }
    }

    /// Returns what a part of the text means, as far as it was told of the part by itself.
    ///
    /// ```
    /// use oncue_search::Meaning;
    ///
    /// let texts = Meaning::texts("find a flight; book a hotel");
    /// let meaning = Meaning::new("m", &texts, &vec![vec![1.0]; texts.len()]);
    /// assert!(meaning.about("book a hotel").is_some());
    /// assert!(meaning.about("rent a car").is_none());
    /// ```
    #[must_use]
    pub fn about(&self, part: &str) -> Option<Self> {
        let told = self.texts.iter().zip(&self.sides).filter(|(text, _)| part.contains(&***text));
        let (texts, sides): (Vec<_>, Vec<_>) =
            told.map(|(text, side)| (text.clone(), side.clone())).unzip();
        (!sides.is_empty()).then_some(Self { model_hash: self.model_hash, sides, texts })
    }

    /// Says whether these vectors can be held against it.
    pub(crate) fn is_of(&self, vectors: &Vectors) -> bool {
        let fits = |side: &Side| side.width() == vectors.width();
        self.model_hash == vectors.model_hash() && self.sides.iter().all(fits)
    }

    pub(crate) fn sides(&self) -> &[Side] {
        &self.sides
    }
}

/// Cuts a text behind the marks that end a sentence, at line ends and where it turns to something else.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut from = 0;
    let mut cut = |from: &mut usize, at: usize, skip: usize| {
        let sentence = text.get(*from..at).unwrap_or_default().trim();
        if sentence.len() >= SENTENCE_BYTES_MIN {
            sentences.push(sentence);
        }
        *from = at + skip;
    };
    for (at, mark) in text.char_indices() {
        if at < from {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let after = at + mark.len_utf8();
        let next = text.get(after..).and_then(|rest| rest.chars().next());
        match mark {
            '.' | '!' | '?' if next.is_some_and(char::is_whitespace) => cut(&mut from, after, 0),
            ';' | '\n' => cut(&mut from, at, 1),
            '。' | '！' | '？' | '；' => cut(&mut from, after, 0),
            ',' | ' ' => {
                if let Some(joint) = JOINTS.iter().find(|joint| rest.starts_with(**joint)) {
                    cut(&mut from, at, joint.len());
                }
            }
            _ => {}
        }
    }
    cut(&mut from, text.len(), 0);
    sentences
}

#[cfg(test)]
mod tests {
    use super::Meaning;

    #[test]
    fn a_query_is_cut_where_it_turns_to_something_else() {
        for (text, sentences) in [
            ("list my open pull requests", &[][..]),
            ("a. b. c.", &[]),
            ("Version 2.5.1 of example.com", &[]),
            ("Mail Ann, and then call Bob at noon", &["Mail Ann", "then call Bob at noon"]),
            (
                "first thing; second thing\nthird thing",
                &["first thing", "second thing", "third thing"],
            ),
            ("날씨를 알려줘。메일을 보내줘", &["날씨를 알려줘。", "메일을 보내줘"]),
            ("Convert 5 USD to EUR! Is that a lot?", &["Convert 5 USD to EUR!", "Is that a lot?"]),
        ] {
            let texts = Meaning::texts(text);
            assert_eq!(texts[0], text);
            assert_eq!(texts[1..], *sentences, "{text}");
        }
    }

    #[test]
    fn a_long_text_has_a_bounded_number_of_parts() {
        assert_eq!(Meaning::texts(&"one more thing. ".repeat(1_000)).len(), 9);
        assert_eq!(Meaning::texts(""), [""]);
    }
}
