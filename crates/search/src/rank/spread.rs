//! Room for what else was asked for.

use super::top::{Found, Weighted};
use crate::candidates::Part;
use crate::index::IMPACT_WHOLE;

/// Returns the `max` best of `pool`, chosen one after another: what earlier choices have of a term makes it worth less, by up to `discount`, to later ones.
///
/// Each comes with what it was worth when it was chosen. The first stays first. Copies of a tool under other names, and further tools for the same need, move behind tools for needs not yet met (maximal marginal relevance, Carbonell and Goldstein 1998, with shared terms as the similarity).
pub(super) fn spread(
    parts: &[Part<'_>],
    terms: &[Weighted],
    pool: Vec<Found>,
    max: usize,
    discount: f64,
) -> Vec<(Found, f64)> {
    let mut open: Vec<(Found, Vec<f64>)> =
        pool.into_iter().map(|found| (found, shares(parts, terms, found))).collect();
    let mut worth = vec![1.0; terms.len()];
    let mut chosen = Vec::with_capacity(max);
    while chosen.len() < max && !open.is_empty() {
        let value = |shares: &[f64]| -> f64 {
            let weights = terms.iter().map(|term| f64::from(term.weight));
            weights
                .zip(shares)
                .zip(&worth)
                .map(|((weight, share), worth)| weight * share * worth)
                .sum()
        };
        let mut best = 0;
        let mut best_value = f64::NEG_INFINITY;
        for (at, (_, shares)) in open.iter().enumerate() {
            // The pool is ordered, so of equals the first is the right one.
            let value = value(shares);
            if value > best_value {
                (best, best_value) = (at, value);
            }
        }
        let (found, shares) = open.remove(best);
        for (worth, share) in worth.iter_mut().zip(&shares) {
            *worth *= 1.0 - discount * share;
        }
        chosen.push((found, best_value));
    }
    chosen
}

/// The impact of each term on the tool, from 0 to 1.
pub(super) fn shares(parts: &[Part<'_>], terms: &[Weighted], found: Found) -> Vec<f64> {
    let share = |term: &Weighted| {
        let postings = parts.get(found.part)?.segment.postings(term.term)?;
        let at = postings.docs.binary_search(&found.doc).ok()?;
        Some(f64::from(*postings.impacts.get(at)?) / f64::from(IMPACT_WHOLE))
    };
    terms.iter().map(|term| share(term).unwrap_or(0.0)).collect()
}
