//! Tools for one thing, told apart by what they do to it.
//!
//! A request says what is to be done in one word of many, and siblings share all the others.
//! So among tools of one source for the same thing the one goes first whose name does what is asked, to as many as are meant, and one that deletes goes behind the others where nobody asks to delete.
//! Among tools of several sources for the same thing that do the same the one goes first whose source the request names.

use crate::Hit;
use crate::limits::SIBLINGS_HITS_MAX;
use crate::text::{Act, Ask, Deed, name_words};

/// Share of its score from which another tool goes before a deleting one.
const NEARLY: f32 = 0.5;

/// A hit with what its name says that it does.
struct Sibling<'a> {
    hit: Hit<'a>,
    deed: Deed,
    /// Whether the request names its source.
    is_named: bool,
}

/// Returns the hits, of at most 100, with those that do not do what `text` asks behind their siblings that do.
///
/// Tools whose name is spelled do not move.
pub(crate) fn ordered<'a>(text: &str, hits: Vec<Hit<'a>>) -> Vec<Hit<'a>> {
    if hits.len() > SIBLINGS_HITS_MAX || hits.len() < 2 {
        return hits;
    }
    let ask = Ask::of(text);
    let sibling = |hit: Hit<'a>| Sibling {
        deed: Deed::of(hit.document.row.name()),
        is_named: ask.says_any(&words(hit.source)),
        hit,
    };
    let mut siblings: Vec<Sibling<'a>> = hits.into_iter().map(sibling).collect();
    deleting_last(&ask, &mut siblings);
    doing_first(&ask, &mut siblings);
    named_first(&mut siblings);
    siblings.into_iter().map(|sibling| sibling.hit).collect()
}

/// Puts what deletes behind the others of its source where nobody asks for that.
fn deleting_last(ask: &Ask, siblings: &mut [Sibling<'_>]) {
    if ask.acts.contains(&Act::Delete) {
        return;
    }
    // Each step moves one hit one place among those of its source, and never back.
    for end in (1..siblings.len()).rev() {
        for at in 0..end {
            let is_of = |next: &usize| siblings[*next].hit.source == siblings[at].hit.source;
            let Some(next) = (at + 1..siblings.len()).find(is_of) else { continue };
            let (first, second) = (&siblings[at], &siblings[next]);
            if !first.hit.exact
                && !second.hit.exact
                && first.deed.act == Some(Act::Delete)
                && second.deed.act != first.deed.act
                && second.hit.score >= NEARLY * first.hit.score
            {
                siblings.swap(at, next);
            }
        }
    }
}

/// Puts what does what is asked in the place of the first of its source that does something else to the same thing.
fn doing_first(ask: &Ask, siblings: &mut [Sibling<'_>]) {
    for at in 1..siblings.len() {
        let goes = |first: &usize| siblings[*first].goes_behind(&siblings[at], ask);
        let Some(first) = (0..at).find(goes) else { continue };
        let source = siblings[at].hit.source;
        // The others of the source move one place on; those of other sources stay.
        let places: Vec<usize> =
            (first..=at).filter(|&place| siblings[place].hit.source == source).collect();
        for pair in places.windows(2).rev() {
            if let [left, right] = pair {
                siblings.swap(*left, *right);
            }
        }
    }
}

/// Exchanges tools of two sources that do the same to the same thing, where the request names the source of the second alone.
fn named_first(siblings: &mut [Sibling<'_>]) {
    for at in 1..siblings.len() {
        let goes = |first: &usize| siblings[*first].is_named_less(&siblings[at]);
        if let Some(first) = (0..at).find(goes) {
            siblings.swap(first, at);
        }
    }
}

impl Sibling<'_> {
    /// Says whether `other`, which comes later, does what is asked to the same thing rather than this one.
    fn goes_behind(&self, other: &Self, ask: &Ask) -> bool {
        let (first, second) = (&self.deed, &other.deed);
        if self.hit.exact
            || other.hit.exact
            || self.hit.source != other.hit.source
            || first.thing != second.thing
        {
            return false;
        }
        if first.undoes != second.undoes {
            return second.undoes == ask.undoes;
        }
        if let [asked] = ask.acts.as_slice() {
            let does = |deed: &Deed| deed.act.is_some_and(|act| act.does(*asked));
            if does(first) != does(second) {
                return does(second);
            }
        }
        first.is_many != second.is_many && ask.means_many(&second.thing) == Some(second.is_many)
    }

    fn is_named_less(&self, other: &Self) -> bool {
        if self.is_named || !other.is_named || self.hit.exact || other.hit.exact {
            return false;
        }
        let (mine, others) = (words(self.hit.source), words(other.hit.source));
        self.deed.act == other.deed.act
            && self.deed.undoes == other.deed.undoes
            && self.deed.thing_without(&mine) == other.deed.thing_without(&others)
    }
}

/// Returns the words of a source's id.
fn words(source: &str) -> Vec<String> {
    name_words(source).into_iter().map(|(word, _)| word).collect()
}
