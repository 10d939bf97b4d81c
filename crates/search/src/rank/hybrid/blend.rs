//! One score of words and meaning.

use std::cmp::Ordering;

use super::Hybrid;
use super::near::Nearest;
use crate::candidates::Part;
use crate::index::IMPACT_WHOLE;
use crate::rank::question::Question;
use crate::rank::spread::shares;
use crate::rank::top::{Found, UNIT, Weighted};

/// A tool and its score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// Given the tools before it.
    pub(super) score: f64,
    /// By itself.
    pub(super) own: f64,
    /// How many standard deviations closer in meaning than most.
    pub(super) deviations: f64,
    pub(super) part: usize,
    pub(super) doc: u32,
}

/// What a query's scores are made with. Lives as long as one search.
pub(super) struct Blend<'b> {
    weights: &'b Hybrid,
    question: &'b Question,
    near: &'b Nearest,
    parts: &'b [Part<'b>],
    /// What the query asks for, weighed.
    pub(super) terms: Vec<Weighted>,
    /// What the words of the query are worth together.
    words: f64,
    /// What those of them are worth that some candidate has.
    words_met: f64,
}

impl<'b> Blend<'b> {
    pub(super) fn new(
        weights: &'b Hybrid,
        question: &'b Question,
        near: &'b Nearest,
        parts: &'b [Part<'b>],
    ) -> Self {
        let terms: Vec<Weighted> = question.terms.iter().map(|asked| asked.weighted).collect();
        Self {
            weights,
            question,
            near,
            parts,
            terms,
            words: question.worth(),
            words_met: question.worth_met(),
        }
    }

    /// By what a score of words is multiplied before it counts.
    pub(super) fn word_scale(&self) -> f64 {
        let weight = f64::from(self.weights.word_weight);
        if self.words > 0.0 { weight * libm::sqrt(self.words_met) / self.words } else { 0.0 }
    }

    /// Returns the score of a tool that its words have found.
    pub(super) fn of_found(&self, found: &Found) -> Scored {
        let words = f64::from(found.sum) / f64::from(IMPACT_WHOLE) / f64::from(UNIT);
        self.scored(found, words, self.near.deviations(found.part, found.doc).unwrap_or(0.0))
    }

    /// Returns the score of a tool that its meaning has found, if it fits at all.
    pub(super) fn of_near(&self, found: &Found) -> Option<Scored> {
        let shares = shares(self.parts, &self.terms, *found);
        let has = |at: usize| shares.get(at).is_some_and(|&share| share > 0.0);
        let fits = self.question.fits_at(has);
        let deviations = self.near.deviations(found.part, found.doc)?;
        if !fits && deviations - self.near.chance < f64::from(self.weights.floor) {
            return None;
        }
        let weights = self.terms.iter().map(|term| f64::from(term.weight));
        let words: f64 = weights.zip(&shares).map(|(weight, share)| weight * share).sum();
        let words = if fits { words / f64::from(UNIT) } else { 0.0 };
        Some(self.scored(found, words, deviations))
    }

    fn scored(&self, found: &Found, words: f64, deviations: f64) -> Scored {
        let meaning = f64::from(self.weights.meaning_weight) * deviations;
        let score = words * self.word_scale() + meaning;
        Scored { score, own: score, deviations, part: found.part, doc: found.doc }
    }

    /// The better comes first; of equals, the one whose name comes first.
    pub(super) fn order(&self, left: &Scored, right: &Scored) -> Ordering {
        let hit =
            |scored: &Scored| self.parts.get(scored.part).map(|part| part.hit(scored.doc, 0.0));
        right.score.total_cmp(&left.score).then_with(|| match (hit(left), hit(right)) {
            (Some(left), Some(right)) => left.tie_break(&right),
            _ => Ordering::Equal,
        })
    }
}
