//! Room for tools that are not alike.

use super::blend::Scored;
use crate::candidates::Part;
use crate::vectors::{SIMILARITY_WHOLE, Side};

/// Returns the `max` best of `pool`, chosen one after another: a tool that means the same as one chosen before loses up to `discount` of its score.
///
/// Maximal marginal relevance (Carbonell, Goldstein: *The use of MMR, diversity-based reranking for reordering documents and producing summaries*, 1998). Tools count as alike from a cosine of `alike` on, wholly so at 1. The first stays first.
pub(super) fn apart(
    parts: &[Part<'_>],
    pool: Vec<Scored>,
    max: usize,
    discount: f32,
    alike: f32,
) -> Vec<Scored> {
    let mut open: Vec<Open> = pool
        .into_iter()
        .map(|scored| Open { scored, side: side(parts, &scored), alike: 0.0 })
        .collect();
    let mut chosen: Vec<Scored> = Vec::with_capacity(max.min(open.len()));
    while chosen.len() < max && !open.is_empty() {
        let mut best = 0;
        let mut best_value = f64::NEG_INFINITY;
        for (at, one) in open.iter().enumerate() {
            let value = one.value(discount);
            // The pool is ordered, so of equals the first is the right one.
            if value > best_value {
                (best, best_value) = (at, value);
            }
        }
        let Open { scored, .. } = open.remove(best);
        for one in &mut open {
            one.meets(parts, &scored, alike);
        }
        chosen.push(Scored { score: best_value, ..scored });
    }
    chosen
}

/// A tool that is not chosen yet.
struct Open {
    scored: Scored,
    side: Option<Side>,
    /// How alike it is to the most alike of those chosen, from 0 to 1.
    alike: f64,
}

impl Open {
    fn value(&self, discount: f32) -> f64 {
        self.scored.score * (1.0 - f64::from(discount) * self.alike)
    }

    fn meets(&mut self, parts: &[Part<'_>], chosen: &Scored, alike: f32) {
        let alike = f64::from(alike);
        let cosine = self.side.as_ref().and_then(|side| cosine(parts, chosen, side)).unwrap_or(0.0);
        let share = (cosine - alike) / (1.0 - alike).max(f64::MIN_POSITIVE);
        self.alike = self.alike.max(share.clamp(0.0, 1.0));
    }
}

fn side(parts: &[Part<'_>], scored: &Scored) -> Option<Side> {
    let (vectors, at) = parts.get(scored.part)?.vectors_of(scored.doc)?;
    vectors.side(at)
}

fn cosine(parts: &[Part<'_>], scored: &Scored, side: &Side) -> Option<f64> {
    let (vectors, at) = parts.get(scored.part)?.vectors_of(scored.doc)?;
    let mut one = [0];
    vectors.similarities(at, side, &mut one);
    let [one] = one;
    Some(f64::from(one) / f64::from(SIMILARITY_WHOLE))
}
