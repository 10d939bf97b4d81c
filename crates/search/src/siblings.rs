//! Tools of one source for one thing, told apart by what they do to it.
//!
//! A request says what is to be done in one word of many, and siblings share all the others.
//! So among tools of one source for the same thing the one goes first whose name does what is asked, and one that deletes goes behind the others where nobody asks to delete.

use crate::Hit;
use crate::limits::SIBLINGS_HITS_MAX;
use crate::text::{Act, asked_acts, name_act, name_thing};

/// Share of its score from which another tool goes before a deleting one.
const NEARLY: f32 = 0.5;

/// Returns the hits, of at most 100, with those of one source that do not do what `text` asks behind their siblings that do.
///
/// Places that the hits of other sources have, and tools whose name is spelled, do not move.
pub(crate) fn ordered<'a>(text: &str, mut hits: Vec<Hit<'a>>) -> Vec<Hit<'a>> {
    if hits.len() > SIBLINGS_HITS_MAX {
        return hits;
    }
    let name = |hit: &Hit<'a>| hit.document.row.name();
    let mut done: Vec<Option<Act>> = hits.iter().map(|hit| name_act(name(hit))).collect();
    let acts = asked_acts(text);
    let asked = match acts.as_slice() {
        [act] => Some(*act),
        _ => None,
    };
    // Each step moves one hit one place among those of its source, and never back.
    for end in (1..hits.len()).rev() {
        for at in 0..end {
            let next = (at + 1..hits.len()).find(|&next| hits[next].source == hits[at].source);
            let Some(next) = next else { continue };
            let (first, second) = (&hits[at], &hits[next]);
            if first.exact || second.exact || done[at] == done[next] {
                continue;
            }
            let deletes_unasked = done[at] == Some(Act::Delete)
                && !acts.contains(&Act::Delete)
                && second.score >= NEARLY * first.score;
            let does_other = || {
                asked.is_some()
                    && done[next] == asked
                    && name_thing(name(first)) == name_thing(name(second))
            };
            if deletes_unasked || does_other() {
                hits.swap(at, next);
                done.swap(at, next);
            }
        }
    }
    hits
}
