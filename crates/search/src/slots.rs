//! How many places of an answer one source may take.

use std::collections::HashMap;

use crate::Hit;
use crate::limits::{SLOTS_HITS_MAX, SLOTS_HITS_MIN};

/// The share of an answer's places that one source may take where others fit as well: two fifths.
const SOURCE_SHARE: (usize, usize) = (2, 5);

/// The share of the best score from which a tool of another source fits as well.
///
/// Of tools that score less a source that rightly owns all that is needed would make room for chance; `docs/retrieval.md` has figures.
const FITS_AS_WELL: f32 = 0.75;

/// Returns the places of the hits that are over their source's share of `max` places, ascending; none in an answer too short or too long for shares.
pub(crate) fn over_share(hits: &[Hit<'_>], max: usize) -> Vec<usize> {
    if !(SLOTS_HITS_MIN..=SLOTS_HITS_MAX).contains(&max) {
        return Vec::new();
    }
    let share = (max * SOURCE_SHARE.0).div_ceil(SOURCE_SHARE.1);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut over = Vec::new();
    for (place, hit) in hits.iter().enumerate() {
        let count = counts.entry(hit.source).or_default();
        *count += 1;
        if *count > share && !hit.exact {
            over.push(place);
        }
    }
    over
}

/// Replaces the last hits at the places `over` by those of `others`, an answer to the same question from other sources, that fit as well and whose sources have room.
///
/// `own` is what a tool scores by itself among all candidates.
pub(crate) fn shared<'a>(
    mut hits: Vec<Hit<'a>>,
    mut over: Vec<usize>,
    others: Vec<Hit<'a>>,
    own: &dyn Fn(&Hit<'a>) -> f32,
    max: usize,
) -> Vec<Hit<'a>> {
    let ranked = hits.iter().filter(|hit| !hit.exact);
    let best = ranked.map(|hit| hit.own).fold(0.0, f32::max);
    for hit in others {
        let Some(&last) = over.last() else { break };
        if hits.iter().any(|known| known.is_same_tool(&hit)) {
            continue;
        }
        let mut without = hits.clone();
        without.remove(last);
        without.push(hit);
        if over_share(&without, max).len() >= over.len() {
            continue;
        }
        // They come best first, so what follows fits no better.
        let own = own(&hit);
        if own < FITS_AS_WELL * best {
            break;
        }
        if let Some(last) = without.last_mut() {
            (last.score, last.own) = (own, own);
        }
        hits = without;
        over.pop();
    }
    hits
}
